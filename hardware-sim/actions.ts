import { err, ok, type Result } from '@florin/shared/result.ts';
import { z } from 'zod';
import { wallet } from './cards/wallet.ts';
import { faultNames } from './faults/armed.ts';
import { readerDeclines } from './readers/dialogue.ts';

/**
 * All actions of a tester on the simulated reader, the bank and the node, the same for the page, the HTTP interface,
 * scenario files and tests. ACTIONS.md is made from them.
 */
const card = z.enum(wallet.map(({ id }) => id));
const padKeys = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'enter', 'clear', 'cancel'] as const;
const lines = z.int().min(1).max(1000).default(1);
const milliseconds = z.int().min(0).max(600_000);
/** In a scenario `silent` for false: the line that announces the reader's restart is not sent. */
const announced = z.boolean().default(true);
const unplugModes = ['clean', 'before_line', 'mid_line', 'after_line', 'on_request'] as const;
/** Why a bank declines, and the code with which it says so (ISO 8583, field 39). */
export const declineCodes = { decline: 5, refer: 1, keepCard: 4, insufficientFunds: 51, expiredCard: 54 } as const;
export type BankDecline = keyof typeof declineCodes;
/** Whether the fault is a decline, rather than one of the connection. */
export const isBankDecline = (fault: string): fault is BankDecline => fault in declineCodes;
/** Beside them the faults of the sandbox's card gateway that need no more than a delay: backend/programs/sandbox/README.md. */
const bankFaults = [
  'decline',
  'refer',
  'keepCard',
  'insufficientFunds',
  'expiredCard',
  'loseReply',
  'dropRequest',
  'delay',
  'applyLate',
  'hang',
  'unavailable',
  'garbage',
  'cutReply',
  'badSignature',
] as const;
export const bankRequests = ['sale', 'void', 'refund', 'any'] as const;
/** The same of the sandbox's bitcoin node. */
const nodeFaults = [
  'loseReply',
  'dropRequest',
  'delay',
  'applyLate',
  'hang',
  'serverError',
  'garbage',
  'walletLocked',
] as const;
const delayMs = milliseconds.default(5_000).meta({ description: 'only with `delay` and `applyLate`' });

export const action = z.discriminatedUnion('do', [
  z
    .strictObject({ do: z.literal('insert'), card })
    .meta({ description: 'Inserts a card', examples: ['insert visa-debit'] }),
  z
    .strictObject({ do: z.literal('tap'), card })
    .meta({ description: 'Holds a card to the reader', examples: ['tap visa'] }),
  z
    .strictObject({ do: z.literal('swipe'), card })
    .meta({ description: 'Swipes a card', examples: ['swipe mastercard'] }),
  z.strictObject({ do: z.literal('remove') }).meta({ description: 'Removes the inserted card', examples: ['remove'] }),
  z
    .strictObject({ do: z.literal('key'), key: z.enum(padKeys) })
    .meta({ description: 'Presses a key of the PIN pad', examples: ['key enter'] }),
  z
    .strictObject({ do: z.literal('pin'), pin: z.enum(['ok', 'wrong']) })
    .meta({ description: 'Enters the correct or a wrong PIN and presses the green key', examples: ['pin ok'] }),
  z.strictObject({ do: z.literal('decline'), reason: z.enum([...readerDeclines, 'none']) }).meta({
    description: 'Lets the reader or the card decline the next transaction',
    examples: ['decline card_expired'],
  }),
  z.strictObject({ do: z.literal('unplug'), mode: z.enum(unplugModes).default('clean'), afterLines: lines }).meta({
    description:
      'Pulls the cable: at once (`clean`), or at the `afterLines`-th next line of the reader or request of the terminal',
    examples: ['unplug', 'unplug mid_line 3'],
  }),
  z.strictObject({ do: z.literal('replug'), path: z.enum(['same', 'new']).default('same') }).meta({
    description: 'Plugs the cable in again, into the same socket or another',
    examples: ['replug', 'replug new'],
  }),
  z.strictObject({ do: z.literal('host_timeout'), ms: milliseconds }).meta({
    description: 'How long the reader waits for the terminal’s answer, from now on',
    examples: ['host_timeout 2000'],
  }),
  z
    .strictObject({ do: z.literal('reboot'), announced })
    .meta({ description: 'Restarts the reader', examples: ['reboot', 'reboot silent'] }),
  z
    .strictObject({ do: z.literal('wipe'), announced })
    .meta({ description: 'Deletes every transaction, as after a repair, and restarts the reader', examples: ['wipe'] }),
  z
    .strictObject({ do: z.literal('battery'), percent: z.int().min(0).max(100) })
    .meta({ description: 'The charge of the battery', examples: ['battery 5'] }),
  z
    .strictObject({ do: z.literal('tamper'), open: z.boolean() })
    .meta({ description: 'The switch that notices an opened reader', examples: ['tamper on', 'tamper off'] }),
  z
    .strictObject({ do: z.literal('latency'), ms: milliseconds, jitterMs: milliseconds.default(0) })
    .meta({ description: 'Delays every byte on the line, by up to `jitterMs` more', examples: ['latency 200 50'] }),
  z
    .strictObject({
      do: z.literal('garbage'),
      bytes: z.int().min(1).max(10_000_000),
      lineFeeds: z.boolean().default(true),
    })
    .meta({
      description: 'Noise on the line; with `off` without line ends',
      examples: ['garbage 400', 'garbage 400 off'],
    }),
  z
    .strictObject({ do: z.literal('flip'), lines })
    .meta({ description: 'One wrong bit in each of the reader’s next lines', examples: ['flip 3'] }),
  z
    .strictObject({ do: z.literal('drop'), lines })
    .meta({ description: 'The reader’s next lines are lost', examples: ['drop'] }),
  z
    .strictObject({ do: z.literal('duplicate'), lines })
    .meta({ description: 'The reader’s next lines arrive twice', examples: ['duplicate 2'] }),
  z
    .strictObject({ do: z.literal('stall'), on: z.boolean() })
    .meta({ description: 'The reader stops reading and answering', examples: ['stall on', 'stall off'] }),
  z
    .strictObject({ do: z.literal('lose_result') })
    .meta({ description: 'The next result is never sent', examples: ['lose_result'] }),
  z
    .strictObject({ do: z.literal('approve_then_unplug') })
    .meta({ description: 'Pulls the cable in place of the next approval', examples: ['approve_then_unplug'] }),
  z
    .strictObject({ do: z.literal('clear'), fault: z.enum([...faultNames, 'decline']).optional() })
    .meta({ description: 'Clears an armed fault, or all of them', examples: ['clear', 'clear drop'] }),
  z
    .strictObject({ do: z.literal('say'), text: z.string().max(2000) })
    .meta({ description: 'Sends the rest of the text as a line, without a checksum', examples: ['say E 0001 BOOT'] }),
  z
    .strictObject({ do: z.literal('wait'), ms: milliseconds })
    .meta({ description: 'Does nothing for so long, before the next action', examples: ['wait 500'] }),
  z
    .strictObject({
      do: z.literal('bank'),
      fault: z.enum(bankFaults),
      request: z.enum(bankRequests).default('sale'),
      delayMs,
    })
    .meta({
      description:
        'What the bank does with the next sale, void, refund or any request (needs `--bank`). ' +
        'A ZVT reader has a bank of its own, which declines, delays or does not answer the next sale',
      examples: ['bank refer', 'bank loseReply', 'bank hang refund', 'bank delay sale 8000'],
    }),
  z.strictObject({ do: z.literal('node'), fault: z.enum(nodeFaults), delayMs }).meta({
    description: 'What the bitcoin node does with the next request (needs `--node`)',
    examples: ['node hang', 'node delay 3000'],
  }),
]);
export type Action = z.output<typeof action>;
export type BankAction = Extract<Action, { do: 'bank' }>;
/** The input form, with optional defaults. */
export type ActionInput = z.input<typeof action>;

