import type { PaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { useState } from 'react';
import { useCall } from '../../api/use-read.ts';
import { AmountField, minorOf } from '../../components/amount-field.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { CheckField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { Qr } from '../../components/qr.tsx';
import { CopyButton } from '../../components/values.tsx';
import { useWriteForm } from '../../components/write-form.ts';
import { useBusiness } from '../../session/session.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { nextDay, startOfDay } from '../../words/zone.ts';
import { linksTexts } from './texts.ts';

/** Makes a payment link, and hands it over. */
export function NewLink({ onClose }: { readonly onClose: () => void }) {
  const text = useTexts(linksTexts);
  const [made, setMade] = useState<PaymentLink>();
  return (
    <Dialog shape="drawer" title={made === undefined ? text.form.title : text.form.done} onClose={onClose}>
      {made === undefined ? <LinkForm onMade={setMade} onClose={onClose} /> : <Handover link={made} />}
    </Dialog>
  );
}

type LinkFormProps = { readonly onMade: (link: PaymentLink) => void; readonly onClose: () => void };

/** What is typed in the form, as the operation takes it; undefined where an amount cannot be read. */
function useTypedLink() {
  const { currency, timeZone } = useBusiness();
  const words = useWords();
  const [amount, setAmount] = useState('');
  const [minimum, setMinimum] = useState('');
  const [allowsParts, setAllowsParts] = useState(false);
  const [isChecked, setChecked] = useState(false);
  const amountMinor = minorOf(amount, currency);
  const minimumMinor = allowsParts && minimum !== '' ? minorOf(minimum, currency) : undefined;
  const isWrong = {
    amount: amountMinor === undefined,
    minimum: allowsParts && minimum !== '' && minimumMinor === undefined,
  };
  const issueOf = (field: keyof typeof isWrong) => (isChecked && isWrong[field] ? words.form.amount : undefined);
  const body = (form: FormData) => {
    setChecked(true);
    if (amountMinor === undefined || isWrong.minimum) return undefined;
    const text = (name: string) => textOf(form, name).trim();
    return {
      description: text('description'),
      amountInCents: amountMinor,
      currency,
      allowPartPayment: allowsParts,
      ...(minimumMinor === undefined ? {} : { minimumAmountInCents: minimumMinor }),
      ...(text('expires') === '' ? {} : { expiresAt: startOfDay(nextDay(text('expires')), timeZone) }),
      ...(text('reference') === '' ? {} : { externalReference: text('reference') }),
    };
  };
  return { amount, setAmount, minimum, setMinimum, allowsParts, setAllowsParts, issueOf, body, currency };
}

function LinkForm({ onMade, onClose }: LinkFormProps) {
  const text = useTexts(linksTexts);
  const call = useCall();
  const typed = useTypedLink();
  const { submit, isBusy, issues, message } = useWriteForm();
  const send = (given: FormData) => {
    const body = typed.body(given);
    if (body === undefined) return;
    void submit({ send: idempotencyKey => call('createPaymentLink', { body }, { idempotencyKey }), onDone: onMade });
  };
  const { form } = text;
  return (
    <Form onSubmit={send} action={form.create} isBusy={isBusy} message={message} onCancel={onClose}>
      <AmountField
        label={text.amount}
        currency={typed.currency}
        value={typed.amount}
        onChange={typed.setAmount}
        issue={typed.issueOf('amount') ?? issues.amountInCents}
      />
      <TextField
        label={text.description}
        name="description"
        hint={form.descriptionHint}
        required
        maxLength={500}
        issue={issues.description}
      />
      <CheckField
        label={form.part}
        checked={typed.allowsParts}
        onChange={event => typed.setAllowsParts(event.target.checked)}
      />
      {typed.allowsParts ? (
        <AmountField
          label={form.minimum}
          currency={typed.currency}
          value={typed.minimum}
          onChange={typed.setMinimum}
          issue={typed.issueOf('minimum') ?? issues.minimumAmountInCents}
        />
      ) : null}
      <div className="form-row">
        <TextField label={form.expiry} name="expires" type="date" hint={form.expiryHint} issue={issues.expiresAt} />
        <TextField
          label={form.reference}
          name="reference"
          hint={form.referenceHint}
          maxLength={200}
          issue={issues.externalReference}
        />
      </div>
    </Form>
  );
}

/** The address and its code, to give to the customer. */
function Handover({ link }: { readonly link: PaymentLink }) {
  const text = useTexts(linksTexts);
  return (
    <div className="handover">
      <p className="muted">{text.form.doneWhy}</p>
      <Qr text={link.url} label={text.form.code} />
      <div className="copy-line">
        <code>{link.url}</code>
        <CopyButton text={link.url} label={text.copyUrl} kind="primary" />
      </div>
      <PageLink to={`links/${link.id}`}>{text.form.open}</PageLink>
    </div>
  );
}
