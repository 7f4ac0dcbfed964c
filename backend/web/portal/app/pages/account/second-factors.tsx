import { useState } from 'react';
import { Notice } from '../../components/notice.tsx';
import { Card } from '../../components/page.tsx';
import { useMe } from '../../session/session.ts';
import { useTexts } from '../../words/texts.ts';
import { AuthenticatorApp } from './authenticator-app.tsx';
import { Passkeys } from './passkeys.tsx';
import { RecoveryCodes, ShownCodes } from './recovery-codes.tsx';
import { accountTexts } from './texts.ts';

/** How the user confirms a sign-in beside the password. New recovery codes are shown over the page, once. */
export function SecondFactors() {
  const { factors: text } = useTexts(accountTexts);
  const { factors } = useMe();
  const [codes, setCodes] = useState<readonly string[]>();
  const count = (factors.totp ? 1 : 0) + factors.passkeys.length;
  return (
    <Card title={text.title}>
      {count === 0 ? (
        <Notice tone="attention" title={text.none}>
          {text.noneWhy}
        </Notice>
      ) : count === 1 ? (
        <p className="muted">{text.one}</p>
      ) : null}
      <ul className="settings">
        <AuthenticatorApp isLast={count === 1} onCodes={setCodes} />
        <Passkeys isLast={count === 1} onCodes={setCodes} />
        {count === 0 ? null : <RecoveryCodes left={factors.recoveryCodesLeft} onCodes={setCodes} />}
      </ul>
      {codes === undefined ? null : <ShownCodes codes={codes} onClose={() => setCodes(undefined)} />}
    </Card>
  );
}