export type ActionRefusal =
  | { readonly kind: 'unknown_action'; readonly text: string }
  | { readonly kind: 'bad_action'; readonly message: string };

/** The parameters of each action, in the order in which its text form names them. */
const parameters = new Map(
  action.options.map(({ shape: { do: verb, ...others } }): [string, [string, z.ZodType][]] => [
    verb.value,
    Object.entries(others),
  ]),
);

/** Parses the text form of scenario files: `insert visa`, `pin ok`, `unplug mid_line 3`, `battery 5`. */
export function parseAction(text: string): Result<Action, ActionRefusal> {
  const [verb = '', ...words] = text.trim().split(/\s+/);
  const names = parameters.get(verb);
  if (names === undefined) return err({ kind: 'unknown_action', text });
  if (verb !== 'say' && words.length > names.length)
    return err({ kind: 'bad_action', message: `${text}: takes ${names.length} words at most` });
  const given = verb === 'say' ? [words.join(' ')] : words;
  const values = given.map((word, at): [string, unknown] => {
    const [name = '', type] = names[at] ?? [];
    return [name, parameterOf(word, type)];
  });
  const parsed = action.safeParse({ do: verb, ...Object.fromEntries(values) });
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  return err({ kind: 'bad_action', message: `${text}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}` });
}

const switches: Readonly<Record<string, boolean>> = { on: true, off: false, silent: false };

/** The shortest text form of an action, which `parseAction` reads. */
export function textOf(given: Action): string {
  const { do: verb, ...values } = given;
  const words = Object.entries(values).map(([name, value]) => {
    if (typeof value !== 'boolean') return String(value);
    return value ? 'on' : name === 'announced' ? 'silent' : 'off';
  });
  const meant = JSON.stringify(given);
  const says = (some: readonly string[]) => {
    const read = parseAction([verb, ...some].join(' '));
    return read.ok && JSON.stringify(read.value) === meant;
  };
  while (words.length > 0 && says(words.slice(0, -1))) words.pop();
  return [verb, ...words].join(' ');
}

/** A number or a switch where the parameter is none of the words it takes. */
function parameterOf(word: string, type: z.ZodType | undefined): unknown {
  if (type === undefined || type.safeParse(word).success) return word;
  return switches[word] ?? Number(word);
}
