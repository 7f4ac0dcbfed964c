import type { ActorKind } from '@florin/shared/actor.ts';
import type { TerminalSaleReason } from '@florin/shared/contracts/terminal-sale-reasons.ts';
import type { TerminalActivity, TerminalSaleStatus } from '@florin/shared/contracts/terminal-sales.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../database/flag.ts';

/** A sale or refund that software asks a terminal for. Its id is that of the terminal's own sale, and of its payment's. */
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
  /** The payment to give back, of a refund. */
  originalPaymentId: string | null;
  status: TerminalSaleStatus;
  statusReason: TerminalSaleReason;
  /** One more with every change. */
  sequence: number;
  /** Of the last report of the terminal that was taken. */
  reportSequence: number;
  rail: 'card' | 'bitcoin' | null;
  metadataJson: string;
  /** Who asked for it. */
  actorKind: ActorKind;
  actorId: string | null;
  /**
   * Since when a reader that authorises by itself may have it: it charges without asking here, so that only its terminal can
   * say how the sale ended.
   */
  atReaderAt: Instant | null;
  /** Why the terminal was asked to end it, while a reader has it. */
  endRequested: 'cancelled_by_caller' | 'expired' | null;
  /** Since when its terminal is free again although nobody knows how it ended. */
  leftTerminalAt: Instant | null;
  /** When it ends by itself unless the bank is asked. */
  expiresAt: Instant;
  /** When the service looks at it again; null where nothing is awaited. */
  dueAt: Instant | null;
  createdAt: Instant;
  updatedAt: Instant;
  /** Null while it is under way: a terminal has at most one such that has not left it. */
  endedAt: Instant | null;
};

/**
 * What a sale is asked for in bitcoin, one at a time. Changed only with its sale locked. While it is open no card pays the
 * sale.
 */
export type SaleInvoiceRow = {
  invoiceId: string;
  businessId: string;
  terminalId: string;
  saleId: string;
  /** `withdrawn`: cancelled, or given up for the card. All but `open` are final. */
  status: 'open' | 'paid' | 'underpaid' | 'expired' | 'withdrawn';
  /** One more with every change. */
  sequence: number;
  /** What is to be returned. */
  owedSats: number;
  createdAt: Instant;
};

/** A command to a terminal, sent until the terminal acknowledges it. */
export type TerminalCommandRow = {
  id: string;
  terminalId: string;
  saleId: string;
  kind: 'start_sale' | 'start_refund' | 'end_sale';
  /** The command as the terminal gets it. */
  bodyJson: string;
  expiresAt: Instant;
  createdAt: Instant;
  /** `withdrawn`: the sale ended before the terminal took it. */
  outcome: 'taken' | 'busy' | 'withdrawn' | null;
};

/** What is known of the connection to a terminal, and what it last reported. */
export type TerminalChannelRow = {
  terminalId: string;
  /** The connection that was opened last. */
  channelId: string | null;
  isConnected: Flag;
  seenAt: Instant;
  appVersion: string | null;
  /** What it is used for, other than what software started. */
  activity: TerminalActivity | null;
  activitySince: Instant | null;
  readerJson: string | null;
};
