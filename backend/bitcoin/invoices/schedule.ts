import type { Instant } from '@florin/shared/ports.ts';
import type { BitcoinInvoiceRow, BitcoinReceiptRow } from './rows.ts';
import type { BitcoinInvoiceSettings } from './settings.ts';

const minuteMs = 60_000;
const maxWaitMs = 5 * minuteMs;

/** When to poll the node for an invoice next; null if nothing can arrive any more. */
export function nextPollAt(
  invoice: BitcoinInvoiceRow,
  receipts: readonly BitcoinReceiptRow[],
  now: Instant,
  settings: BitcoinInvoiceSettings,
): Instant | null {
  const { status, lightning, address, expiresAt, endedAt, unansweredPolls } = invoice;
  if (unansweredPolls > 0) return now + Math.min(settings.pollEveryMs * 2 ** (unansweredPolls - 1), maxWaitMs);
  const isMoving = receipts.some(
    one => one.network === 'onchain' && (one.status === 'seen' || (one.status === 'confirmed' && one.isBuried === 0)),
  );
  if (status === 'open') {
    if (lightning !== 'open' && address === null) return expiresAt;
    const next = now + (address === null ? 3 * settings.pollEveryMs : settings.pollEveryMs);
    // Poll at the expiry at the latest.
    return now < expiresAt ? Math.min(next, expiresAt) : next;
  }
  const age = now - (endedAt ?? now);
  // The Lightning invoice is cancelled at the node first.
  if (lightning === 'open' && age < settings.pollEveryMs) return now + 1;
  if (isMoving) return now + settings.confirmEveryMs;
  if ((address === null && lightning !== 'open') || age >= settings.watchLateForMs) return null;
  return now + Math.min(Math.max(Math.floor(age / 20), minuteMs), 60 * minuteMs);
}
