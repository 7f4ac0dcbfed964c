import type { NotDone } from '@florin/client/answer.ts';
import type { PaymentRecord } from '@florin/shared/contracts/api-v1/payments.ts';
import type { RefundOptionsRecord } from '@florin/shared/contracts/api-v1/refund-options.ts';
import type { RefundRecord } from '@florin/shared/contracts/api-v1/refunds.ts';
import { type FormEvent, useState } from 'react';
import { useCall, useRead } from '../../api/use-read.ts';
import { AmountField, minorOf, typedAmount } from '../../components/amount-field.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { textOf } from '../../components/form-text.ts';
import { Failed } from '../../components/loaded.tsx';
import { MoneyEnded } from '../../components/money-ended.tsx';
import { keptRequest, type MoneyState, useMoneyForm } from '../../components/money-form.ts';
import { Notice } from '../../components/notice.tsx';
import { useSettled } from '../../platform/browser.ts';
import { useMe } from '../../session/session.ts';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { paymentTexts } from './texts.ts';

/** `void` before settlement, `refund` after it; `record` for bitcoin, which the business returns itself. */
export type MoneyBack = NonNullable<RefundOptionsRecord['action']>;

type DrawerProps = { readonly payment: PaymentRecord; readonly way: MoneyBack; readonly onClose: () => void };

type Request = {
  readonly way: MoneyBack;
  readonly amount: number;
  /** What was left when it was decided on: it is refused if that has changed. */
  readonly remainingSeen: number;
  readonly reason?: string;
};

/** Names the form. Another user of the same tab does not go on with what this one has sent. */
function useFormId({ id }: PaymentRecord): string {
  return `refund ${id} ${useMe().id}`;
}

/** The kind of a request of this tab whose outcome is not known yet. */
export function useSentBefore(payment: PaymentRecord): MoneyBack | undefined {
  return keptRequest<Request>(useFormId(payment))?.way;
}

/** Sends the request by the operation that it is for. */
function useReturn({ id }: PaymentRecord) {
  const call = useCall();
  return ({ way, amount, ...rest }: Request, idempotencyKey: string) => {
    const params = { id };
    const options = { idempotencyKey };
    if (way === 'record') return call('createBitcoinRefundOfPayment', { params, body: { amount, ...rest } }, options);
    const what = way === 'void' ? { kind: 'CANCEL' as const } : { kind: 'REFUND_SALE' as const, amountInCents: amount };
    return call('createCardRefundOfPayment', { params, body: { ...what, ...rest } }, options);
  };
}

/** Returns money: it says what will happen, is sent once, and ends only when the outcome is known. */
export function MoneyDrawer({ payment, way, onClose }: DrawerProps) {
  const text = useTexts(paymentTexts);
  const send = useReturn(payment);
  const { state, submit } = useMoneyForm<Request, RefundRecord>({
    id: useFormId(payment),
    send,
    isFinal: ({ status }) => status !== 'pending',
  });
  return (
    <Dialog
      shape="drawer"
      title={way === 'void' ? text.voidTitle : text.refundTitle}
      onClose={onClose}
      isHeld={state.kind === 'sending'}
    >
      {state.kind === 'ended' ? (
        <Ended refund={state.result} onClose={onClose} />
      ) : (
        <MoneyFields payment={payment} way={way} state={state} onSubmit={submit} onClose={onClose} />
      )}
    </Dialog>
  );
}

type FieldsProps = DrawerProps & {
  readonly state: Exclude<MoneyState<RefundRecord>, { kind: 'ended' }>;
  readonly onSubmit: (request: Request) => void;
};

/** The amount as it is typed; at first all that is left, or what was sent before a reload. */
function useTypedAmount({ payment, way }: Pick<FieldsProps, 'payment' | 'way'>) {
  const formats = useFormats();
  const { currency } = payment;
  const isSats = way === 'record';
  const typedOf = (amount: number) => (isSats ? String(amount) : typedAmount(amount, currency, formats.locale));
  const written = (amount: number) => (isSats ? formats.sats(amount) : formats.money(amount, currency));
  const formId = useFormId(payment);
  const [typed, setTyped] = useState(() => {
    const sent = keptRequest<Request>(formId);
    return sent === undefined ? undefined : typedOf(sent.amount);
  });
  const whole = useRead('getRefundOptions', { params: { id: payment.id }, query: {} });
  const left = (isSats ? whole.data?.remainingSats : whole.data?.remainingInCents) ?? undefined;
  const read = typed === undefined ? left : isSats ? satsOf(typed) : minorOf(typed, currency);
  const amount = way === 'void' ? payment.amountInCents : read;
  return { typed: typed ?? (left === undefined ? '' : typedOf(left)), setTyped, amount, left, written };
}

const satsOf = (typed: string) => Number(typed.replaceAll(/\D/g, '')) || undefined;

/** What the service says about returning an amount: what will happen, or why it cannot. */
function useJudged({ payment, way }: Pick<FieldsProps, 'payment' | 'way'>, amount: number | undefined) {
  const words = useWords();
  const asked = useSettled(amount);
  const query = asked === undefined ? {} : way === 'record' ? { amount: asked } : { amountInCents: asked };
  const input = { params: { id: payment.id }, query };
  const { data, error, isPlaceholderData } = useRead('getRefundOptions', input, { enabled: asked !== undefined });
  if (amount === undefined) return { issue: words.form.amount, confirmation: undefined, error: null };
  // The sentence of another amount says nothing about this one.
  const current = asked !== amount || isPlaceholderData ? undefined : data;
  return { issue: current?.blocked?.message, confirmation: current?.confirmation ?? undefined, error };
}

