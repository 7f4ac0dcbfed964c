import { takenBack } from '@florin/shared/amounts.ts';
import type { SaleRecord, SaleReturn } from '@florin/shared/contracts/device-v1/sales.ts';
import { formatMoney } from '@florin/shared/money.ts';
import { bitcoinReceipt } from '../bitcoin/screen.ts';
import { nameAndNumber, refundReceipt } from '../refunds/words.ts';
import type { DisplaySettings } from '../words.ts';
import { saleReceipt } from './words.ts';

const taken: ReadonlySet<SaleRecord['status']> = new Set([
  'unsettled',
  'settled',
  'settlement_rejected',
  'partly_refunded',
  'refunded',
  'cancelled',
]);

/** The receipt of a past sale, for a customer who comes back for it; empty where no money was taken. */
export function receiptCopy(sale: SaleRecord, settings: DisplaySettings): { label: string; value: string }[] {
  if (!taken.has(sale.status) || sale.reversal) return [];
  const { amountInCents: amountMinor, tipInCents: tipMinor, currency, bitcoin } = sale;
  const reference = sale.reference ?? undefined;
  const startedAt = Date.parse(sale.takenAt ?? sale.createdAt);
  // Any terminal of the business may have taken it.
  const onItsTerminal = { ...settings, terminalName: sale.terminalName };
  const lines = bitcoin
    ? bitcoinReceipt(
        { amountMinor, currency, reference, startedAt, sale: { sale, receivedSats: bitcoin.amountSats } },
        onItsTerminal,
      )
    : saleReceipt({
        ...onItsTerminal,
        context: {
          record: sale,
          card: null,
          amountMinor,
          tipMinor,
          currency,
          reference,
          startedAt,
          authorisationCode: null,
        },
      });
  const returned = (minor: number) => takenBack(formatMoney({ amountMinor: minor, currency }, settings.locale));
  const { voided, refunded } = settings.words.receipt;
  if (sale.status === 'cancelled') return [...lines, { label: voided, value: returned(amountMinor) }];
  if (sale.refundedInCents === 0) return lines;
  return [...lines, { label: refunded, value: returned(sale.refundedInCents) }];
}

/** The receipt of a past void or refund, with the facts that it had at once. */
export function returnReceiptCopy(
  sale: SaleRecord,
  of: SaleReturn,
  settings: DisplaySettings,
): { label: string; value: string }[] {
  const { staffName: name, staffNumber, requestedBy, terminalName } = of;
  const staff = name === null || staffNumber === null ? name : nameAndNumber({ name, staffNumber });
  return refundReceipt({
    ...settings,
    terminalName,
    refund: { ...of, currency: sale.currency },
    sale,
    staff,
    requestedBy: requestedBy && nameAndNumber(requestedBy),
  });
}
