import type { TestCard } from '../cards/wallet.ts';
import type { DialogueRefusal, ReaderDecline } from './dialogue.ts';
import type { Screen } from './screen.ts';

/** A transaction as the page lists it. */
export type ListedTransaction = {
  readonly txn: string;
  readonly state: string;
  readonly outcome: string | null;
  readonly amountMinor: number;
  /** Three digits. */
  readonly currency: string;
  readonly exponent: number;
  readonly confirmed: boolean;
};

/** The program of a simulated reader, whichever protocol it speaks: what testers and customers do with it. */
export interface ReaderProgram {
  readonly bootId: string;
  readonly batteryPercent: number;
  readonly tampered: boolean;
  readonly nextDecline: ReaderDecline | undefined;
  readonly insertedCard: TestCard | undefined;
  readonly stage: string | undefined;
  /** What arrived damaged. */
  readonly noiseCount: number;
  screen(): Screen;
  /** The amount on the screen during a transaction; `currency` has three digits. */
  amount(): { readonly amountMinor: number; readonly currency: string; readonly exponent: number } | undefined;
  transactions(): readonly ListedTransaction[];
  insert(card: TestCard): DialogueRefusal | undefined;
  tap(card: TestCard): DialogueRefusal | undefined;
  swipe(card: TestCard): DialogueRefusal | undefined;
  remove(): DialogueRefusal | undefined;
  key(key: string): DialogueRefusal | undefined;
  setBattery(percent: number): void;
  setTampered(tampered: boolean): void;
  chooseDecline(decline: ReaderDecline | undefined): void;
  /** How long it waits for the bank, in its next transactions. */
  setHostTimeout(ms: number): void;
  /** A power cycle. */
  reboot(options: { announced: boolean }): void;
  /** Forgets every transaction; followed by a restart. */
  wipe(): void;
  stop(): void;
}
