import { useState } from 'react';
import type { BodyFor } from '../../api/call.ts';
import { useOwnCall } from '../../api/use-own.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { Icon } from '../../components/icon.tsx';
import { Status } from '../../components/notice.tsx';
import { Qr } from '../../components/qr.tsx';
import { CopyButton } from '../../components/values.tsx';
import { useWriteForm } from '../../components/write-form.ts';
import { useMe } from '../../session/session.ts';
import { complain, toast } from '../../shell/toasts.tsx';
import { useProblemWords } from '../../words/problem-words.ts';
import { useTexts } from '../../words/texts.ts';
import { accountTexts } from './texts.ts';

export type FactorProps = {
  /** Whether it is the only second factor. */
  readonly isLast: boolean;
  /** The first factor comes with recovery codes. */
  readonly onCodes: (codes: readonly string[]) => void;
};

/** The authenticator app, with what turns it on or removes it. */
export function AuthenticatorApp({ isLast, onCodes }: FactorProps) {
  const { app: text, factors } = useTexts(accountTexts);
  const { factors: own } = useMe();
  const call = useOwnCall();
  const wordsOf = useProblemWords();
  const [secret, setSecret] = useState<BodyFor<'beginTotp'>>();
  const [isRemoving, setRemoving] = useState(false);
  const begin = async () => {
    const answer = await call('beginTotp', {});
    if (answer.ok) setSecret(answer.body);
    else complain(wordsOf(answer));
  };
  return (
    <li className="setting">
      <Icon name="phone" />
      <div>
        <p className="strong">{text.title}</p>
        <p className="muted">{own.totp ? text.on : text.off}</p>
      </div>
      {own.totp ? (
        <span className="setting-end">
          <Status tone="done">{text.isOn}</Status>
          <Button kind="danger" onClick={() => setRemoving(true)}>
            {text.remove}
          </Button>
        </span>
      ) : (
        <Button onClick={() => void begin()}>{text.setUp}</Button>
      )}
      {secret === undefined ? null : <SetUp secret={secret} onClose={() => setSecret(undefined)} onCodes={onCodes} />}
      {isRemoving ? (
        <Confirm
          title={text.removeTitle}
          action={text.remove}
          send={() => call('removeTotp', {})}
          onDone={() => toast(text.removed)}
          onClose={() => setRemoving(false)}
        >
          {text.removeWhy} {isLast ? factors.lastWhy : null}
        </Confirm>
      ) : null}
    </li>
  );
}

type SetUpProps = {
  readonly secret: BodyFor<'beginTotp'>;
  readonly onClose: () => void;
  readonly onCodes: FactorProps['onCodes'];
};

/** Hands the secret to the app; it takes effect with a code of the app. */
function SetUp({ secret, onClose, onCodes }: SetUpProps) {
  const { app: text } = useTexts(accountTexts);
  const call = useOwnCall();
  const { submit, isBusy, issues, message } = useWriteForm({ code_wrong: ['code', text.wrong] });
  const confirm = (form: FormData) =>
    void submit({
      send: () => call('confirmTotp', { body: { code: textOf(form, 'code') } }),
      onDone: ({ recoveryCodes }) => {
        onClose();
        toast(text.added);
        if (recoveryCodes !== null) onCodes(recoveryCodes);
      },
    });
  return (
    <Dialog shape="drawer" title={text.title} onClose={onClose}>
      <div className="handover">
        <p className="muted">{text.scan}</p>
        <Qr text={secret.uri} label={text.qr} />
        <p className="muted">{text.type}</p>
        <div className="copy-line">
          <code>{secret.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
          <CopyButton text={secret.secret} label={text.copyKey} />
        </div>
        <Form onSubmit={confirm} action={text.turnOn} isBusy={isBusy} message={message} onCancel={onClose}>
          <TextField
            label={text.code}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9 ]{6,10}"
            maxLength={10}
            required
            issue={issues.code}
          />
        </Form>
      </div>
    </Dialog>
  );
}
