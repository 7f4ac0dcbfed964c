import type { SaleRecord, SaleReturn } from '@florin/shared/contracts/device-v1/sales.ts';
import { type ReactNode, useContext, useState } from 'react';
import { Button as PressButton } from 'react-aria-components/Button';
import { useActions } from '../actions.tsx';
import { Amount } from '../components/amount.tsx';
import { Button } from '../components/button.tsx';
import { Frame } from '../components/frame.tsx';
import { ForwardIcon, InfoIcon, ListIcon } from '../components/icons.tsx';
import { Notice } from '../components/notice.tsx';
import { ReceiptCode, ReceiptContext, ReceiptTools, UnlessNotPrinted } from '../components/receipt-tools.tsx';
import { bankFacts, CardName, Receipt, StatusChip, takenAt } from '../components/sale-facts.tsx';
import { type Formats, useFormats, useIsOffline } from '../formats.tsx';
import type { StaffText } from '../words/en.ts';
import { useText } from '../words/words.ts';
import type { ScreenProps } from './props.ts';

function byDay(
  sales: readonly SaleRecord[],
  formats: Formats,
  text: StaffText,
): { day: string; sales: SaleRecord[] }[] {
  const days: { day: string; sales: SaleRecord[] }[] = [];
  for (const sale of sales) {
    const at = takenAt(sale);
    const day = formats.isToday(at) ? text.recentSales.today : formats.day(at);
    const last = days.at(-1);
    if (last?.day === day) last.sales.push(sale);
    else days.push({ day, sales: [sale] });
  }
  return days;
}

/** The amounts returned and refundable. */
function rowFacts(sale: SaleRecord, formats: Formats, text: StaffText): string[] {
  const words = text.recentSales;
  const money = (amountMinor: number) => formats.amount(amountMinor, sale.currency);
  const isPart = sale.refundedInCents > 0 && sale.remainingInCents > 0;
  const last = sale.returns.findLast(({ status }) => status === 'approved');
  return [
    isPart ? words.refunded(money(sale.refundedInCents)) : null,
    last ? returnedBy(last, sale, { formats, text }) : null,
    sale.pendingInCents > 0 ? words.refundPending(money(sale.pendingInCents)) : null,
    words.action[sale.action],
  ].filter(fact => fact !== null);
}

/** "by Amara Okafor, 14:35"; with the date if it was not today. Nobody requests the return of a reversed sale. */
function returnedBy(
  { staffName, source, createdAt }: SaleReturn,
  { reversal }: SaleRecord,
  { formats, text }: { formats: Formats; text: StaffText },
): string {
  const at = Date.parse(createdAt);
  const when = formats.isToday(at) ? formats.time(at) : formats.moment(at);
  const words = text.returnedBy;
  const by = staffName !== null ? words.staff(staffName) : reversal ? words.reversal : words[source];
  return `${by}, ${when}`;
}

function SaleRow({ sale, onPress }: { sale: SaleRecord; onPress: () => void }) {
  const text = useText();
  const formats = useFormats();
  return (
    <li>
      <PressButton className="row" onPress={onPress}>
        <span className="row-time">{formats.time(takenAt(sale))}</span>
        <span className="row-what">
          <span className="row-card">
            <CardName sale={sale} />
          </span>
          <span className="row-facts">
            {[sale.invoiceNumber, ...rowFacts(sale, formats, text)].map(fact => (
              <span key={fact}>{fact}</span>
            ))}
          </span>
        </span>
        <StatusChip status={sale.status} />
        <span className="row-amount">{formats.amount(sale.amountInCents, sale.currency)}</span>
        <ForwardIcon />
      </PressButton>
    </li>
  );
}

