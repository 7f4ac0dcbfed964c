import type { WithdrawalRecord } from '@florin/shared/contracts/api-v1/withdrawals.ts';
import { type FormEvent, useState } from 'react';
import type { InputFor } from '../../api/call.ts';
import { useCall } from '../../api/use-read.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { LinesField, SelectField, TextField } from '../../components/field.tsx';
import { MoneyEnded } from '../../components/money-ended.tsx';
import { keptRequest, type MoneyState, useMoneyForm } from '../../components/money-form.ts';
import { Notice } from '../../components/notice.tsx';
import { useFormats } from '../../words/formats.ts';
import { useProblemWords } from '../../words/problem-words.ts';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { invoiceSats } from './invoice-amount.ts';
import { withdrawalsTexts } from './texts.ts';

type Request = NonNullable<InputFor<'createWithdrawal'>['body']>;

const formId = 'withdrawal';

/** Whether this tab has sent a withdrawal whose outcome is not known yet. */
export const isWithdrawing = () => keptRequest<Request>(formId) !== undefined;

/** Sends funds from the node: it says what will happen, is sent once, and ends only when the outcome is known. */
export function NewWithdrawal({ onClose }: { readonly onClose: () => void }) {
  const { form: text } = useTexts(withdrawalsTexts);
  const call = useCall();
  const { state, submit } = useMoneyForm<Request, WithdrawalRecord>({
    id: formId,
    send: (body, idempotencyKey) => call('createWithdrawal', { body }, { idempotencyKey }),
    // What the node has is on its way, and is never sent again.
    isFinal: ({ status }) => status !== 'unknown',
  });
  return (
    <Dialog shape="drawer" title={text.title} onClose={onClose} isHeld={state.kind === 'sending'}>
      {state.kind === 'ended' ? (
        <Ended withdrawal={state.result} onClose={onClose} />
      ) : (
        <Fields state={state} onSubmit={submit} onClose={onClose} />
      )}
    </Dialog>
  );
}

type Way = 'invoice' | 'address';

/** What is typed in the form, as the operation takes it. */
function useTyped() {
  const [way, setWay] = useState<Way>('invoice');
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const of = (name: string) => (typed[name] ?? '').trim();
  const number = (name: string) => (of(name) === '' ? undefined : Number(of(name)));
  const amountSats = way === 'invoice' ? invoiceSats(of('invoice')) : number('amountSats');
  const optional = (name: string) => {
    const value = number(name);
    return value === undefined ? {} : { [name]: value };
  };
  const body: Request =
    way === 'invoice'
      ? { invoice: of('invoice'), ...optional('maxFeeSats') }
      : { address: of('address'), ...(amountSats === undefined ? {} : { amountSats }), ...optional('satsPerVbyte') };
  const field = (name: string) => ({
    value: typed[name] ?? '',
    onChange: ({ target }: { target: { value: string } }) => setTyped({ ...typed, [name]: target.value }),
  });
  return { way, setWay, field, amountSats, address: of('address'), body };
}

type FieldsProps = {
  readonly state: Exclude<MoneyState<WithdrawalRecord>, { kind: 'ended' }>;
  readonly onSubmit: (request: Request) => void;
  readonly onClose: () => void;
};

function Fields({ state, onSubmit, onClose }: FieldsProps) {
  const { form: text } = useTexts(withdrawalsTexts);
  const words = useWords();
  const formats = useFormats();
  const typed = useTyped();
  const { way, amountSats, address } = typed;
  const isOpen = state.kind === 'open';
  const isReady = amountSats !== undefined && amountSats > 0 && (way === 'invoice' || address !== '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isOpen && isReady) onSubmit(typed.body);
  };
  const amount = formats.sats(amountSats ?? 0);
  const sentence = way === 'invoice' ? text.willPay(amount) : text.willSend(amount, address);
  return (
    <form className="form" onSubmit={submit}>
      <Refusal state={state} />
      {state.kind === 'checking' ? null : <WayFields typed={typed} isOpen={isOpen} state={state} />}
      {state.kind === 'checking' ? (
        <Notice tone="attention" role="status" title={text.wait}>
          {text.waitWhy}
        </Notice>
      ) : isReady ? (
        <Notice tone="doing">{sentence}</Notice>
      ) : null}
      <div className="form-actions">
        {state.kind === 'sending' ? null : <Button onClick={onClose}>{words.actions.close}</Button>}
        <Button
          kind="money"
          type="submit"
          isBusy={state.kind === 'sending'}
          disabled={state.kind === 'checking' || !isReady}
        >
          {isReady ? text.pay(amount) : text.send}
        </Button>
      </div>
    </form>
  );
}

