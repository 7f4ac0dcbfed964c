import type { ReaderComparison } from '@florin/shared/contracts/device-v1/reader-closings.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../../foundation/database/flag.ts';

/** Which reader took a payment, and when by its terminal's clock. */
export type ReaderSaleRow = { paymentId: string; businessId: string; readerSerial: string; takenAt: Instant };

/** An end of day of a reader that authorises by itself. */
export type ReaderClosingRow = {
  id: string;
  businessId: string;
  terminalId: string;
  readerSerial: string;
  /** When the reader was asked, by the clock of `ReaderSaleRow.takenAt`. */
  closedAt: Instant;
  currency: string;
  /** 0 if it is not known whether the reader closed its day. */
  isConfirmed: Flag;
  /** By the reader, without sign; null if its totals were not received. */
  totalMinor: number | null;
  totalsJson: string | null;
  comparison: ReaderComparison;
  /** By the records; null if there was nothing to compare with. */
  recordedMinor: number | null;
  recordedCount: number | null;
  comparedCount: number;
  /** The open discrepancy about it. */
  discrepancyId: string | null;
  createdAt: Instant;
};
