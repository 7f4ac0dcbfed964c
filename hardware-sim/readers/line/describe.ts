import { currencyOfNumeric } from '@florin/shared/reader-line/currencies.ts';
import { decodeFrame, type Fields, type Frame } from '@florin/shared/reader-line/frame.ts';
import { holdsPan } from '@florin/shared/reader-line/pan.ts';
import type { Happening } from '../../timeline/timeline.ts';

const shownCharacters = 1024;

/** A line in words. Card blocks are replaced by their length, and lines that may contain a card number are hidden. */
export function describeLine(line: string, lane: 'terminal' | 'reader'): Happening {
  if (holdsPan(line))
    return { lane, text: 'Hidden: it may hold a card number', frame: { name: 'hidden', raw: '(hidden)' } };
  const raw = maskLine(line);
  const decoded = decodeFrame(line);
  if (!decoded.ok) {
    const reason = decoded.refusal.kind.replaceAll('_', ' ');
    return { lane, text: `Not a valid line: ${reason}`, frame: { name: 'invalid', raw } };
  }
  const frame = decoded.value;
  const name = `${frame.verb} ${String(frame.sequence).padStart(4, '0')}`;
  return { lane, text: wordsOf(frame), frame: { name, raw }, isRoutine: frame.verb === 'PING' || frame.verb === 'KEY' };
}

function maskLine(line: string): string {
  const printable = line.replace(/[^\x20-\x7e]/g, '·').slice(0, shownCharacters);
  return printable.replace(/block=(\S+?)(?=\s)/, (_, block: string) => `block=(${block.length})`);
}

function wordsOf(frame: Frame): string {
  const { kind, verb, fields } = frame;
  if (kind === 'C') return `Result of ${fields.txn} is stored`;
  if (kind === 'R') return `Result: ${outcomeWords(fields)}`;
  const known: Words = kind === 'Q' ? requests : kind === 'E' ? events : answers;
  const words = Object.hasOwn(known, verb) ? known[verb] : undefined;
  return words?.(fields) ?? `Unknown: ${verb}`;
}

type Words = Readonly<Record<string, (fields: Fields) => string>>;

const requests: Words = {
  HELLO: ({ host, proto }) => `Opens a session as ${host}, protocol ${proto}`,
  CAPS: () => 'What can you do?',
  STATE: () => 'What is your state?',
  PING: () => 'Are you there?',
  DISPLAY: ({ text }) => (text === '' ? 'Show nothing when idle' : `Show “${text}” when idle`),
  PAY: fields => `Take ${amountWords(fields)} for ${fields.txn}, within ${fields.tmo} s`,
  TIP: fields => `Ask for a tip on ${amountWords(fields)}`,
  AUTH: ({ outcome, auth, code }) =>
    `The bank’s answer: ${outcome === 'unknown' ? 'none, the outcome is unknown' : `${outcome}${detail([auth, code && `code ${code}`])}`}`,
  CANCEL: ({ txn }) => `Cancel ${txn}`,
  LAST: ({ txn }) => `What became of ${txn}?`,
  REVERSE: ({ txn }) => `The bank reversed ${txn}`,
  REBOOT: () => 'Restart',
};

const answers: Words = {
  HELLO: ({ serial, model, fw, bat, unconf }) =>
    `Session is open: ${[model, serial, fw && `firmware ${fw}`, bat && `battery ${bat} %`].filter(Boolean).join(', ')}${waiting(unconf)}`,
  CAPS: ({ caps }) => `Can do ${caps?.replaceAll(',', ', ')}`,
  STATE: stateWords,
  PING: stateWords,
  DISPLAY: () => 'Shown',
  PAY: ({ txn }) => `Accepts ${txn}`,
  TIP: () => 'Asks the customer',
  AUTH: () => 'Has the bank’s answer',
  CANCEL: ({ txn }) => `Will cancel ${txn} if it still can`,
  LAST: fields => `${fields.txn}: ${lastWords(fields)}`,
  REVERSE: ({ txn }) => `Notes ${txn} as reversed`,
  REBOOT: () => 'Restarts',
  RESULT: ({ txn }) => `Notes that the result of ${txn} is stored`,
  ERR: ({ code, txn }) => `Refuses: ${code}${detail([txn])}`,
};

const stages: Readonly<Record<string, string>> = {
  present: 'Waits for a card',
  tap: 'A card was tapped',
  inserted: 'A card was inserted',
  swiped: 'A card was swiped',
  app: 'Reads the card',
  pin: 'Asks for the PIN',
  pin_retry: 'The PIN was wrong',
  online: 'Asks the bank through the terminal',
  remove: 'Waits for the card to be removed',
};

const events: Words = {
  STAGE: ({ stage = '', left, entry }) =>
    `${stages[stage] ?? stage}${left === undefined ? '' : `, ${left} tries left`}${entry === undefined ? '' : `, by ${entry} only`}`,
  ONLINE: fields =>
    `Asks for authorisation: ${cardWords(fields)}${fields.part === '1/1' ? '' : `, part ${fields.part}`}`,
  BATTERY: ({ bat }) => `Battery at ${bat} %`,
  CARD: ({ card }) => (card === '1' ? 'A card is in the slot' : 'The slot is empty'),
  TAMPER: ({ tamper }) => (tamper === '1' ? 'Tamper switch opened' : 'Tamper switch closed'),
  KEY: ({ digits }) => (digits === '1' ? '1 digit is typed' : `${digits} digits are typed`),
  TIPPED: ({ tip }) => (tip === '0' ? 'No tip' : `A tip of ${tip} in the smallest unit`),
  BOOT: () => 'Has restarted',
};

function stateWords({ state, stage, txn, unconf }: Fields): string {
  const doing = state === 'busy' ? `Busy with ${txn}, ${stages[stage ?? '']?.toLowerCase() ?? stage}` : 'Idle';
  return `${doing}${waiting(unconf)}`;
}

function waiting(unconfirmed: string | undefined): string {
  return unconfirmed === undefined ? '' : `; the result of ${unconfirmed} is not confirmed`;
}

function lastWords(fields: Fields): string {
  if (fields.state === 'unknown') return 'never heard of it';
  if (fields.state === 'active') return `in progress, ${stages[fields.stage ?? '']?.toLowerCase() ?? fields.stage}`;
  return fields.state === 'reversed' ? 'reversed' : outcomeWords(fields);
}

function outcomeWords(fields: Fields): string {
  const { outcome = '', by, code, hostcode, auth } = fields;
  const who = by === undefined ? '' : ` by the ${by === 'host' ? 'bank' : by}`;
  return `${outcome}${who}${detail([code, hostcode && `code ${hostcode}`, auth && `authorisation ${auth}`, cardWords(fields)])}`;
}

function cardWords({ brand, pan, entry, cvm }: Fields): string {
  const verification = cvm === undefined || cvm === 'none' ? undefined : cvm === 'pin' ? 'PIN verified' : cvm;
  return [brand, pan && `ending ${pan.slice(-4)}`, entry, verification].filter(Boolean).join(' ');
}

function detail(parts: readonly (string | undefined)[]): string {
  const known = parts.filter(Boolean);
  return known.length === 0 ? '' : `, ${known.join(', ')}`;
}

function amountWords({ amt = '0', cur = '', exp = '0' }: Fields): string {
  const decimals = Number(exp);
  const digits = amt.padStart(decimals + 1, '0');
  const value = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return `${currencyOfNumeric(cur) ?? cur} ${value}`;
}
