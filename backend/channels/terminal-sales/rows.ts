import type { ActorKind } from '@florin/shared/actor.ts';
import type { TerminalSaleReason } from '@florin/shared/contracts/terminal-sale-reasons.ts';
import type { TerminalActivity, TerminalSaleStatus } from '@florin/shared/contracts/terminal-sales.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../../foundation/database/flag.ts';

/** A sale or refund on a terminal. Its id is also that of the terminal's sale and its payment's `saleId`. */
export type TerminalSaleRow = {
  id: string;
  businessId: string;
  terminalId: string;
  serial: string;
  type: 'sale' | 'refund';
  mode: 'any' | 'card' | 'bitcoin';
  amountMinor: number;
  currency: string;
  reference: string | null;
  /** The payment to refund. */
  originalPaymentId: string | null;
  status: TerminalSaleStatus;
  statusReason: TerminalSaleReason;
  /** Incremented with every change. */
  sequence: number;
  /** The sequence of the last accepted terminal report. */
  reportSequence: number;
  rail: 'card' | 'bitcoin' | null;
  metadataJson: string;
  /** Whether the terminal printed the receipt that its caller asked for; null if it has not reported that. */
  receiptPrinted: Flag | null;
  /** Who requested it. */
  actorKind: ActorKind;
  actorId: string | null;
  /**
   * Since when a reader that authorises by itself may have it: it charges without the service, so that only its
   * terminal can report the outcome.
   */
  atReaderAt: Instant | null;
  /** Why the terminal was requested to end it, while a reader has it. */
  endRequested: 'cancelled_by_caller' | 'expired' | null;
  /** Since when its terminal is free although the outcome is unknown. */
  leftTerminalAt: Instant | null;
  /** When it expires, unless its authorisation was sent. */
  expiresAt: Instant;
  /** When the service checks it again; null if nothing is awaited. */
  dueAt: Instant | null;
  createdAt: Instant;
  updatedAt: Instant;
  /** Null while in progress: a terminal has at most one that has not left it. */
  endedAt: Instant | null;
};

/**
 * A bitcoin request of a sale, one at a time. Changed only with its sale locked. While it is open, the sale cannot be
 * paid by card.
 */
export type SaleInvoiceRow = {
  invoiceId: string;
  businessId: string;
  terminalId: string;
  saleId: string;
  /** `withdrawn`: cancelled, or abandoned for the card. All except `open` are final. */
  status: 'open' | 'paid' | 'underpaid' | 'expired' | 'withdrawn';
  /** Incremented with every change. */
  sequence: number;
  /** The amount to return. */
  dueSats: number;
  createdAt: Instant;
};

/** A command to a terminal, sent until the terminal acknowledges it. */
export type TerminalCommandRow = {
  id: string;
  terminalId: string;
  saleId: string;
  kind: 'start_sale' | 'start_refund' | 'end_sale';
  /** The command as sent to the terminal; its language is then the one that the customer chose there. */
  bodyJson: string;
  expiresAt: Instant;
  createdAt: Instant;
  /** `withdrawn`: the sale ended before the terminal accepted it. */
  outcome: 'taken' | 'busy' | 'withdrawn' | null;
};

/** The state of a terminal's connection, and its last report. */
export type TerminalChannelRow = {
  terminalId: string;
  /** The most recent connection. */
  channelId: string | null;
  isConnected: Flag;
  seenAt: Instant;
  appVersion: string | null;
  /** Its use other than sales started over the API. */
  activity: TerminalActivity | null;
  activitySince: Instant | null;
  readerJson: string | null;
  healthJson: string | null;
};
