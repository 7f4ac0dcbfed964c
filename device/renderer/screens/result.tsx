import { type ReactNode, useContext } from 'react';
import type { Screen } from '../../ipc/view.ts';
import { useActions } from '../actions.tsx';
import { Amount } from '../components/amount.tsx';
import { Button } from '../components/button.tsx';
import { useEnter } from '../components/enter.ts';
import { Frame, type Tone } from '../components/frame.tsx';
import { AgainIcon, AttentionIcon, CheckIcon, ClockIcon, CrossIcon, ReturnIcon } from '../components/icons.tsx';
import { openEmail, ReceiptEmail } from '../components/receipt-email.tsx';
import { ReceiptCode, ReceiptContext, ReceiptTools, UnlessNotPrinted } from '../components/receipt-tools.tsx';
import { RequestedBy } from '../components/requested-by.tsx';
import { bankFacts, Receipt } from '../components/sale-facts.tsx';
import { HeaderContext, useFormats, useIsOffline } from '../formats.tsx';
import { useText } from '../words/words.ts';
import { IncludedTip } from './tip.tsx';

type Result = Extract<Screen, { name: 'sale_result' | 'return_result' }>;
type Outcome = Result['outcome'];

const outcomeTones: Record<Outcome, Tone> = {
  approved: 'success',
  declined: 'refused',
  refused: 'refused',
  failed: 'attention',
  pending: 'attention',
  cancelled: 'ended',
  timed_out: 'ended',
  withdrawn: 'ended',
};

function toneOf(screen: Result): Tone {
  const { name, outcome } = screen;
  if (outcome === 'approved') return name === 'return_result' ? 'returned' : 'success';
  // In every case money is still to be returned.
  if (name === 'sale_result' && screen.again === 'no') return 'attention';
  return outcomeTones[outcome];
}

function OutcomeIcon({ tone, outcome }: { tone: Tone; outcome: Outcome }): ReactNode {
  return (
    <span className="outcome-icon">
      {outcome === 'pending' || outcome === 'timed_out' ? (
        <ClockIcon />
      ) : tone === 'success' ? (
        <CheckIcon />
      ) : tone === 'returned' ? (
        <ReturnIcon />
      ) : tone === 'attention' ? (
        <AttentionIcon />
      ) : (
        <CrossIcon />
      )}
    </span>
  );
}

type Money = { readonly amountMinor: number; readonly currency: string };

/** The sale that can be charged again from here, if the result suggests or allows it. */
function againOf(screen: Result, { amountMinor }: Money) {
  // A sale started over the API is repeated by its software, which would not see a sale keyed in here.
  if (screen.name !== 'sale_result' || screen.again === 'no' || screen.requestedBy !== null) return null;
  const { tipMinor = 0 } = screen;
  const noted = screen.reference === null ? {} : { reference: screen.reference };
  const keyedIn = { amountMinor: amountMinor - tipMinor, ...noted };
  // The customer has chosen a tip or none, and is not asked again.
  const byCard = { name: 'start_sale', ...keyedIn, tipMinor } as const;
  const action = screen.rail === 'bitcoin' ? ({ name: 'start_bitcoin_sale', ...keyedIn } as const) : byCard;
  return { action, isMain: screen.again === 'suggested' };
}

function AgainButton(props: { again: NonNullable<ReturnType<typeof againOf>>; amount: Money }) {
  const text = useText();
  const { again, amount } = props;
  const { send } = useActions();
  const formats = useFormats();
  const isOffline = useIsOffline();
  return (
    <Button
      look={again.isMain ? 'primary' : 'plain'}
      wide
      icon={<AgainIcon />}
      reason={isOffline ? text.offline.title : undefined}
      onPress={() => void send(again.action)}
    >
      {text.tryAgain(formats.amount(amount.amountMinor, amount.currency))}
    </Button>
  );
}

