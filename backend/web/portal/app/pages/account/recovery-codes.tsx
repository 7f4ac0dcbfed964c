import { useState } from 'react';
import { useOwnCall } from '../../api/use-own.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { CopyButton } from '../../components/values.tsx';
import { download } from '../../platform/browser.ts';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import type { FactorProps } from './authenticator-app.tsx';
import { accountTexts } from './texts.ts';

type RecoveryCodesProps = { readonly left: number; readonly onCodes: FactorProps['onCodes'] };

/** How many codes are left, and what replaces them. */
export function RecoveryCodes({ left, onCodes }: RecoveryCodesProps) {
  const { codes: text } = useTexts(accountTexts);
  const formats = useFormats();
  const call = useOwnCall();
  const [isReplacing, setReplacing] = useState(false);
  return (
    <li className="setting">
      <Icon name="lock" />
      <div>
        <p className="strong">{text.title}</p>
        <p className="muted">{left === 0 ? text.gone : text.left(formats.number(left))}</p>
      </div>
      <Button onClick={() => setReplacing(true)}>{text.renew}</Button>
      {isReplacing ? (
        <Confirm
          title={text.renewTitle}
          action={text.renew}
          kind="primary"
          send={() => call('renewRecoveryCodes', {})}
          onDone={({ recoveryCodes }) => onCodes(recoveryCodes)}
          onClose={() => setReplacing(false)}
        >
          {text.renewWhy}
        </Confirm>
      ) : null}
    </li>
  );
}

type ShownCodesProps = { readonly codes: readonly string[]; readonly onClose: () => void };

/** New codes, shown once: it closes only by the button that says they were kept. */
export function ShownCodes({ codes, onClose }: ShownCodesProps) {
  const { codes: text } = useTexts(accountTexts);
  const written = codes.join('\n');
  return (
    <Dialog title={text.keep} onClose={onClose} isHeld>
      <p className="muted">{text.keepWhy}</p>
      <ol className="recovery-codes">
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="form-actions">
        <CopyButton text={written} />
        <Button icon="download" onClick={() => download(text.file, `${written}\n`)}>
          {text.download}
        </Button>
        <Button kind="primary" onClick={onClose}>
          {text.kept}
        </Button>
      </div>
    </Dialog>
  );
}
