import { rmSync } from 'node:fs';
import { unreachable } from '@florin/shared/result.ts';
import { pointLink } from '../pty/link.ts';
import { openPty } from '../pty/open.ts';
import type { PtyBackend } from '../pty/pty.ts';
import type { PrinterAction } from './actions.ts';
import { type PrinterLanguage, type PrinterState, SimulatedPrinter } from './simulated-printer.ts';

/** A simulated receipt printer on a pseudo-terminal. */
export type RunningPrinter = {
  /** The serial port a host opens. */
  readonly path: string;
  state(): PrinterState;
  /** Called at every change; returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
  act(action: PrinterAction): void;
  close(): void;
};

/** Switches a printer on; `link` is a symlink to its serial port. */
export async function startPrinter(options: {
  readonly language?: PrinterLanguage;
  readonly link?: string | undefined;
  readonly backend?: PtyBackend | undefined;
}): Promise<RunningPrinter> {
  const { language = 'esc-pos', link, backend } = options;
  const pty = await openPty(backend);
  if (link !== undefined) pointLink(link, pty.path);
  const listeners = new Set<() => void>();
  const printer = new SimulatedPrinter({
    language,
    send: bytes => pty.write(Buffer.from(bytes)),
    onChange: () => {
      for (const listener of listeners) listener();
    },
  });
  pty.onData(bytes => printer.receive(bytes));
  return {
    path: link ?? pty.path,
    state: () => printer.state(),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    act: action => perform(printer, action),
    close() {
      pty.close();
      if (link !== undefined) rmSync(link, { force: true });
    },
  };
}

function perform(printer: SimulatedPrinter, action: PrinterAction): void {
  switch (action.do) {
    case 'power':
      printer.switch(action.on);
      break;
    case 'cover':
      printer.openCover(action.open);
      break;
    case 'end_paper':
      printer.endPaper(action.rows);
      break;
    case 'new_roll':
      printer.insertRoll();
      break;
    case 'tear_off':
      printer.tearOff();
      break;
    default:
      unreachable(action);
  }
}
