import type { CardScheme } from '@florin/shared/card-schemes.ts';
import type { Money } from '@florin/shared/money.ts';
import type { Clock, Instant, Log, Random, Timers } from '@florin/shared/ports.ts';
import type { OpenPort } from './serial/port.ts';

/**
 * A card reader as the terminal's flows use it. A driver (line/) translates one vendor's protocol and owns the
 * connection: discovery, reconnection, heartbeats and retransmission. The flows never handle bytes.
 */
export interface CardReader {
  readonly protocol: string;
  /**
   * Who authorises. `host`: the reader reads the card and the caller of `sale` answers `authorise`. `reader`: a
   * semi-integrated reader contacts its own processor, never calls `authorise`, and its outcome is the bank's.
   */
  readonly authorisation: 'host' | 'reader';
  status(): ReaderStatus;
  /** Called at every change of status; returns a function that unsubscribes. */
  onStatus(listener: (status: ReaderStatus) => void): () => void;
  /**
   * Takes a card and asks `authorise` for the bank's answer. The same transactionId with the same amount never charges
   * twice. The caller has stored the transactionId before calling. Never throws for what a reader can do.
   *
   * Calling it again with the same transactionId and amount is how a sale is resumed: the reader goes back to the
   * dialogue under way, or repeats the result of a finished one. `authorise` may then be asked with the same
   * keySerialNumber as before by a program that was restarted; its handler answers by transactionId.
   * After an outcome other than `approved`, a bank that approved (or may have) must be asked to reverse.
   */
  sale(request: ReaderSale): Promise<ReaderOutcome>;
  /**
   * Asks the customer, before a sale, whether to add a tip. It starts no transaction and never blocks one: a sale, or
   * `cancel` with the same id, ends the question. Omitted by readers that cannot ask.
   */
  askTip?(question: TipQuestion): Promise<TipAnswer>;
  /** Cancels an unsettled sale of this reader in full. Returns `not_available` if the host authorises. */
  void(request: ReaderVoid): Promise<ReaderOutcome>;
  /** Refunds a sale of this reader, in full or in part. Returns `not_available` if the host authorises. */
  refund(request: ReaderRefund): Promise<ReaderOutcome>;
  /**
   * Has the reader hand its transactions since the last time to its processor, and report their totals. The totals are
   * acknowledged only after `store` has returned. Omitted by readers without a day of their own, such as those for which
   * the host authorises.
   */
  readonly endOfDay?: ((store: (totals: ReaderTotals) => void) => Promise<EndOfDayOutcome>) | undefined;
  /**
   * What the reader remembers of a transaction; to be called after a reconnection or a restart. A caller that was
   * restarted passes the `bootId` it stored with the transaction.
   */
  last(transactionId: string, sent?: { underBootId: string }): Promise<ReaderMemory>;
  /**
   * Acknowledges that the outcome is stored; until then the reader accepts no new transaction. Repeated until the
   * reader has received it. Idempotent.
   */
  confirm(transactionId: string): Promise<void>;
  /** Asks the reader to stop; the outcome of `sale` still decides. Also ends the question for a tip. Idempotent. */
  cancel(transactionId: string): Promise<void>;
  close(): Promise<void>;
}

export type ReaderStatus = {
  readonly connection: 'searching' | 'connecting' | 'ready' | 'busy' | 'lost' | 'incompatible';
  readonly serial?: string;
  /** The version of its software, or its model where the protocol tells no version. */
  readonly firmware?: string;
  readonly batteryPercent?: number;
  readonly tampered?: boolean;
  /** Omitted by readers that cannot detect it. */
  readonly isCardInserted?: boolean;
  /** Changes whenever the reader restarts; stored with a transaction before it is sent. */
  readonly bootId?: string;
  /** A result the reader holds until it is confirmed: read it with `last`, store it, then call `confirm`. */
  readonly unconfirmedTransactionId?: string;
  /** Failures of the serial line since the program started. Omitted until the first one. */
  readonly lineFailures?: LineFailureCounts;
  /** What staff must do something about. */
  readonly attention?: ReaderAttention;
};

