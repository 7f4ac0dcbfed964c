/** A line of a receipt, or its code; printers decide where lines break. */
export type PaperBlock =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly align: 'left' | 'centre';
      readonly look: 'normal' | 'bold' | 'large';
    }
  /** A name and its value, at both ends of the line if there is room. */
  | { readonly kind: 'fact'; readonly label: string; readonly value: string }
  | { readonly kind: 'rule' }
  | { readonly kind: 'space' }
  /** A QR code of this text. */
  | { readonly kind: 'code'; readonly text: string };

/** What is printed on one piece of paper, top to bottom. */
export type Paper = readonly PaperBlock[];

/** Why a printer cannot print. */
export type PrinterTrouble = 'out_of_paper' | 'cover_open' | 'not_reachable' | 'error';

export type PrinterStatus =
  /** No printer is set up. */
  | 'none'
  /** Not asked yet. */
  | 'checking'
  | 'ready'
  | PrinterTrouble;

export type PrintOutcome =
  | { readonly kind: 'printed' }
  /** Nothing was sent: no paper came out, and none will. */
  | { readonly kind: 'not_printed'; readonly why: PrinterTrouble }
  /** It stopped after it was sent: nothing, a part or all of it came out, or comes out later. */
  | { readonly kind: 'unknown'; readonly why: PrinterTrouble };

/** A printer as the terminal sees it: faults are values, and a print never rejects. */
export interface Printer {
  status(): PrinterStatus;
  /** Called when the status changes; returns a function that unsubscribes. */
  onStatus(listener: (status: PrinterStatus) => void): () => void;
  /** Prints one paper; a second call waits for the first. */
  print(paper: Paper): Promise<PrintOutcome>;
  close(): Promise<void>;
}

/** Stands for a printer where none is set up. */
export const noPrinter: Printer = {
  status: () => 'none',
  onStatus: () => () => undefined,
  print: () => Promise.resolve({ kind: 'not_printed', why: 'not_reachable' }),
  close: () => Promise.resolve(),
};
