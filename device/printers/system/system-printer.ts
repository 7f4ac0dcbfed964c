import { execFile } from 'node:child_process';
import type { Cancel, Log, Timers } from '@florin/shared/ports.ts';
import type { Paper, Printer, PrinterStatus, PrintOutcome } from '../printer.ts';
import type { PaperWidthMm } from '../receipt/encode.ts';
import { pdfOf } from './pdf.ts';

const askEveryMs = 60_000;
const commandTimeoutMs = 15_000;

/** A printer of the system (CUPS), by its name or the default one. It says `printed` once the system has the paper. */
export function openSystemPrinter(options: {
  readonly name: string | null;
  readonly widthMm: PaperWidthMm;
  readonly timers: Timers;
  readonly log: Log;
}): Printer {
  const { name, widthMm, timers, log } = options;
  const listeners = new Set<(status: PrinterStatus) => void>();
  let status: PrinterStatus = 'checking';
  let next: Cancel | undefined;
  let isClosed = false;
  let work: Promise<unknown> = Promise.resolve();

  function set(changed: PrinterStatus): void {
    if (isClosed || changed === status) return;
    status = changed;
    for (const listener of listeners) listener(status);
  }

  async function ask(): Promise<void> {
    const found = await run('lpstat', name === null ? ['-d'] : ['-p', name]);
    // Without a default `lpstat -d` succeeds too, and names none.
    set(found.isDone && (name !== null || found.output.includes(':')) ? 'ready' : 'not_reachable');
    if (!isClosed) next = timers.after(askEveryMs, () => void ask());
  }

  async function print(paper: Paper): Promise<PrintOutcome> {
    const args = ['-o', 'print-scaling=none', '-t', 'Receipt', ...(name === null ? [] : ['-d', name])];
    const { isDone, output } = await run('lp', args, pdfOf(paper, { widthMm }));
    set(isDone ? 'ready' : 'not_reachable');
    if (isDone) return { kind: 'printed' };
    log.warn({ output }, 'the system did not take a receipt to print');
    return { kind: 'not_printed', why: 'not_reachable' };
  }

  void ask();
  return {
    status: () => status,
    onStatus(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    print(paper) {
      const turn = work.then(() => print(paper));
      work = turn;
      return turn;
    },
    async close() {
      isClosed = true;
      next?.();
      listeners.clear();
      await work;
    },
  };
}

/** Never rejects: a command that is missing or fails is not done. */
function run(command: string, args: readonly string[], input?: Uint8Array) {
  return new Promise<{ readonly isDone: boolean; readonly output: string }>(resolve => {
    // In English, whatever the language of this machine.
    const inEnglish = ['LC_ALL=C', command, ...args];
    const child = execFile('env', inEnglish, { timeout: commandTimeoutMs }, (error, stdout, stderr) =>
      resolve({ isDone: error === null, output: `${stdout}${stderr}`.trim() }),
    );
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}
