import type { CardScheme } from '@florin/shared/card-schemes.ts';
import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { Stored } from '../flows/durable.ts';
import type { BankState, ReaderState } from './decision.ts';
import type { ReversalProgress } from './reversal.ts';

export type SaleOutcome = {
  readonly kind: 'approved' | 'declined' | 'cancelled' | 'timed_out' | 'failed';
  readonly why:
    | 'reader_confirmed'
    | 'reader_gone'
    | 'bank_declined'
    | 'bank_failed'
    | 'card_refused'
    | 'customer'
    | 'staff'
    /** Cancelled before the bank answered: an approval that arrives later is reversed. */
    | 'bank_timeout'
    | 'no_card'
    | 'reader_not_found'
    | 'reader_not_available'
    | 'service_not_reached'
    | 'service_refused'
    | 'interrupted'
    /** Reversed or voided at the service; the service's record says what happened to the money. */
    | 'voided'
    | 'disagree'
    /** A reader that authorises by itself lost its memory: the outcome cannot be determined from here. */
    | 'reader_forgot';
};

/** The persisted state of a sale. Of the card it holds only what may be printed. */
export type SaleContext = {
  readonly saleId: string;
  /** The reader's id for the transaction, stored before it is sent to the reader. */
  readonly transactionId: string;
  readonly amountMinor: number;
  /** The part of `amountMinor` that the customer added as a tip. */
  readonly tipMinor?: number | undefined;
  readonly currency: string;
  /** What staff noted of a sale that they keyed in. */
  readonly reference?: string | undefined;
  readonly startedAt: Instant;
  /** Software requested the sale: the service has a record of it that this terminal's report ends. */
  readonly isRequested: boolean;
  /** No staff are there who could take a signature. */
  readonly isAtKiosk?: boolean | undefined;
  /**
   * The boot id of the reader that received the transaction: a reader that restarted since may have lost its memory.
   */
  readonly readerBootId: string | null;
  /** Whether the transaction was ever sent to the reader. */
  readonly wasGivenToReader: boolean;
  /** `host`: this terminal sends the authorisation through the service. `reader`: the reader sends it itself. */
  readonly authorisation: 'host' | 'reader';
  readonly bank: BankState;
  readonly reader: ReaderState;
  /** Who cancelled it at the reader, or the reader's own reason. */
  readonly readerDetail: string | null;
  /** The service's message if it refused the request. */
  readonly refusal: string | null;
  readonly card: {
    readonly scheme: CardScheme | null;
    readonly lastFour: string | null;
    readonly entryMode: string;
    readonly applicationId?: string;
    /** The reader asks for the customer's signature. */
    readonly asksSignature?: boolean;
  } | null;
  readonly record: SaleRecord | null;
  readonly authorisationCode: string | null;
  /** The processor's reference of the sale, for a reader that authorises by itself. */
  readonly processorReference: string | null;
  /** The reader that took it, for one that has a day of its own. */
  readonly readerSerial?: string | undefined;
  readonly cancelRequested: boolean;
  readonly checkingBecause: 'restart' | 'reader_lost' | 'bank_silent' | null;
  /** Whether this terminal reverses the sale; the service's record says what happened to the reversal. */
  readonly reversal: 'none' | 'requested' | 'refused';
  readonly outcome: SaleOutcome | null;
};

/** The initial state of a card sale; the caller stores it with the reader transaction before it opens the flow. */
export function newSale(options: {
  saleId: string;
  transactionId: string;
  amountMinor: number;
  currency: string;
  startedAt: Instant;
  isRequested?: boolean;
  reference?: string | undefined;
  tipMinor?: number | undefined;
  isAtKiosk?: boolean;
}): Stored<SaleContext> {
  return {
    value: 'starting',
    context: {
      isRequested: false,
      ...options,
      readerBootId: null,
      wasGivenToReader: false,
      authorisation: 'host',
      bank: 'not_asked',
      reader: 'not_reported',
      readerDetail: null,
      refusal: null,
      card: null,
      record: null,
      authorisationCode: null,
      processorReference: null,
      cancelRequested: false,
      checkingBecause: null,
      reversal: 'none',
      outcome: null,
    },
  };
}

/** Validates a stored context. */
export const saleContextKeys = Object.keys(
  newSale({ saleId: '', transactionId: '', amountMinor: 0, currency: '', startedAt: 0 }).context,
);

/** The progress of the reversal; null if there is nothing to reverse. */
export function reversalProgress({ reversal, record }: SaleContext): ReversalProgress | null {
  if (reversal === 'refused') return 'refused';
  return record?.reversal?.status ?? (reversal === 'requested' ? 'not_acknowledged' : null);
}
