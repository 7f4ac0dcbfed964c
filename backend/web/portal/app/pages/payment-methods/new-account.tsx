import type { GatewayAccountRecord } from '@florin/shared/contracts/api-v1/gateway-accounts.ts';
import { useState } from 'react';
import type { InputFor } from '../../api/call.ts';
import { useCall } from '../../api/use-read.ts';
import { Dialog } from '../../components/dialog.tsx';
import { CheckGroup, PasswordField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { useWriteForm } from '../../components/write-form.ts';
import { useTexts } from '../../words/texts.ts';
import { methodsTexts } from './texts.ts';
import { typedIn } from './typed-in.ts';

type Body = InputFor<'createGatewayAccount'>['body'];

type Props = {
  /** Of the business, which the account most likely has too. */
  readonly countryCode: string;
  readonly onAdded: (account: GatewayAccountRecord) => void;
  readonly onClose: () => void;
};

/** Adds the business's own account at the gateway of the service. */
export function NewAccount({ countryCode, onAdded, onClose }: Props) {
  const text = useTexts(methodsTexts);
  const { form: words } = text;
  const call = useCall();
  const { submit, isBusy, issues, message } = useWriteForm();
  const add = (form: FormData) => {
    const body = accountOf(name => textOf(form, name).trim());
    void submit({
      send: idempotencyKey => call('createGatewayAccount', { body }, { idempotencyKey }),
      onDone: onAdded,
    });
  };
  return (
    <Dialog shape="drawer" title={words.title} onClose={onClose}>
      <Form onSubmit={add} action={words.submit} isBusy={isBusy} message={message} onCancel={onClose}>
        <p className="muted">{words.about}</p>
        <TextField label={text.name} name="name" hint={words.nameHint} required maxLength={100} issue={issues.name} />
        <TextField
          label={text.merchant}
          name="merchantId"
          hint={words.merchantHint}
          required
          maxLength={100}
          spellCheck={false}
          autoComplete="off"
          issue={issues.merchantId}
        />
        <PasswordField
          label={words.signature}
          name="signature"
          hint={words.signatureHint}
          autoComplete="off"
          required
          issue={issues['secrets.signature']}
        />
        <TextField
          label={words.country}
          name="country"
          hint={words.countryHint}
          required
          minLength={2}
          maxLength={2}
          defaultValue={countryCode}
          issue={issues['config.countryCode']}
        />
        <OptionalFields issues={issues} />
      </Form>
    </Dialog>
  );
}

function OptionalFields({ issues }: { readonly issues: Readonly<Record<string, string>> }) {
  const { form: words } = useTexts(methodsTexts);
  // The user and the password are of use together only.
  const [lookups, setLookups] = useState({ user: '', password: '' });
  return (
    <>
      <CheckGroup label={words.lookups} hint={words.lookupsWhy}>
        <TextField
          label={words.reportingUser}
          name="reportingUser"
          spellCheck={false}
          autoComplete="off"
          required={lookups.password !== ''}
          onChange={({ target }) => setLookups({ ...lookups, user: target.value })}
          issue={issues['config.reportingUser']}
        />
        <PasswordField
          label={words.reportingPassword}
          name="reportingPassword"
          autoComplete="off"
          required={lookups.user !== ''}
          onChange={({ target }) => setLookups({ ...lookups, password: target.value })}
          issue={issues['secrets.reportingPassword']}
        />
      </CheckGroup>
      <CheckGroup label={words.terminals} hint={words.terminalsWhy}>
        <PasswordField
          label={words.cardPresent}
          name="cardPresent"
          autoComplete="off"
          issue={issues['secrets.cardPresent']}
        />
      </CheckGroup>
    </>
  );
}

/** What was typed, as the operation takes it. Empty fields are left out. */
function accountOf(typed: (name: string) => string): Body {
  return {
    adapter: 'cardstream',
    name: typed('name'),
    merchantId: typed('merchantId'),
    config: { countryCode: typed('country').toUpperCase(), ...typedIn(typed, 'reportingUser') },
    secrets: typedIn(typed, 'signature', 'reportingPassword', 'cardPresent'),
  };
}
