import { takenBack } from '@florin/shared/amounts.ts';
import type { SaleRecord, SaleReturn } from '@florin/shared/contracts/device-v1/sales.ts';
import type { SearchTerm } from '@florin/shared/contracts/payment-search.ts';
import { type ReactNode, useContext, useState } from 'react';
import { Button as PressButton } from 'react-aria-components/Button';
import type { ListedSale, Screen, UnchargedSale } from '../../ipc/view.ts';
import { useActions } from '../actions.tsx';
import { Amount } from '../components/amount.tsx';
import { Button } from '../components/button.tsx';
import { Frame } from '../components/frame.tsx';
import { ForwardIcon, InfoIcon, ListIcon, SearchIcon } from '../components/icons.tsx';
import { Notice } from '../components/notice.tsx';
import { openEmail, ReceiptEmail } from '../components/receipt-email.tsx';
import {
  ReceiptCode,
  ReceiptContext,
  ReceiptTools,
  UnlessNotPrinted,
  useLaterReceiptTitle,
} from '../components/receipt-tools.tsx';
import { bankFacts, CardName, EndedChip, Facts, Receipt, StatusChip, takenAt } from '../components/sale-facts.tsx';
import { type Formats, useFormats, useIsOffline } from '../formats.tsx';
import type { StaffText } from '../words/en.ts';
import { useText } from '../words/words.ts';
import type { ScreenProps } from './props.ts';
import { ReceiptList, returnedBy, returnName } from './receipts-of-sale.tsx';

function byDay(
  sales: readonly ListedSale[],
  formats: Formats,
  text: StaffText,
): { day: string; sales: ListedSale[] }[] {
  const days: { day: string; sales: ListedSale[] }[] = [];
  for (const sale of sales) {
    const at = sale.kind === 'uncharged' ? sale.startedAt : takenAt(sale);
    const day = formats.isToday(at) ? text.recentSales.today : formats.day(at);
    const last = days.at(-1);
    if (last?.day === day) last.sales.push(sale);
    else days.push({ day, sales: [sale] });
  }
  return days;
}

const tookNothing: ReadonlySet<SaleRecord['status']> = new Set(['declined', 'failed', 'settlement_rejected']);

/** The amounts returned and refundable, or that nothing was taken. */
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
    tookNothing.has(sale.status) ? words.nothingTaken : null,
  ].filter(fact => fact !== null);
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
            {[sale.invoiceNumber, ...(sale.reference ? [sale.reference] : []), ...rowFacts(sale, formats, text)].map(
              fact => (
                <span key={fact}>{fact}</span>
              ),
            )}
          </span>
        </span>
        <StatusChip status={sale.status} />
        <span className="row-amount">{formats.amount(sale.amountInCents, sale.currency)}</span>
        <ForwardIcon />
      </PressButton>
    </li>
  );
}

/** Of a sale that only this terminal knows. */
function UnchargedRow({ sale, onPress }: { sale: UnchargedSale; onPress: () => void }) {
  const text = useText();
  const formats = useFormats();
  return (
    <li>
      <PressButton className="row" onPress={onPress}>
        <span className="row-time">{formats.time(sale.startedAt)}</span>
        <span className="row-what">
          <span className="row-card">{text.recentSales.notCharged}</span>
          {sale.reference === null ? null : <span className="row-facts">{sale.reference}</span>}
        </span>
        <EndedChip outcome={sale.outcome} />
        <span className="row-amount">{formats.amount(sale.amountMinor, sale.currency)}</span>
        <ForwardIcon />
      </PressButton>
    </li>
  );
}

/** Sales by day, the newest first, all or those that a search found; staff open one, or load earlier ones. */
export function RecentSalesScreen({ screen }: ScreenProps<'recent_sales'>) {
  const { send } = useActions();
  const text = useText();
  const formats = useFormats();
  const { sales, busy, moreAvailable, search } = screen;
  const find = search === null ? text.recentSales.find : text.findSale.again;
  return (
    <Frame
      name="recent_sales"
      onBack={() => void send({ name: 'back' })}
      actions={
        <>
          <Button icon={<SearchIcon />} onPress={() => void send({ name: 'show_find_sale' })}>
            {find}
          </Button>
          {search === null ? (
            <Button onPress={() => void send({ name: 'show_day_report', scope: 'terminal' })}>
              {text.recentSales.dayReport}
            </Button>
          ) : null}
        </>
      }
    >
      <h1 className="work-title" tabIndex={-1}>
        {search === null ? text.recentSales.title : text.findSale.title}
      </h1>
      {search === null || sales.length === 0 ? null : <p className="searched">{searchedFor(search, formats, text)}</p>}
      <ListNotice notice={screen.notice} />
      {byDay(sales, formats, text).map(({ day, sales: ofDay }) => (
        <section key={day} className="day">
          <h2>{day}</h2>
          <ul className="rows">
            {ofDay.map(sale => {
              const open = () => void send({ name: 'show_sale', saleId: sale.saleId });
              return sale.kind === 'uncharged' ? (
                <UnchargedRow key={sale.saleId} sale={sale} onPress={open} />
              ) : (
                <SaleRow key={sale.saleId} sale={sale} onPress={open} />
              );
            })}
          </ul>
        </section>
      ))}
      {busy && !moreAvailable ? (
        <p className="empty" role="status">
          <span className="spinner spinner-large" aria-hidden="true" />
          {search === null ? text.recentSales.loading : text.findSale.searching}
        </p>
      ) : null}
      {!busy && sales.length === 0 && screen.notice === null ? <NoSales screen={screen} /> : null}
      {moreAvailable ? (
        <div className="more">
          <Button busy={busy} onPress={() => void send({ name: 'load_more_sales' })}>
            {busy ? text.recentSales.loading : text.recentSales.more}
          </Button>
        </div>
      ) : null}
    </Frame>
  );
}