/**
 * What was left when the user decided: not what others leave of it while the form is open, so that the service refuses the
 * request then. After that refusal it is what the user was told.
 */
function useSeen(left: number | undefined, problem: NotDone | undefined): number | undefined {
  const [seen, setSeen] = useState<{ readonly left: number; readonly problem: NotDone | undefined }>();
  if (left !== undefined && (seen === undefined || (problem !== undefined && seen.problem !== problem)))
    setSeen({ left, problem });
  return seen?.left;
}

function MoneyFields({ payment, way, state, onSubmit, onClose }: FieldsProps) {
  const text = useTexts(paymentTexts);
  const words = useWords();
  const { typed, setTyped, amount, left, written } = useTypedAmount({ payment, way });
  const { issue, confirmation, error } = useJudged({ payment, way }, amount);
  const isOpen = state.kind === 'open';
  const problem = isOpen ? state.problem : undefined;
  const seen = useSeen(left, problem);
  const isReady = isOpen && confirmation !== undefined && amount !== undefined && seen !== undefined;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const reason = textOf(new FormData(event.currentTarget), 'reason').trim();
    if (isReady) onSubmit({ way, amount, remainingSeen: seen, ...(reason === '' ? {} : { reason }) });
  };
  const buttons = { refund: text.doRefund, void: text.doVoid, record: text.doRecord };
  return (
    <form className="form" onSubmit={submit}>
      {problem === undefined ? null : <NotReturned problem={problem} left={seen} written={written} />}
      {way === 'void' ? null : (
        <AmountField
          label={way === 'record' ? text.sats : text.amount}
          currency={payment.currency}
          value={typed}
          onChange={setTyped}
          disabled={!isOpen}
          hint={left === undefined ? undefined : text.mostLeft(written(left))}
          issue={isOpen ? (issue ?? state.issues.amountInCents ?? state.issues.amount) : undefined}
        />
      )}
      <TextField
        label={text.reason}
        name="reason"
        hint={text.reasonHint}
        maxLength={500}
        disabled={!isOpen}
        issue={isOpen ? state.issues.reason : undefined}
      />
      {state.kind === 'checking' ? (
        <Notice tone="attention" role="status" title={text.waiting}>
          {text.waitingWhy}
        </Notice>
      ) : confirmation !== undefined ? (
        <Notice tone="returned" role="status">
          {confirmation}
        </Notice>
      ) : error !== null ? (
        <Failed error={error} />
      ) : null}
      <div className="form-actions">
        {state.kind === 'sending' ? null : <Button onClick={onClose}>{words.actions.close}</Button>}
        <Button
          kind="money"
          type="submit"
          isBusy={state.kind === 'sending'}
          disabled={!isReady && state.kind !== 'sending'}
        >
          {amount === undefined ? (way === 'void' ? text.void : text.refund) : buttons[way](written(amount))}
        </Button>
      </div>
    </form>
  );
}

type NotReturnedProps = {
  readonly problem: NotDone;
  readonly left: number | undefined;
  readonly written: (amount: number) => string;
};

/** Why nothing was returned. Where others returned money meanwhile, or it was too much, what is left now. */
function NotReturned({ problem, left, written }: NotReturnedProps) {
  const text = useTexts(paymentTexts);
  const words = useWords();
  const remaining = problem.body?.error.metadata?.remaining;
  const isTooMuch = problem.reason === 'refund_exceeds_payment' && typeof remaining === 'number';
  const isChanged = problem.reason === 'remaining_changed' && left !== undefined;
  return (
    <Notice tone="refused" role="alert" title={isChanged ? text.remainingChanged : text.refused}>
      {isChanged
        ? text.remainingChangedWhy(written(left))
        : problem.outcome === 'not_done'
          ? words.form.notSent
          : isTooMuch
            ? text.onlyLeft(written(remaining))
            : problem.message}
    </Notice>
  );
}

function Ended({ refund, onClose }: { readonly refund: RefundRecord; readonly onClose: () => void }) {
  const text = useTexts(paymentTexts);
  const formats = useFormats();
  const amount =
    refund.amountInCents === null
      ? formats.sats(refund.amount ?? 0)
      : formats.money(refund.amountInCents, refund.currency);
  const { ended } = text;
  const isVoid = refund.kind === 'CANCEL';
  const shown = {
    approved: isVoid
      ? (['done', ended.voided(amount), ended.voidedWhy] as const)
      : (['done', ended.approved(amount), ended.approvedWhy] as const),
    recorded: ['done', ended.recorded(amount), ended.recordedWhy],
    declined: ['refused', ended.declined, refund.gatewayMessage ?? ended.declinedWhy],
    failed: ['ended', ended.failed, ended.failedWhy],
    pending: ['attention', text.waiting, text.waitingWhy],
  } as const;
  const [tone, title, why] = shown[refund.status];
  return (
    <MoneyEnded tone={tone} title={title} onClose={onClose}>
      {why}
    </MoneyEnded>
  );
}
