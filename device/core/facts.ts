import type { BitcoinSale } from '@florin/shared/contracts/device-v1/bitcoin.ts';
import type { TerminalCommand } from '@florin/shared/contracts/device-v1/commands.ts';
import type { TerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import type { ReaderClosing } from '@florin/shared/contracts/device-v1/reader-closings.ts';
import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import type { BitcoinContext } from './bitcoin/machine.ts';

/** The command to start a sale or a refund of software. */
export type StartCommand = Exclude<TerminalCommand, { kind: 'end_sale' }>;

/** What happened in a part of the terminal. What follows from it is decided in `terminal.ts` alone. */
export type Fact =
  /** Something that a screen or a report shows may be different. */
  | { readonly kind: 'changed' }
  /** The connection to the service was lost or restored. What can wait follows after `settleMs`. */
  | { readonly kind: 'connection_changed'; readonly isOnline: boolean; readonly settleMs: number }
  /** The service rejected this terminal's token. */
  | { readonly kind: 'revoked' }
  | { readonly kind: 'configuration_changed'; readonly configuration: TerminalConfiguration }
  /** The stream of the service is connected again: what changed meanwhile must be read. */
  | { readonly kind: 'stream_opened' }
  /** The service has another configuration for this terminal. */
  | { readonly kind: 'settings_changed'; readonly settleMs: number }
  | { readonly kind: 'command_received'; readonly command: TerminalCommand }
  | { readonly kind: 'bitcoin_changed'; readonly sale: BitcoinSale }
  /** The service knows the bank's response for a sale of this terminal. */
  | { readonly kind: 'bank_answered'; readonly saleId: string }
  /** The service's record after it acknowledged a report. */
  | { readonly kind: 'record_changed'; readonly record: SaleRecord }
  /** The service compared the totals of the reader's day. */
  | { readonly kind: 'reader_day_compared'; readonly closing: ReaderClosing }
  /** The service refused for good to reverse a sale: it counts as completed. */
  | { readonly kind: 'reversal_refused'; readonly saleId: string }
  /** A sale or refund of software may start. */
  | { readonly kind: 'command_accepted'; readonly command: StartCommand }
  /** The bitcoin request was withdrawn so that the customer can pay by card. */
  | { readonly kind: 'card_chosen'; readonly sale: BitcoinContext }
  /** A card or bitcoin sale takes the screen. */
  | { readonly kind: 'sale_began' }
  /** A sale that was keyed in waits for the connection check. */
  | { readonly kind: 'sale_waits' }
  /** The service was not reached for a sale that was keyed in. */
  | { readonly kind: 'sale_not_started'; readonly why: 'saleNotStarted' | 'diskFull' }
  /** A manager changed the mode. */
  | { readonly kind: 'mode_changed' }
  /** The result on the screen has been shown long enough. */
  | { readonly kind: 'result_expired' };

export type Publish = (fact: Fact) => void;

/** What follows from each fact. */
export type Decisions = {
  readonly [Kind in Fact['kind']]: (fact: Extract<Fact, { kind: Kind }>) => void;
};

/** Runs the decision about this fact. */
export function decide(decisions: Decisions, fact: Fact): void {
  const decision = decisions[fact.kind] as (fact: Fact) => void;
  decision(fact);
}