/** Why the list is not of now. Offline, the banner already says that the service is not reached. */
function ListNotice({ notice }: Pick<ScreenProps<'recent_sales'>['screen'], 'notice'>) {
  const isOffline = useIsOffline();
  if (!isOffline || notice === null || notice.detail === null) return <Notice notice={notice} />;
  return (
    <p className="hint">
      <InfoIcon />
      <span>{notice.detail}</span>
    </p>
  );
}

type Search = NonNullable<Extract<Screen, { name: 'recent_sales' }>['search']>;

/** "Searched for: amount £1,250.00 / £12.50 · invoice INV-001250" */
function searchedFor({ text: typed, terms }: Search, formats: Formats, text: StaffText): string {
  const words = text.findSale;
  // The references are looked for whatever was typed.
  const told = (terms ?? []).filter(({ field }) => field !== 'gateway_reference');
  const all = [...new Set(told.map(({ field }) => field))].map(field => {
    const values = told.filter(term => term.field === field).map(({ value }) => written(field, value, formats));
    return words.fields[field](values.join(' / '));
  });
  return words.searchedFor(all.length === 0 ? typed : all.join('\u00a0· '));
}

function written(field: SearchTerm['field'], value: string, formats: Formats): string {
  if (field === 'amount') return formats.decimal(value);
  return field === 'day' ? formats.date(value) : value;
}

