import { err, ok, type Result } from '@florin/shared/result.ts';
import { z } from 'zod';
import { wallet } from './cards/wallet.ts';
import { faultNames } from './faults/armed.ts';
import { readerDeclines } from './readers/dialogue.ts';

/**
 * All actions of a tester on the simulated reader, the same for the page, the HTTP interface, scenario files and tests.
 */
const card = z.enum(wallet.map(({ id }) => id));
const padKeys = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'enter', 'clear', 'cancel'] as const;
const lines = z.int().min(1).max(1000).default(1);
const milliseconds = z.int().min(0).max(600_000);

/** `false` suppresses the line that announces the reader's restart. */
const announced = z.boolean().default(true);

const unplugModes = ['clean', 'before_line', 'mid_line', 'after_line', 'on_request'] as const;

export const action = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('insert'), card }),
  z.strictObject({ do: z.literal('tap'), card }),
  z.strictObject({ do: z.literal('swipe'), card }),
  z.strictObject({ do: z.literal('remove') }),
  z.strictObject({ do: z.literal('key'), key: z.enum(padKeys) }),
  /** Enters the correct or a wrong PIN and presses the green key. */
  z.strictObject({ do: z.literal('pin'), pin: z.enum(['ok', 'wrong']) }),
  z.strictObject({ do: z.literal('decline'), reason: z.enum([...readerDeclines, 'none']) }),
  z.strictObject({
    do: z.literal('unplug'),
    /** `clean` at once; the others at the `afterLines`-th next line of the reader or request of the host. */
    mode: z.enum(unplugModes).default('clean'),
    afterLines: lines,
  }),
  z.strictObject({ do: z.literal('replug'), path: z.enum(['same', 'new']).default('same') }),
  /** How long the reader waits for the host's answer, in its next transactions. */
  z.strictObject({ do: z.literal('host_timeout'), ms: milliseconds }),
  z.strictObject({ do: z.literal('reboot'), announced }),
  /** Deletes every transaction, as after a repair, and restarts. */
  z.strictObject({ do: z.literal('wipe'), announced }),
  z.strictObject({ do: z.literal('battery'), percent: z.int().min(0).max(100) }),
  z.strictObject({ do: z.literal('tamper'), open: z.boolean() }),
  z.strictObject({ do: z.literal('latency'), ms: milliseconds, jitterMs: milliseconds.default(0) }),
  z.strictObject({
    do: z.literal('garbage'),
    bytes: z.int().min(1).max(10_000_000),
    lineFeeds: z.boolean().default(true),
  }),
  z.strictObject({ do: z.literal('flip'), lines }),
  z.strictObject({ do: z.literal('drop'), lines }),
  z.strictObject({ do: z.literal('duplicate'), lines }),
  /** The reader stops reading and answering; 0 ends it. */
  z.strictObject({ do: z.literal('stall'), on: z.boolean() }),
  /** The next result is never sent. */
  z.strictObject({ do: z.literal('lose_result') }),
  /** Disconnects the cable in place of the next approval. */
  z.strictObject({ do: z.literal('approve_then_unplug') }),
  /** Clears an armed fault, or all of them. */
  z.strictObject({ do: z.literal('clear'), fault: z.enum([...faultNames, 'decline']).optional() }),
  /** Sends this text as a line, without a checksum. */
  z.strictObject({ do: z.literal('say'), text: z.string().max(2000) }),
]);
export type Action = z.output<typeof action>;
/** The input form, with optional defaults. */
export type ActionInput = z.input<typeof action>;

export type ActionRefusal =
  | { readonly kind: 'unknown_action'; readonly text: string }
  | { readonly kind: 'bad_action'; readonly message: string };

/** Parses the text form of scenario files: `insert visa`, `pin ok`, `unplug mid_line 3`, `battery 5`. */
export function parseAction(text: string): Result<Action, ActionRefusal> {
  const [verb = '', first, second] = text.trim().split(/\s+/);
  const number = (value: string | undefined) => (value === undefined ? undefined : Number(value));
  const shapes: Record<string, () => unknown> = {
    insert: () => ({ card: first }),
    tap: () => ({ card: first }),
    swipe: () => ({ card: first }),
    remove: () => ({}),
    key: () => ({ key: first }),
    pin: () => ({ pin: first }),
    decline: () => ({ reason: first }),
    unplug: () => ({ mode: first, afterLines: number(second) }),
    replug: () => ({ path: first }),
    host_timeout: () => ({ ms: number(first) }),
    reboot: () => ({ announced: first !== 'silent' }),
    wipe: () => ({ announced: first !== 'silent' }),
    battery: () => ({ percent: number(first) }),
    tamper: () => ({ open: first !== 'off' }),
    latency: () => ({ ms: number(first), jitterMs: number(second) }),
    garbage: () => ({ bytes: number(first) }),
    flip: () => ({ lines: number(first) }),
    drop: () => ({ lines: number(first) }),
    duplicate: () => ({ lines: number(first) }),
    stall: () => ({ on: first !== 'off' }),
    lose_result: () => ({}),
    approve_then_unplug: () => ({}),
    clear: () => ({ fault: first }),
  };
  const shape = Object.hasOwn(shapes, verb) ? shapes[verb] : undefined;
  if (shape === undefined) return err({ kind: 'unknown_action', text });
  const parsed = action.safeParse({ do: verb, ...(shape() as object) });
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  return err({ kind: 'bad_action', message: `${text}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}` });
}