/** Sales by day, the newest first; staff open one, or load earlier ones. */
export function RecentSalesScreen({ screen }: ScreenProps<'recent_sales'>) {
  const text = useText();
  const { send } = useActions();
  const formats = useFormats();
  const { sales, busy, moreAvailable } = screen;
  return (
    <Frame
      name="recent_sales"
      onBack={() => void send({ name: 'back' })}
      {...(moreAvailable
        ? {
            actions: (
              <Button busy={busy} onPress={() => void send({ name: 'load_more_sales' })}>
                {busy ? text.recentSales.loading : text.recentSales.more}
              </Button>
            ),
          }
        : {})}
    >
      <h1 className="work-title" tabIndex={-1}>
        {text.recentSales.title}
      </h1>
      <Notice notice={screen.notice} />
      {byDay(sales, formats, text).map(({ day, sales: ofDay }) => (
        <section key={day} className="day">
          <h2>{day}</h2>
          <ul className="rows">
            {ofDay.map(sale => (
              <SaleRow
                key={sale.saleId}
                sale={sale}
                onPress={() => void send({ name: 'show_sale', saleId: sale.saleId })}
              />
            ))}
          </ul>
        </section>
      ))}
      {busy && !moreAvailable ? (
        <p className="empty" role="status">
          <span className="spinner spinner-large" aria-hidden="true" />
          {text.recentSales.loading}
        </p>
      ) : null}
      {!busy && sales.length === 0 && screen.notice === null ? (
        <div className="empty">
          <ListIcon />
          <strong>{text.recentSales.empty}</strong>
          <span>{text.recentSales.emptyDetail}</span>
        </div>
      ) : null}
    </Frame>
  );
}

function whyNothing(sale: SaleRecord, formats: Formats, text: StaffText): string {
  const words = text.saleDetail.nothing;
  if (sale.bitcoin !== null) return words.bitcoin;
  if (sale.pendingInCents > 0) return words.refundPending;
  switch (sale.blocked?.reason) {
    case 'payment_settling': {
      const { retryAfter } = sale.blocked;
      if (retryAfter === null) return words.settling;
      const at = Date.parse(retryAfter);
      return at < formats.now() + 60_000 ? words.settlingSoon : words.settlingUntil(formats.time(at));
    }
    case 'settlement_rejected':
      return words.settlementRejected;
    case 'refund_in_progress':
      return words.refundPending;
    case undefined:
  }
  switch (sale.status) {
    case 'pending':
    case 'declined':
    case 'failed':
    case 'cancelled':
    case 'refunded':
      return words[sale.status];
    case 'unsettled':
    case 'settled':
    case 'settlement_rejected':
    case 'partly_refunded':
      return words.other;
  }
}

function factsOf(sale: SaleRecord, formats: Formats, text: StaffText) {
  const words = text.saleDetail;
  const money = (amountMinor: number) => formats.amount(amountMinor, sale.currency);
  const facts: { label: string; value: ReactNode }[] = [
    { label: words.takenAt, value: formats.moment(takenAt(sale)) },
    { label: sale.method === 'card' ? words.card : words.paidWith, value: <CardName sale={sale} /> },
  ];
  if (sale.bitcoin !== null) facts.push({ label: words.bitcoin, value: formats.sats(sale.bitcoin.amountSats) });
  if (sale.entryMode !== null) {
    facts.push({ label: words.entryMode, value: text.entryModes[sale.entryMode] ?? sale.entryMode });
  }
  if (sale.authorisationCode !== null) facts.push({ label: words.authorisationCode, value: sale.authorisationCode });
  facts.push(...bankFacts(sale, words));
  facts.push(...returnFacts(sale, formats, text));
  if (sale.remainingInCents > 0 && sale.remainingInCents < sale.amountInCents) {
    facts.push({ label: words.remaining, value: money(sale.remainingInCents) });
  }
  return facts;
}

const maxReturnsShown = 2;