function NoSales({ screen: { search, moreAvailable } }: ScreenProps<'recent_sales'>) {
  const text = useText();
  const formats = useFormats();
  const { recentSales, findSale } = text;
  const isReceipt = search?.terms?.some(({ field }) => field === 'receipt') === true;
  const [title, detail, hint] =
    search === null
      ? [recentSales.empty, recentSales.emptyDetail]
      : moreAvailable
        ? [findSale.nothingYet, findSale.nothingYetDetail]
        : isReceipt
          ? [findSale.noReceipt, findSale.noReceiptDetail]
          : [findSale.nothing, searchedFor(search, formats, text), findSale.nothingHint];
  return (
    <div className="empty" role="status">
      {search === null ? <ListIcon /> : <SearchIcon />}
      <strong>{title}</strong>
      <span>{detail}</span>
      {hint === undefined ? null : <span>{hint}</span>}
    </div>
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
  const facts: { label: string; value: ReactNode }[] = [
    { label: words.takenAt, value: formats.moment(takenAt(sale)) },
    { label: sale.method === 'card' ? words.card : words.paidWith, value: <CardName sale={sale} /> },
  ];
  if (sale.tipInCents > 0) facts.push({ label: text.tip.label, value: formats.amount(sale.tipInCents, sale.currency) });
  if (sale.reference !== null) facts.push({ label: words.reference, value: sale.reference });
  if (sale.bitcoin !== null) facts.push({ label: words.bitcoin, value: formats.sats(sale.bitcoin.amountSats) });
  if (sale.entryMode !== null) {
    facts.push({ label: words.entryMode, value: text.entryModes[sale.entryMode] ?? sale.entryMode });
  }
  if (sale.authorisationCode !== null) facts.push({ label: words.authorisationCode, value: sale.authorisationCode });
  facts.push(...bankFacts(sale, words));
  facts.push(...returnFacts(latestReturns(sale), sale, { formats, text }));
  return facts;
}

const maxReturnsShown = 2;

/** All voids and refunds if there is room for them, otherwise the last. */
function latestReturns({ returns }: SaleRecord): readonly SaleReturn[] {
  return returns.length > maxReturnsShown ? returns.slice(-1) : returns;
}

/** Each void or refund with its amount, who made it and when. */
function returnFacts(
  returns: readonly SaleReturn[],
  sale: SaleRecord,
  { formats, text }: { formats: Formats; text: StaffText },
) {
  return returns.map(one => ({
    label: returnName(one, text),
    value: `${takenBack(formats.amount(one.amountInCents, sale.currency))} ${returnedBy(one, sale, { formats, text })}`,
  }));
}

/** What can be done with the money of a sale, and what that means or why nothing can. */
function whatCanBeDone(sale: SaleRecord, formats: Formats, text: StaffText): { title: string; detail: string | null } {
  const words = text.saleDetail;
  switch (sale.action) {
    case 'void':
      return { title: words.canBeVoided, detail: words.voidHint };
    case 'refund':
      return { title: words.canBeRefunded(formats.amount(sale.remainingInCents, sale.currency)), detail: null };
    case 'none':
      return { title: whyNothing(sale, formats, text), detail: null };
  }
}

type Shown = 'details' | 'receipt' | 'list';

/** What else of the sale is one press away, where Back does not lead there. */
function elsewhereOf(
  { shown, hasReceipt, isListed }: { shown: Shown; hasReceipt: boolean; isListed: boolean },
  text: StaffText,
): { to: Shown; label: string } | null {
  if (shown === 'details' && isListed) return { to: 'list', label: text.showReceipts };
  if (shown === 'details' && hasReceipt) return { to: 'receipt', label: text.showReceipt };
  return shown === 'receipt' && isListed ? { to: 'details', label: text.showDetails } : null;
}

/** One sale with its returns and its receipt. Staff start a void or refund here, which requires a connection. */
export function SaleDetailScreen({ screen }: ScreenProps<'sale_detail'>) {
  const { send } = useActions();
  const text = useText();
  const { sale, receipt } = screen;
  // Of this sale only: another one begins with its details.
  const [chosen, setChosen] = useState<{ saleId: string; shown: Shown }>({
    saleId: sale.saleId,
    shown: screen.opensReceipts ? 'list' : 'details',
  });
  const shown = chosen.saleId === sale.saleId ? chosen.shown : 'details';
  const show = (next: Shown) => setChosen({ saleId: sale.saleId, shown: next });
  const hasReceipt = receipt.length > 0;
  const isListed = sale.returns.some(one => one.receipt !== null);
  // Back leads to what this was opened from, one step at a time.
  const opener = shown === 'receipt' && isListed ? 'list' : 'details';
  const back = () => (shown === 'details' ? void send({ name: 'back' }) : show(opener));
  const elsewhere = elsewhereOf({ shown, hasReceipt, isListed }, text);
  const isOffline = useIsOffline();
  const returnMoney = () => void send({ name: 'return_money', saleId: sale.saleId });
  const shownReceipt = useContext(ReceiptContext);
  const amount = <Amount amountMinor={sale.amountInCents} currency={sale.currency} />;
  const amountAlone = <p className="summary-amount">{amount}</p>;
  const email = openEmail(shownReceipt);
  if (email !== null) return <ReceiptEmail email={email} tone="neutral" summary={amountAlone} />;
  if (shownReceipt?.isCodeShown)
    return (
      <ReceiptCode
        receipt={shownReceipt}
        tone="neutral"
        summary={amountAlone}
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
          {shown === 'receipt' ? <ReceiptTools /> : null}
        </>
      }
      onBack={back}
      {...(sale.action === 'none' && elsewhere === null
        ? {}
        : {
            actions: (
              <>
                {elsewhere === null ? null : <Button onPress={() => show(elsewhere.to)}>{elsewhere.label}</Button>}
                {sale.action === 'none' ? null : (
                  <Button look="return" reason={isOffline ? text.offline.noReturns : undefined} onPress={returnMoney}>
                    {sale.action === 'void' ? text.saleDetail.void : text.saleDetail.refund}
                  </Button>
                )}
              </>
            ),
          })}
    >
      <DetailContent screen={screen} shown={shown} show={show} />
    </Frame>
  );
}

function DetailContent(props: ScreenProps<'sale_detail'> & { shown: Shown; show: (next: Shown) => void }) {
  const { screen, shown, show } = props;
  const text = useText();
  const title = useLaterReceiptTitle();
  const { sale, receipt } = screen;
  if (shown === 'receipt' && receipt.length > 0)
    return (
      <UnlessNotPrinted>
        <Receipt lines={receipt} title={title} scan={text.scanReceipt} />
      </UnlessNotPrinted>
    );
  if (shown === 'list')
    return <ReceiptList sale={sale} onShowOfSale={receipt.length === 0 ? undefined : () => show('receipt')} />;
  return <SaleFacts screen={screen} onShowReturns={() => show('list')} />;
}

function SaleFacts({ screen, onShowReturns }: ScreenProps<'sale_detail'> & { onShowReturns: () => void }) {
  const text = useText();
  const formats = useFormats();
  const { sale } = screen;
  const isOffline = useIsOffline();
  const { title, detail } = whatCanBeDone(sale, formats, text);
  // Offline nothing can be given back, as the button says.
  const saysWhatCanBeDone = screen.notice === null && (sale.action === 'none' || !isOffline);
  const { returns, currency } = sale;
  const returnedMinor = returns.reduce((sum, { amountInCents }) => sum + amountInCents, 0);
  return (
    <>
      <Notice notice={screen.notice} />
      {saysWhatCanBeDone ? (
        <p className="hint">
          <InfoIcon />
          <span>
            <strong className="hint-title">{title}</strong> {detail}
          </span>
        </p>
      ) : null}
      <Facts facts={factsOf(sale, formats, text)} />
      {returns.length > maxReturnsShown ? (
        <Button onPress={onShowReturns}>
          {text.saleDetail.all(returns.length, formats.amount(returnedMinor, currency))}
        </Button>
      ) : null}
    </>
  );
}
