import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Cancel, Timers } from '@florin/shared/ports.ts';
import { pointLink } from '../pty/link.ts';
import { openPty } from '../pty/open.ts';
import type { PtyBackend } from '../pty/pty.ts';
import { bytesOf, escaped } from './escapes.ts';

/** After this silence a row is printed that has no line feed: a frame of a binary protocol, or half a line. */
const silenceMs = 50;

export type RawOptions = {
  readonly timers: Timers;
  /** What a person or a program writes for the reader, a row at a time. */
  readonly input: Readable;
  readonly print: (row: string) => void;
  readonly complain: (message: string) => void;
  readonly link?: string | undefined;
  readonly backend?: PtyBackend | undefined;
};

/**
 * A serial port without a reader behind it: what the driver writes is printed, and what is typed is sent, both as the
 * same escaped text. `ended` resolves at the end of the input.
 */
export async function playByHand({ timers, input, print, complain, link, backend }: RawOptions) {
  const pty = await openPty(backend);
  if (link !== undefined) pointLink(link, pty.path);
  let received = Buffer.alloc(0);
  let printsRest: Cancel | undefined;
  const printRow = (row: Buffer) => row.length > 0 && print(escaped(row));

  pty.onData(bytes => {
    printsRest?.();
    received = Buffer.concat([received, bytes]);
    for (let end = received.indexOf('\n'); end >= 0; end = received.indexOf('\n')) {
      printRow(received.subarray(0, end + 1));
      received = received.subarray(end + 1);
    }
    printsRest = timers.after(silenceMs, () => {
      printRow(received);
      received = Buffer.alloc(0);
    });
  });

  const rows = createInterface({ input });
  rows.on('line', row => {
    const bytes = bytesOf(row);
    if (bytes) pty.write(bytes);
    else complain('Not sent: a row is ASCII, with \\n, \\r, \\\\ and \\x00 to \\xff for other bytes');
  });
  const ended = new Promise<void>(resolve => rows.once('close', () => resolve())).then(() => pty.flushed());

  return {
    path: link ?? pty.path,
    backend: pty.backend,
    ended,
    close(): void {
      rows.close();
      printsRest?.();
      pty.close();
      if (link !== undefined) rmSync(link, { force: true });
    },
  };
}
