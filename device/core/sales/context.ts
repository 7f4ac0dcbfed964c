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
    | 'no_card'
    | 'reader_not_found'
    | 'reader_not_available'
    | 'service_not_reached'
    | 'service_refused'
    | 'interrupted'
    /** Reversed or voided at the service; the record says what became of the money. */
    | 'voided'
    | 'disagree'
    /** A reader that authorises by itself lost its memory: nobody here can know. */
    | 'reader_forgot';
};

/** Everything a sale must still know after the power was lost. Nothing of the card beyond what may be printed. */
export type SaleContext = {
  readonly saleId: string;
  /** The reader's name for it. Stored before it is sent to the reader. */
  readonly transactionId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly startedAt: Instant;
  /** Software asked for it: the service has a record of it that ends by this terminal's word. */
  readonly isRequested: boolean;
  /** Of the reader that was given the transaction: one that restarted since has forgotten more than it says. */
  readonly readerBootId: string | null;
  /** Whether the reader was ever given it. */
  readonly wasGivenToReader: boolean;
  /** Who asks the bank: this terminal by the service, or the reader by itself. */
  readonly authorisation: 'host' | 'reader';
  readonly bank: BankState;
  readonly reader: ReaderState;
  /** Who ended it at the reader, or the reader's own reason. */
  readonly readerDetail: string | null;
  /** The service's words, when it refused the request. */
  readonly refusal: string | null;
  readonly card: { readonly scheme: string; readonly lastFour: string; readonly entryMode: string } | null;
  readonly record: SaleRecord | null;
  readonly authorisationCode: string | null;
  /** By which a reader that asks its own processor knows the sale there. */
  readonly processorReference: string | null;
  readonly cancelRequested: boolean;
  readonly checkingBecause: 'restart' | 'reader_lost' | 'service_silent' | null;
  /** Whether this terminal reverses the sale; what became of it is in the service's record. */
  readonly reversal: 'none' | 'requested' | 'refused';
  readonly outcome: SaleOutcome | null;
};

export function newSale(options: {
  saleId: string;
  transactionId: string;
  amountMinor: number;
  currency: string;
  startedAt: Instant;
  isRequested?: boolean;
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

/** What a stored sale must hold. */
export const saleContextKeys = Object.keys(
  newSale({ saleId: '', transactionId: '', amountMinor: 0, currency: '', startedAt: 0 }).context,
);

/** How far the reversal of a sale has come; null where there is nothing to reverse. */
export function reversalProgress({ reversal, record }: SaleContext): ReversalProgress | null {
  if (reversal === 'refused') return 'refused';
  return record?.reversal?.status ?? (reversal === 'requested' ? 'not_acknowledged' : null);
}
