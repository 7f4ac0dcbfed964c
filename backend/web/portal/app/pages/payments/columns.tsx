import type { PaymentRecord } from '@florin/shared/contracts/api-v1/payments.ts';
import { PaymentStatus, usePaidWith } from '../../components/payment.tsx';
import type { Column } from '../../components/table.tsx';
import { Money, Time } from '../../components/values.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { paymentsTexts } from './texts.ts';

/** The columns of lists of payments. */
export function usePaymentColumns(): readonly Column<PaymentRecord>[] {
  const text = useTexts(paymentsTexts);
  const formats = useFormats();
  const paidWith = usePaidWith();
  return [
    { id: 'time', header: text.time, cell: ({ createdAt }) => <Time at={createdAt} />, onCard: 'detail' },
    { id: 'invoice', header: text.invoice, cell: ({ invoiceNumber }) => invoiceNumber, isExtra: true },
    {
      id: 'paidWith',
      header: text.paidWith,
      onCard: 'lead',
      cell: payment => (
        <>
          {paidWith(payment)}
          <div className="small muted">{payment.reference ?? payment.link?.externalReference}</div>
        </>
      ),
    },
    {
      id: 'where',
      header: text.where,
      cell: ({ terminal, paymentLinkId }) => terminal?.name ?? (paymentLinkId === null ? text.online : text.link),
      isExtra: true,
    },
    { id: 'state', header: text.state, cell: ({ status }) => <PaymentStatus status={status} />, onCard: 'state' },
    {
      id: 'amount',
      header: text.amount,
      isNumber: true,
      onCard: 'amount',
      cell: ({ amountInCents, currency, refundedInCents, status }) => (
        <>
          <span className="strong">
            <Money minor={amountInCents} currency={currency} />
          </span>
          {status === 'partly_refunded' ? (
            <div className="small muted nowrap">{text.refunded(formats.money(refundedInCents, currency))}</div>
          ) : null}
        </>
      ),
    },
  ];
}
