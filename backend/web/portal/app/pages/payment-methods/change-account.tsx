import type { GatewayAccountRecord } from '@florin/shared/contracts/api-v1/gateway-accounts.ts';
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

type Body = NonNullable<InputFor<'changeGatewayAccount'>['body']>;

type Props = {
  readonly account: GatewayAccountRecord;
  readonly onChanged: (account: GatewayAccountRecord) => void;
  readonly onClose: () => void;
};

/** Renames an account that the business added, or replaces what the gateway has given anew. */
export function ChangeAccount({ account: { id, name, merchantId }, onChanged, onClose }: Props) {
  const text = useTexts(methodsTexts);
  const { changing, form: words } = text;
  const call = useCall();
  const { submit, isBusy, issues, message } = useWriteForm();
  const change = (form: FormData) => {
    const body = changesIn(typed => textOf(form, typed).trim());
    void submit({ send: () => call('changeGatewayAccount', { params: { id }, body }), onDone: onChanged });
  };
  return (
    <Dialog shape="drawer" title={changing.title(name)} onClose={onClose}>
      <Form onSubmit={change} action={changing.submit} isBusy={isBusy} message={message} onCancel={onClose}>
        <p className="muted">{changing.about}</p>
        <TextField label={text.name} name="name" defaultValue={name} required maxLength={100} issue={issues.name} />
        <TextField label={text.merchant} name="merchantId" value={merchantId} hint={changing.merchant} readOnly />
        <PasswordField
          label={changing.signature}
          name="signature"
          hint={changing.signatureHint}
          autoComplete="off"
          issue={issues['secrets.signature']}
        />
        <CheckGroup label={words.lookups} hint={words.lookupsWhy}>
          <TextField
            label={words.reportingUser}
            name="reportingUser"
            spellCheck={false}
            autoComplete="off"
            issue={issues['config.reportingUser']}
          />
          <PasswordField
            label={changing.reportingPassword}
            name="reportingPassword"
            autoComplete="off"
            issue={issues['secrets.reportingPassword']}
          />
        </CheckGroup>
        <CheckGroup label={words.terminals} hint={words.terminalsWhy}>
          <PasswordField
            label={changing.cardPresent}
            name="cardPresent"
            autoComplete="off"
            issue={issues['secrets.cardPresent']}
          />
        </CheckGroup>
      </Form>
    </Dialog>
  );
}

/** What was typed, as the operation takes it. Empty fields stay as they are. */
function changesIn(typed: (name: string) => string): Body {
  return {
    name: typed('name'),
    config: typedIn(typed, 'reportingUser'),
    secrets: typedIn(typed, 'signature', 'reportingPassword', 'cardPresent'),
  };
}