/** The next actions, each always in the same place: New sale is last, also where another one is suggested. */
function ResultActions({ screen, amount }: { screen: Result; amount: Money }) {
  const text = useText();
  const { send } = useActions();
  const isKiosk = useContext(HeaderContext).mode === 'kiosk';
  const { name, outcome, sale } = screen;
  const again = againOf(screen, amount);
  const { requestedBy } = name === 'sale_result' ? screen : screen.returning;
  const isNothingTaken = name === 'sale_result' && screen.again !== 'no';
  // Too late to void: a refund is one tap away.
  const isLateVoid = name === 'return_result' && outcome === 'refused' && screen.returning.kind === 'CANCEL';
  const mayRefund = isLateVoid && requestedBy === null && !isKiosk;
  const refundable = mayRefund && sale?.action === 'refund' ? sale : null;
  return (
    <>
      {sale === null || isNothingTaken || isKiosk ? null : (
        <Button onPress={() => void send({ name: 'show_sale', saleId: sale.saleId })}>{text.viewSale}</Button>
      )}
      {again === null ? null : <AgainButton again={again} amount={amount} />}
      {refundable === null ? null : (
        <Button look="return" onPress={() => void send({ name: 'return_money', saleId: refundable.saleId })}>
          {text.refundInstead}
        </Button>
      )}
      <Button look={again?.isMain ? 'plain' : 'primary'} onPress={() => void send({ name: 'show_keypad' })}>
        {isKiosk || requestedBy !== null ? text.done : text.newSale}
      </Button>
    </>
  );
}

/** The outcome of taking or returning money: what happened, its meaning, the receipt and the next actions. */
export function ResultFrame(props: { screen: Result; label: string; amount: Money }) {
  const { screen, label, amount } = props;
  const text = useText();
  const { send } = useActions();
  const { name, outcome, notice, sale, receipt: lines } = screen;
  const receipt = useContext(ReceiptContext);
  const email = openEmail(receipt);
  const tone = toneOf(screen);
  const { requestedBy, tipMinor } = screen.name === 'sale_result' ? screen : { requestedBy: null, tipMinor: 0 };
  const again = againOf(screen, amount);
  const isOffline = useIsOffline();
  useEnter(() => {
    if (email !== null) return;
    if (receipt?.isCodeShown) void send({ name: 'hide_receipt_code' });
    else if (!again?.isMain) void send({ name: 'show_keypad' });
    else if (!isOffline) void send(again.action);
  });
  const whichSale = (
    <>
      <p className="summary-label">{label}</p>
      <p className="summary-amount">
        <Amount {...amount} />
      </p>
    </>
  );
  if (email !== null) return <ReceiptEmail email={email} tone={tone} summary={whichSale} />;
  if (receipt?.isCodeShown)
    return <ReceiptCode receipt={receipt} tone={tone} summary={whichSale} scan={text.scanReceipt} close={text.close} />;
  return (
    <Frame
      name={name}
      tone={tone}
      summary={
        <>
          <p className="summary-label">{label}</p>
          <OutcomeIcon tone={tone} outcome={outcome} />
          <h1 className="summary-title" tabIndex={-1}>
            {notice.message}
          </h1>
          <p className="summary-amount">
            <Amount {...amount} />
          </p>
          <IncludedTip tipMinor={tipMinor} currency={amount.currency} words={text.tip.included} />
          <RequestedBy requestedBy={requestedBy} />
          <ReceiptTools />
        </>
      }
      actions={<ResultActions screen={screen} amount={amount} />}
    >
      <div className="outcome">
        {notice.detail === null ? null : <OutcomeText detail={notice.detail} />}
        <UnlessNotPrinted>
          {lines.length === 0 ? (
            <OutcomeFacts sale={sale} />
          ) : (
            <Receipt lines={lines} title={text.receipt} scan={text.scanReceipt} />
          )}
        </UnlessNotPrinted>
      </div>
    </Frame>
  );
}

/** Its meaning, the first sentence emphasised. */
export function OutcomeText({ detail }: { detail: string }) {
  const [first, ...rest] = detail.split(/(?<=[.!?]) (?=[\p{Lu}\p{Sc}])/u);
  return (
    <div className="outcome-text">
      <p className="outcome-text-first">{first}</p>
      {rest.length === 0 ? null : <p>{rest.join(' ')}</p>}
    </div>
  );
}

/** Without a receipt: facts for support or the customer. */
function OutcomeFacts({ sale }: { sale: Result['sale'] }) {
  const text = useText();
  if (sale === null) return null;
  const facts = [{ label: text.saleDetail.invoice, value: sale.invoiceNumber }, ...bankFacts(sale, text.saleDetail)];
  return (
    <dl className="facts">
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