export type ReaderAttention =
  | 'tampered'
  | 'battery_low'
  /** Another program uses it. */
  | 'in_use'
  /** This program may not open it. */
  | 'no_permission'
  /** It could not be opened. */
  | 'failed'
  /** It does not answer. */
  | 'silent'
  /** It speaks another version of the protocol. */
  | 'incompatible'
  /** Its cable returns what is sent. */
  | 'echo';

export type LineFailure =
  /** More bytes than a line may have. */
  | 'too_long'
  /** The rest of a line did not arrive in time. */
  | 'partial_line'
  /** Not a line of the protocol. */
  | 'framing'
  | 'checksum'
  /** A line with a valid checksum whose fields the protocol does not allow. */
  | 'fields'
  /** The terminal received what it had sent. */
  | 'echo'
  /** No answer to a request in time; each attempt counts. */
  | 'timeout'
  /** The reader could not accept a request as sent. */
  | 'refused';

export type LineFailureCounts = Readonly<Partial<Record<LineFailure, number>>>;

/** One protocol. The terminal's settings name it; `drivers.ts` lists them all. */
export type ReaderDriver = {
  readonly name: string;
  /** Starts searching for a reader; it is found, lost and found again in the background until `close`. */
  open(options: ReaderOptions): CardReader;
};

export type ReaderOptions = {
  /**
   * Serial ports to try, whether or not the system lists them; or every listed USB serial port. Some drivers also take
   * tcp://host:port.
   */
  readonly paths: readonly string[] | 'discover';
  /** The name of this terminal, sent to the reader. */
  readonly hostName: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly log: Log;
  readonly onAlarm: (alarm: ReaderAlarm) => void;
  readonly storage: ReaderStorage;
  /** Opens a serial port; one of this machine if omitted. */
  readonly openPort?: OpenPort;
  /** The password that some readers ask their till for; six digits. */
  readonly password?: string;
  /** Baud rates, tried in this order; omitted for those of the protocol. */
  readonly baudRates?: readonly number[];
};

/**
 * What a driver has to know after a restart of the terminal: one text. Once `write` has returned, it survives a loss of
 * power.
 */
export type ReaderStorage = { read(): string | undefined; write(text: string): void };

/** An event that staff or support must look into. It never contains data from the line. */
export type ReaderAlarm = {
  readonly kind: 'card_number_on_line' | 'tampered';
  readonly at: Instant;
  readonly readerSerial: string | undefined;
};

export type ReaderStage =
  | 'present_card'
  /** Only the chip is accepted: the amount is above the contactless limit, or the card cannot be tapped. */
  | 'insert_card'
  | 'card_inserted'
  | 'card_tapped'
  | 'card_swiped'
  | 'choose_application'
  | 'enter_pin'
  | 'wrong_pin'
  | 'authorising'
  | 'remove_card';

export type ReaderSale = {
  readonly transactionId: string;
  readonly amount: Money;
  readonly timeoutMs: number;
  readonly onStage: (stage: ReaderStage) => void;
  /** Receives the encrypted card and returns the bank's response. */
  readonly authorise: (card: ReadCard) => Promise<HostAnswer>;
};

export type TipChoice = { readonly percent: number; readonly tipMinor: number };
export type TipQuestion = {
  /** The id that the sale will have. */
  readonly transactionId: string;
  readonly amount: Money;
  /** One to three; the customer may also enter another amount, up to that of the sale. */
  readonly choices: readonly TipChoice[];
  readonly timeoutMs: number;
};
export type TipAnswer =
  | { readonly kind: 'chosen'; readonly tipMinor: number }
  | { readonly kind: 'none' }
  /** The customer was not asked, or the answer was lost. */
  | { readonly kind: 'not_available' };

/**
 * The same transactionId never voids twice; `last` returns the outcome. `saleReference` is the `processorReference` of
 * the sale's approval: the reader may have forgotten the sale, or been replaced.
 */
