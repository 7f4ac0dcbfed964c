import type { PrintHead } from './print-head.ts';

/** The state of the printer as its answers tell it. */
export type Condition = {
  readonly isCoverOpen: boolean;
  readonly isPaperEnd: boolean;
};

export type LanguagePorts = {
  readonly head: PrintHead;
  readonly condition: () => Condition;
  /** Sends an answer to the host. */
  readonly send: (bytes: Uint8Array) => void;
  /** Bytes that are no command of this printer. */
  readonly onUnknown: (bytes: Uint8Array) => void;
};

/** A language of commands. */
export interface Language {
  /**
   * Answers what a printer answers as soon as it arrives, even while it is offline, and returns the other bytes, for
   * the buffer.
   */
  arrived(bytes: Buffer): Buffer;
  /** Carries out the first command in the buffer; returns how many bytes it took, 0 while it is not complete. */
  step(buffer: Buffer): number;
}

/** The length of a command whose parameters have not all arrived yet. */
export const incomplete = 0;
