import type { PrinterTrouble } from '../printer.ts';
import type { Session } from './session.ts';

/** How a printer language tells the state of the printer. */
export type Dialect = {
  /** What keeps it from printing; null if nothing does. A printer that does not answer is not reachable. */
  trouble(session: Session): Promise<PrinterTrouble | null>;
  /** Called before the paper is sent: what to append to it, and the question whether all of it was printed. */
  confirmation(session: Session): Promise<Confirmation>;
};

export type Confirmation = {
  /** Printed like text: the printer answers or counts it after everything before it. */
  readonly bytes: Uint8Array;
  /** Whether the printer has come to it; false if that is not known within the time. */
  isPrinted(withinMs: number): Promise<boolean>;
};
