import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import { formatMoney } from '@florin/shared/money.ts';
import { bitcoinReceipt } from '../bitcoin/screen.ts';
import type { DisplaySettings } from '../words.ts';
import { saleReceipt } from './words.ts';

const taken: ReadonlySet<SaleRecord['status']> = new Set([
  'unsettled',
  'settled',
  'settlement_rejected',
  'partly_refunded',
  'refunded',
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
  if (sale.refundedInCents === 0) return lines;
  const refunded = formatMoney({ amountMinor: sale.refundedInCents, currency }, settings.locale);
  return [...lines, { label: settings.words.receipt.refunded, value: refunded }];
}
