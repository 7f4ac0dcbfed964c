import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import type { Returning } from '../../ipc/view.ts';
import { useFormats } from '../formats.tsx';
import { text } from '../text.ts';
import { Amount } from './amount.tsx';

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

export function StatusChip({ status }: { status: SaleRecord['status'] }) {
  return (
    <span className="chip" data-tone={chipTones[status]}>
      {text.status[status]}
    </span>
  );
}

/** "Visa •••• 4242"; null when no card was read. */
export function CardName({ sale }: { sale: SaleRecord }) {
  if (sale.cardLastFour === null) {
    // The bank names no card when it declines: one that was read all the same must not be called unread.
    const nameless = sale.entryMode === null ? undefined : text.unnamedCards[sale.entryMode];
    return sale.cardScheme ?? nameless ?? text.recentSales.noCard;
  }
  return (
    <>
      {sale.cardScheme === null ? null : `${sale.cardScheme} `}
      <span aria-hidden="true">{text.maskedCard(sale.cardLastFour)}</span>
      <span className="visually-hidden">{text.maskedCardSpoken(sale.cardLastFour)}</span>
    </>
  );
}

export function takenAt(sale: SaleRecord): number {
  return Date.parse(sale.takenAt ?? sale.createdAt);
}

export function returnedAmountMinor(returning: Returning): number {
  return returning.amountMinor ?? returning.sale.amountInCents;
}

/** The summary of every step of a void or refund: how much, and of which sale. */
export function ReturnSummary({ returning }: { returning: Returning }) {
  const { sale, kind } = returning;
  const formats = useFormats();
  return (
    <>
      <p className="summary-label">{text.returning[kind]}</p>
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

export function Receipt({ lines }: { lines: readonly { label: string; value: string }[] }) {
  return (
    <section className="receipt" aria-label={text.receipt}>
      <h2>{text.receipt}</h2>
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
