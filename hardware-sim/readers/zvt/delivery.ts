import { type Timers, wait } from '@florin/shared/ports.ts';
import type { EcrLine } from './ecr-line.ts';
import { text437 } from './status.ts';
import { apdu, tlv } from './wire.ts';

/** What the till made of a result: `unheard` if it never answered. */
export type Delivered = 'acknowledged' | 'refused' | 'unheard';

/** After "not yet" the result is sent again; without an answer too, until the till had this long. */
const againMs = 2000;
const patienceMs = 30_000;
const maxBlockBytes = 900;
/** Whom a receipt is for, in the protocol's numbers. */
const copies = { merchant: 1, customer: 2, administration: 3 } as const;
type Copy = keyof typeof copies;

/** Brings a status information to the till. */
export async function deliverStatus(options: {
  line: EcrLine;
  timers: Timers;
  body: Buffer;
  isApproval: boolean;
  /** The reader was restarted. */
  signal: AbortSignal;
}): Promise<Delivered> {
  const { line, timers, body, isApproval, signal } = options;
  let isLate = false;
  const stop = timers.after(patienceMs, () => {
    isLate = true;
  });
  let result: Delivered | undefined;
  while (result === undefined && !signal.aborted) {
    const answer = await line.tell(apdu('040f', body), isApproval ? 'approval' : 'result');
    const code = answer.kind === 'answered' ? answer.apdu.toString('hex', 0, 2) : undefined;
    if (code === '8000' || code === '8400') result = 'acknowledged';
    else if (code !== undefined && code !== '849c') result = 'refused';
    else if (isLate) result = 'unheard';
    else await wait(timers, againMs, signal);
  }
  stop();
  return result ?? 'unheard';
}

/** Has the till print a receipt; false if it did not answer. */
export async function deliverReceipt(
  line: EcrLine,
  how: { readonly inBlocks: boolean; readonly copy: Copy },
  lines: readonly string[],
): Promise<boolean> {
  const messages = how.inBlocks ? blocksOf(how.copy, lines) : linesOf(lines);
  for (const message of messages) if ((await line.tell(message)).kind === 'lost') return false;
  return true;
}

/** The attribute of the last line, which ends a receipt. */
const lastLine = 0x81;

function linesOf(lines: readonly string[]): readonly Buffer[] {
  return lines.map((line, index) =>
    apdu('06d1', Buffer.from([index === lines.length - 1 ? lastLine : 0]), text437(line)),
  );
}

function blocksOf(copy: Copy, lines: readonly string[]): readonly Buffer[] {
  const kind = tlv('1f07', Buffer.from([copies[copy]]));
  const blocks: Buffer[][] = [[]];
  for (const line of lines) {
    const one = tlv('07', text437(line));
    const block = blocks.at(-1) ?? [];
    if (Buffer.concat(block).length + one.length > maxBlockBytes) blocks.push([one]);
    else block.push(one);
  }
  return blocks.map((block, index) => {
    const end = index === blocks.length - 1 ? [tlv('09', Buffer.from([lastLine]))] : [];
    return apdu('06d3', tlv('06', kind, tlv('25', ...block, ...end)));
  });
}