/** The latest returns with staff and time, and the total of the others. */
function returnFacts(sale: SaleRecord, formats: Formats, text: StaffText): { label: string; value: ReactNode }[] {
  const words = text.saleDetail;
  const money = (amountMinor: number) => formats.amount(amountMinor, sale.currency);
  const earlier = sale.returns.slice(0, -maxReturnsShown);
  const earlierMinor = earlier.reduce((sum, { amountInCents }) => sum + amountInCents, 0);
  const shown = sale.returns.slice(-maxReturnsShown).map(one => {
    const isPending = one.status === 'pending';
    const by = returnedBy(one, sale, { formats, text });
    if (one.kind === 'CANCEL') return { label: isPending ? words.voidPending : words.voided, value: by };
    return { label: isPending ? words.pending : words.refunded, value: `${money(one.amountInCents)} ${by}` };
  });
  return earlier.length === 0 ? shown : [{ label: words.earlier, value: money(earlierMinor) }, ...shown];
}

/** One sale with its returns and its receipt. Staff start a void or refund here, which requires a connection. */
export function SaleDetailScreen({ screen }: ScreenProps<'sale_detail'>) {
  const text = useText();
  const { send } = useActions();
  const formats = useFormats();
  const { sale, receipt } = screen;
  const [receiptOf, setReceiptOf] = useState('');
  const showsReceipt = receiptOf === sale.saleId;
  const isOffline = useIsOffline();
  const returnMoney = () => void send({ name: 'return_money', saleId: sale.saleId });
  const hint =
    sale.action === 'void'
      ? text.saleDetail.voidHint
      : sale.action === 'refund'
        ? text.saleDetail.refundHint(formats.amount(sale.remainingInCents, sale.currency))
        : whyNothing(sale, formats, text);
  const shownReceipt = useContext(ReceiptContext);
  const amount = <Amount amountMinor={sale.amountInCents} currency={sale.currency} />;
  if (shownReceipt?.isCodeShown)
    return (
      <ReceiptCode
        receipt={shownReceipt}
        tone="neutral"
        summary={<p className="summary-amount">{amount}</p>}
        scan={text.scanReceipt}
        close={text.close}
      />
    );
  return (
    <Frame
      name="sale_detail"
      summary={
        <>
          <h1 className="summary-label" tabIndex={-1}>
            {text.saleDetail.title} {sale.invoiceNumber}
          </h1>
          <p className="summary-amount">{amount}</p>
          <p className="summary-chip">
            <StatusChip status={sale.status} />
          </p>
          {showsReceipt ? <ReceiptTools /> : null}
        </>
      }
      onBack={() => void send({ name: 'back' })}
      {...(sale.action === 'none' && receipt.length === 0
        ? {}
        : {
            actions: (
              <>
                {receipt.length === 0 ? null : (
                  <Button onPress={() => setReceiptOf(showsReceipt ? '' : sale.saleId)}>
                    {showsReceipt ? text.showDetails : text.showReceipt}
                  </Button>
                )}
                {sale.action === 'none' ? null : (
                  <Button look="return" reason={isOffline ? text.offline.noReturns : undefined} onPress={returnMoney}>
                    {sale.action === 'void' ? text.saleDetail.void : text.saleDetail.refund}
                  </Button>
                )}
              </>
            ),
          })}
    >
      {showsReceipt && receipt.length > 0 ? (
        <UnlessNotPrinted>
          <Receipt lines={receipt} title={text.receiptCopy} scan={text.scanReceipt} />
        </UnlessNotPrinted>
      ) : (
        <SaleFacts screen={screen} hint={hint} />
      )}
    </Frame>
  );
}

function SaleFacts({ screen, hint }: ScreenProps<'sale_detail'> & { hint: string }) {
  const text = useText();
  const formats = useFormats();
  const { sale } = screen;
  return (
    <>
      <Notice notice={screen.notice} />
      <dl className="facts">
        {factsOf(sale, formats, text).map(fact => (
          <div key={`${fact.label} ${typeof fact.value === 'string' ? fact.value : ''}`}>
            <dt>{fact.label}</dt>
            <dd>{fact.value}</dd>
          </div>
        ))}
      </dl>
      {/* What is left to return is among the facts once something was returned. */}
      {screen.notice === null && !(sale.action === 'refund' && sale.returns.length > 0) ? (
        <p className="hint">
          <InfoIcon />
          {hint}
        </p>
      ) : null}
    </>
  );
}
