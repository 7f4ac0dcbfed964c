import { cardNameOf } from '@florin/shared/card-schemes.ts';
import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { type ReactNode, useContext } from 'react';
import type { Authorised, Returning, UnchargedSale } from '../../ipc/view.ts';
import { countdown, useFormats } from '../formats.tsx';
import { useNow } from '../platform/time.ts';
import type { StaffText } from '../words/en.ts';
import { useText } from '../words/words.ts';
import { Amount } from './amount.tsx';
import { ClockIcon } from './icons.tsx';
import { QrCode } from './qr-code.tsx';
import { ReceiptContext } from './receipt-tools.tsx';
import { RequestedBy } from './requested-by.tsx';

const chipTones: Record<SaleRecord['status'], 'success' | 'attention' | 'refused' | 'ended'> = {
  pending: 'attention',
  declined: 'refused',
  failed: 'ended',
  unsettled: 'success',
  settled: 'success',
  cancelled: 'ended',
  settlement_rejected: 'refused',
  partly_refunded: 'attention',
  refunded: 'ended',
};

/** The status of a sale as a coloured label. */
export function StatusChip({ status }: { status: SaleRecord['status'] }) {
  const text = useText();
  return (
    <span className="chip" data-tone={chipTones[status]}>
      {text.status[status]}
    </span>
  );
}

/** How a sale ended that asked for no money. */
export function EndedChip({ outcome }: Pick<UnchargedSale, 'outcome'>) {
  return (
    <span className="chip" data-tone="ended">
      {useText().recentSales.ended[outcome]}
    </span>
  );
}

/** What is known of a sale, line by line. */
export function Facts({ facts }: { facts: readonly { label: string; value: ReactNode }[] }) {
  return (
    <dl className="facts">
      {facts.map((fact, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two refunds may be equal, and have no state
        <div key={index}>
          <dt>{fact.label}</dt>
          <dd>{fact.value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** "Visa •••• 4242", the method if it was not a card, or a text where no card was read. */
export function CardName({ sale }: { sale: SaleRecord }) {
  const text = useText();
  if (sale.method !== 'card') return text.recentSales.paidWith[sale.method];
  const scheme = sale.cardScheme === null ? null : cardNameOf(sale.cardScheme);
  if (sale.cardLastFour === null) {
    // The bank names no card when it declines; a card that was read must not be shown as unread.
    const nameless = sale.entryMode === null ? undefined : text.unnamedCards[sale.entryMode];
    return scheme ?? nameless ?? text.recentSales.noCard;
  }
  return (
    <>
      {scheme === null ? null : `${scheme} `}
      <span aria-hidden="true">{text.maskedCard(sale.cardLastFour)}</span>
      <span className="visually-hidden">{text.maskedCardSpoken(sale.cardLastFour)}</span>
    </>
  );
}

/** When the sale was taken, or created if it was not taken, in milliseconds since 1970. */
export function takenAt(sale: SaleRecord): number {
  return Date.parse(sale.takenAt ?? sale.createdAt);
}

/** The bank's answer, or why it was not called; nothing for a plain approval. */
export function bankFacts(
  { status, declineMessage }: SaleRecord,
  { failureMessage: reason, declineMessage: answer }: StaffText['saleDetail'],
): { label: string; value: string }[] {
  if (declineMessage === null) return [];
  return [{ label: status === 'failed' ? reason : answer, value: declineMessage }];
}

/** In the smallest unit of the sale's currency; without an amount of its own a void or refund is of the whole sale. */
export function returnedAmountMinor(returning: Returning): number {
  return returning.amountMinor ?? returning.sale.amountInCents;
}

/** A change of mode moves no money, so its tone is neutral. */
export function summaryTone(authorised: Authorised): 'return' | 'neutral' {
  return 'sale' in authorised ? 'return' : 'neutral';
}

/** The operation that a staff member is about to authorise. */
export function AuthorisedSummary({ authorised, brief = false }: { authorised: Authorised; brief?: boolean }) {
  const text = useText();
  if ('sale' in authorised) return <ReturnSummary returning={authorised} brief={brief} />;
  const { title, detail } = text.modeChange[authorised.kind];
  return (
    <>
      <p className="summary-title">{title}</p>
      <p className="summary-note">{detail}</p>
    </>
  );
}

/** How long a request over the API waits for a staff member. */
function CancelsItself({ at }: { at: Instant }) {
  const text = useText();
  const leftMs = at - useNow(1000);
  return (
    <p className="cancels-itself" role="timer">
      <ClockIcon />
      {text.cancelsItself(countdown(Math.max(0, leftMs)))}
    </p>
  );
}

/** How much is returned, and of which sale. */
export function ReturnedSale({ returning }: { returning: Returning }) {
  const text = useText();
  const formats = useFormats();
  const { sale, kind } = returning;
  return (
    <>
      <p className="summary-amount">
        <Amount amountMinor={returnedAmountMinor(returning)} currency={sale.currency} />
      </p>
      <p className="summary-note summary-parts">
        <span>
          {text.refundAmount.sale(sale.invoiceNumber)}
          {kind === 'REFUND_SALE' && returning.amountMinor !== sale.amountInCents
            ? ` · ${formats.amount(sale.amountInCents, sale.currency)}`
            : ''}
        </span>
        <span>
          <CardName sale={sale} />
        </span>
      </p>
    </>
  );
}

/**
 * The summary of every step of a void or refund: its amount and sale. `brief` leaves room for a keyboard: it names the
 * software only if the request does not cancel itself.
 */
export function ReturnSummary({ returning, brief = false }: { returning: Returning; brief?: boolean }) {
  const text = useText();
  const { sale, kind, cancelsAt } = returning;
  return (
    <>
      <p className="summary-label">
        {text.returning[kind]}
        <span className="summary-sale">
          {' · '}
          {sale.invoiceNumber}
          {' · '}
          <CardName sale={sale} />
        </span>
      </p>
      <ReturnedSale returning={returning} />
      {returning.approvesFor === null ? null : (
        <p className="summary-note">{text.requestedByColleague(returning.approvesFor)}</p>
      )}
      {brief && cancelsAt !== null ? null : <RequestedBy requestedBy={returning.requestedBy} />}
      {cancelsAt === null ? null : <CancelsItself at={cancelsAt} />}
    </>
  );
}

type ReceiptProps = {
  readonly lines: readonly { readonly label: string; readonly value: string }[];
  readonly title: string;
  readonly scan: string;
};

/** A receipt on the screen. The core decides its lines. */
export function Receipt({ lines, title, scan }: ReceiptProps) {
  const receipt = useContext(ReceiptContext);
  return (
    <section className="receipt" aria-label={title}>
      {receipt === null ? (
        <h2>{title}</h2>
      ) : (
        <div className="receipt-head">
          <h2>{title}</h2>
          <p>{scan}</p>
          <QrCode text={receipt.url} label={scan} />
        </div>
      )}
      <dl>
        {lines.map(line => (
          <div key={`${line.label} ${line.value}`}>
            <dt>{line.label}</dt>
            <dd>{line.value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