function Refusal({ state }: Pick<FieldsProps, 'state'>) {
  const { form: text } = useTexts(withdrawalsTexts);
  const wordsOf = useProblemWords();
  if (state.kind !== 'open' || state.problem === undefined) return null;
  return (
    <Notice tone="refused" role="alert" title={text.refused}>
      {text.refusals[state.problem.reason ?? ''] ?? wordsOf(state.problem)}
    </Notice>
  );
}

type WayProps = {
  readonly typed: ReturnType<typeof useTyped>;
  readonly isOpen: boolean;
  readonly state: FieldsProps['state'];
};

function WayFields(props: WayProps) {
  const { form: text } = useTexts(withdrawalsTexts);
  const { way, setWay } = props.typed;
  return (
    <>
      <SelectField
        label={text.over}
        value={way}
        disabled={!props.isOpen}
        choices={(['invoice', 'address'] as const).map(each => [each, text.ways[each]])}
        onChange={({ target }) => setWay(target.value === 'address' ? 'address' : 'invoice')}
      />
      {way === 'invoice' ? <InvoiceFields {...props} /> : <AddressFields {...props} />}
    </>
  );
}

function InvoiceFields({ typed: { field }, isOpen, state }: WayProps) {
  const { form: text } = useTexts(withdrawalsTexts);
  const issues = state.kind === 'open' ? state.issues : {};
  const common = { disabled: !isOpen, autoComplete: 'off', spellCheck: false };
  return (
    <>
      <LinesField
        {...common}
        {...field('invoice')}
        label={text.invoice}
        hint={text.invoiceHint}
        className="code-input"
        rows={5}
        required
        issue={issues.invoice}
      />
      <TextField
        {...common}
        {...field('maxFeeSats')}
        label={text.maxFee}
        hint={text.maxFeeHint}
        type="number"
        min={0}
        issue={issues.maxFeeSats}
      />
    </>
  );
}

function AddressFields({ typed: { field }, isOpen, state }: WayProps) {
  const { form: text } = useTexts(withdrawalsTexts);
  const issues = state.kind === 'open' ? state.issues : {};
  const common = { disabled: !isOpen, autoComplete: 'off', spellCheck: false };
  return (
    <>
      <TextField
        {...common}
        {...field('address')}
        label={text.address}
        hint={text.addressHint}
        className="input code-input"
        required
        maxLength={100}
        issue={issues.address}
      />
      <TextField
        {...common}
        {...field('amountSats')}
        label={text.amount}
        type="number"
        min={1}
        required
        issue={issues.amountSats}
      />
      <TextField
        {...common}
        {...field('satsPerVbyte')}
        label={text.feeRate}
        hint={text.feeRateHint}
        type="number"
        min={1}
        max={5_000}
        issue={issues.satsPerVbyte}
      />
    </>
  );
}

function Ended({ withdrawal, onClose }: { readonly withdrawal: WithdrawalRecord; readonly onClose: () => void }) {
  const { form: text, reasons } = useTexts(withdrawalsTexts);
  const formats = useFormats();
  const amount = formats.sats(withdrawal.amountSats);
  const { ended } = text;
  const shown = {
    completed: ['done', ended.completed(amount), ended.completedWhy(formats.sats(withdrawal.feeSats ?? 0))],
    pending: ['doing', ended.pending(amount), ended.pendingWhy],
    failed: ['ended', ended.failed, reasons[withdrawal.failureReason ?? 'other'] ?? reasons.other],
    unknown: ['attention', text.wait, text.waitWhy],
  } as const;
  const [tone, title, why] = shown[withdrawal.status];
  return (
    <MoneyEnded tone={tone} title={title} onClose={onClose}>
      {why}
    </MoneyEnded>
  );
}
