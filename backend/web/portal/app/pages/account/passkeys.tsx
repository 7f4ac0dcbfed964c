import type { Me } from '@florin/shared/contracts/portal/people.ts';
import { useState } from 'react';
import { callOwn } from '../../api/call.ts';
import { useOwnCall } from '../../api/use-own.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { Icon } from '../../components/icon.tsx';
import { useWriteForm } from '../../components/write-form.ts';
import { clock } from '../../platform/time.ts';
import { canUsePasskeys, newPasskey } from '../../session/passkey.ts';
import { useMe } from '../../session/session.ts';
import { toast } from '../../shell/toasts.tsx';
import { useFormats } from '../../words/formats.ts';
import { useProblemWords } from '../../words/problem-words.ts';
import { useTexts } from '../../words/texts.ts';
import type { FactorProps } from './authenticator-app.tsx';
import { accountTexts } from './texts.ts';

type Passkey = Me['factors']['passkeys'][number];

/** The user's passkeys, with what adds and removes them. */
export function Passkeys({ isLast, onCodes }: FactorProps) {
  const { passkeys: text } = useTexts(accountTexts);
  const { factors } = useMe();
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <li className="setting">
        <Icon name="key" />
        <div>
          <p className="strong">{text.title}</p>
          <p className="muted">{canUsePasskeys() ? text.about : text.elsewhere}</p>
        </div>
        {canUsePasskeys() ? <Button onClick={() => setAdding(true)}>{text.add}</Button> : null}
      </li>
      {factors.passkeys.map(passkey => (
        <OnePasskey key={passkey.id} passkey={passkey} isLast={isLast} />
      ))}
      {isAdding ? <AddPasskey onClose={() => setAdding(false)} onCodes={onCodes} /> : null}
    </>
  );
}

function OnePasskey({ passkey, isLast }: { readonly passkey: Passkey; readonly isLast: boolean }) {
  const { passkeys: text, factors } = useTexts(accountTexts);
  const formats = useFormats();
  const call = useOwnCall();
  const [isRemoving, setRemoving] = useState(false);
  const { id, name, createdAt, lastUsedAt } = passkey;
  const used = lastUsedAt === null ? undefined : formats.ago(lastUsedAt, clock.now());
  return (
    <li className="setting setting-part">
      <div>
        <p className="strong">{name}</p>
        <p className="muted">{text.facts(formats.date(createdAt), used)}</p>
      </div>
      <Button kind="danger" aria-label={text.removeOf(name)} onClick={() => setRemoving(true)}>
        {text.remove}
      </Button>
      {isRemoving ? (
        <Confirm
          title={text.removeTitle(name)}
          action={text.remove}
          send={() => call('removePasskey', { params: { passkeyId: id } })}
          onDone={() => toast(text.removed(name))}
          onClose={() => setRemoving(false)}
        >
          {text.removeWhy} {isLast ? factors.lastWhy : null}
        </Confirm>
      ) : null}
    </li>
  );
}

type AddPasskeyProps = { readonly onClose: () => void; readonly onCodes: FactorProps['onCodes'] };

/** Names a passkey, and has the browser make it. */
function AddPasskey({ onClose, onCodes }: AddPasskeyProps) {
  const { passkeys: text } = useTexts(accountTexts);
  const call = useOwnCall();
  const wordsOf = useProblemWords();
  const [problem, setProblem] = useState<string>();
  const { submit, isBusy, issues, message } = useWriteForm({
    passkey_not_valid: text.notValid,
    passkey_exists: text.exists,
  });
  const add = async (form: FormData) => {
    const name = textOf(form, 'name').trim();
    setProblem(undefined);
    const options = await callOwn('beginPasskey', {});
    if (!options.ok) return setProblem(wordsOf(options));
    const passkey = await newPasskey(options.body);
    if (passkey === undefined) return setProblem(text.notMade);
    return submit({
      send: () => call('addPasskey', { body: { name, passkey } }),
      onDone: ({ recoveryCodes }) => {
        onClose();
        toast(text.added(name));
        if (recoveryCodes !== null) onCodes(recoveryCodes);
      },
    });
  };
  return (
    <Dialog title={text.add} onClose={onClose}>
      <Form
        onSubmit={form => void add(form)}
        action={text.begin}
        isBusy={isBusy}
        message={problem ?? message}
        onCancel={onClose}
      >
        <TextField
          label={text.name}
          name="name"
          hint={text.nameHint}
          maxLength={60}
          autoFocus
          required
          issue={issues.name}
        />
      </Form>
    </Dialog>
  );
}