export type ReaderVoid = {
  readonly transactionId: string;
  readonly saleTransactionId: string;
  readonly saleReference: string;
};
/** The same transactionId never refunds twice; `last` returns the outcome. */
export type ReaderRefund = ReaderVoid & { readonly amount: Money };

/** What a reader took and returned since its last end of day, by its own count. */
export type ReaderTotals = {
  readonly readerSerial: string;
  /** Omitted by readers that do not tell it. */
  readonly currency?: string;
  /** What was taken less what was returned, without its sign: readers do not send it. */
  readonly totalMinor: number;
  /** The numbers of the first and last receipt; omitted by readers that do not tell them, or made none. */
  readonly receipts?: { readonly first: string; readonly last: string };
  readonly cardTypes: readonly { readonly name: string; readonly count: number; readonly amountMinor: number }[];
};

export type EndOfDayOutcome =
  /** The totals that were stored are those of the day that the reader closed. */
  | { readonly kind: 'closed' }
  /** Nothing was closed. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The reader may have closed its day, also if totals were stored. */
  | { readonly kind: 'unknown' };

/** The card as the reader reports it: a block that only the gateway can decrypt, and what may be printed. */
export type ReadCard = {
  readonly encryptedBlock: string;
  readonly keySerialNumber: string;
  readonly entryMode: 'chip' | 'contactless' | 'swipe';
  readonly scheme: CardScheme | null;
  /** Null where the reader does not tell them. */
  readonly lastFour: string | null;
  /** Of a chip, with or without contact; a magnetic stripe has none. */
  readonly applicationId?: string;
  readonly cardholderVerification?: 'pin' | 'signature' | 'device' | 'none';
};

/** A receipt as the reader wrote it, for whom it says. */
export type ReaderReceipt = {
  readonly copy?: 'merchant' | 'customer' | 'administration' | undefined;
  readonly lines: readonly string[];
};

export type HostAnswer =
  | { readonly kind: 'approved'; readonly authorisationCode: string; readonly hostCode: string }
  | { readonly kind: 'declined'; readonly hostCode: string }
  /** The bank's response is unknown: the reader ends the card dialogue without approving. */
  | { readonly kind: 'unknown' };

export type ReaderOutcome =
  | {
      readonly kind: 'approved';
      readonly card: ReadCard;
      readonly authorisationCode: string;
      /** The processor's reference of this transaction; only from a reader that authorises by itself. */
      readonly processorReference?: string;
      /** The reader that took it; only from one that has a day of its own. */
      readonly readerSerial?: string;
      /** Receipts that the reader has the terminal print. */
      readonly receipts?: readonly ReaderReceipt[];
    }
  /**
   * `by` says whether the bank, the card or the reader refused. A card that refuses after the bank approved needs a
   * reversal.
   */
  | { readonly kind: 'declined'; readonly by: 'host' | 'card' | 'reader'; readonly code: string }
  | { readonly kind: 'cancelled'; readonly by: 'customer' | 'staff' }
  | { readonly kind: 'timed_out' }
  /**
   * Nothing was started. `pending` and `busy` name the blocking transaction; `settled` means that it is too late to
   * void.
   */
  | { readonly kind: 'not_available'; readonly reason: string; readonly blockingTransactionId?: string }
  /** The connection was lost during the transaction: call `last` once the reader is connected again. */
  | { readonly kind: 'unknown' };

export type ReaderMemory =
  /** The reader never received it: it is safe to start it again with the same transactionId. */
  | { readonly kind: 'unknown_to_reader' }
  /** The reader has restarted since, or was replaced, and has no record: a person decides by the bank's records. */
  | { readonly kind: 'forgotten' }
  | { readonly kind: 'active'; readonly stage: ReaderStage }
  | { readonly kind: 'done'; readonly outcome: ReaderOutcome }
  | { readonly kind: 'reversed' }
  | { readonly kind: 'unreachable' };
