import type { HostAnswer, ReaderOutcome } from '../reader.ts';
import { type CheckBench, CheckFailure } from './bench.ts';

export type CheckStep = {
  readonly title: string;
  /** What the person does. */
  readonly todo: string;
  readonly applies?: (bench: CheckBench) => boolean;
  /** Returns what was seen. @throws CheckFailure if that must not be */
  readonly run: (bench: CheckBench) => Promise<string>;
};

const byHost = (bench: CheckBench) => bench.isHostAuthorised;
const byReader = (bench: CheckBench) => !bench.isHostAuthorised;
const present = 'Hold or insert a card when the reader asks for it.';
const noCardMs = 10_000;

/** An outcome in words, without card data. */
export function outcomeText(outcome: ReaderOutcome): string {
  switch (outcome.kind) {
    case 'approved':
      return `approved, ${outcome.card.entryMode}`;
    case 'declined':
      return `declined by the ${outcome.by} (${outcome.code})`;
    case 'cancelled':
      return `cancelled by ${outcome.by}`;
    case 'timed_out':
      return 'no card in time';
    case 'not_available':
      return `not started: ${outcome.reason}`;
    case 'unknown':
      return 'contact lost';
  }
}

function expectKind(outcome: ReaderOutcome, ...kinds: ReaderOutcome['kind'][]): string {
  if (!kinds.includes(outcome.kind)) throw new CheckFailure(`${outcomeText(outcome)}, expected ${kinds.join(' or ')}`);
  return outcomeText(outcome);
}

function expectAsked(bench: CheckBench, transactionId: string, times: number): void {
  const asked = bench.askedFor(transactionId);
  if (bench.isHostAuthorised && asked !== times)
    throw new CheckFailure(`the bank was asked ${asked} times, not ${times}`);
}

/** A sale that ends in one way, which is then confirmed. */
async function aSale(
  bench: CheckBench,
  request: Omit<Parameters<CheckBench['sale']>[0], 'transactionId'>,
  ...kinds: ReaderOutcome['kind'][]
): Promise<string> {
  const transactionId = bench.newId();
  const outcome = await bench.sale({ ...request, transactionId });
  const saw = expectKind(outcome, ...kinds);
  await bench.confirm(transactionId);
  return saw;
}

const answers = (answer: HostAnswer) => async () => answer;

/** Says something once the reader asks for a card. */
function whenAsked(act: () => unknown) {
  let isTold = false;
  return (stage: string) => {
    if (stage !== 'present_card' || isTold) return;
    isTold = true;
    void act();
  };
}

async function interrupted(bench: CheckBench, what: string): Promise<string> {
  const transactionId = bench.newId();
  const onStage = whenAsked(() => bench.person.say(what));
  const first = await bench.sale({ transactionId, onStage, timeoutMs: 120_000 });
  const outcome = first.kind === 'unknown' ? await bench.settled(transactionId, { resumes: false }) : first;
  await bench.confirm(transactionId);
  if (typeof outcome === 'string')
    return outcome === 'forgotten' ? 'the reader forgot the sale' : 'the sale had not begun';
  expectAsked(bench, transactionId, 0);
  return expectKind(outcome, 'cancelled', 'timed_out', 'declined');
}

/** The steps in order; those that move the cable come last. */
export const checkSteps: readonly CheckStep[] = [
  {
    title: 'The reader is found',
    todo: 'Connect the reader and switch it on.',
    async run(bench) {
      await bench.ready();
      const { serial = 'unknown', firmware = 'unknown', batteryPercent } = bench.reader.status();
      return `serial ${serial}, firmware ${firmware}${batteryPercent === undefined ? '' : `, battery ${batteryPercent} %`}`;
    },
  },
  {
    title: 'A sale is approved, once, and its result can be asked for again',
    todo: present,
    async run(bench) {
      const transactionId = bench.newId();
      const saw = expectKind(await bench.sale({ transactionId }), 'approved');
      expectAsked(bench, transactionId, 1);
      const memory = await bench.reader.last(transactionId);
      if (memory.kind !== 'done' || memory.outcome.kind !== 'approved')
        throw new CheckFailure(`asked again before it was confirmed, the reader says ${memory.kind}`);
      if (bench.isHostAuthorised) {
        expectKind(await bench.sale({ transactionId }), 'approved');
        expectAsked(bench, transactionId, 1);
      }
      await bench.confirm(transactionId);
      return saw;
    },
  },
  {
    title: 'The bank declines',
    todo: `${present} The bank of this check declines.`,
    applies: byHost,
    run: bench => aSale(bench, { answer: answers({ kind: 'declined', hostCode: '05' }) }, 'declined'),
  },
  {
    title: 'The bank declines',
    todo: 'Present a card that your bank declines. Leave the step out if you have none.',
    applies: byReader,
    run: bench => aSale(bench, {}, 'declined'),
  },
  {
    title: 'The bank’s answer is not known',
    todo: `${present} The reader must not say that it is approved.`,
    applies: byHost,
    run: bench => aSale(bench, { answer: answers({ kind: 'unknown' }) }, 'declined', 'cancelled'),
  },
  {
    title: 'The customer cancels',
    todo: 'Press the reader’s red key when it asks for a card.',
    run: bench => aSale(bench, {}, 'cancelled'),
  },
  {
    title: 'Staff cancel',
    todo: 'Do nothing: the sale is cancelled from here when the reader asks for a card.',
    async run(bench) {
      const transactionId = bench.newId();
      const onStage = whenAsked(() => bench.reader.cancel(transactionId));
      const saw = expectKind(await bench.sale({ transactionId, onStage }), 'cancelled');
      await bench.confirm(transactionId);
      return saw;
    },
  },
  {
    title: 'Nobody presents a card',
    todo: 'Do nothing for ten seconds.',
    run: bench => aSale(bench, { timeoutMs: noCardMs }, 'timed_out', 'cancelled'),
  },
  {
    title: 'The customer adds a tip',
    todo: 'Choose the first suggestion, 10 %, on the reader.',
    applies: ({ reader }) => reader.askTip !== undefined,
    async run(bench) {
      const choices = [{ percent: 10, tipMinor: 100 }];
      const question = { transactionId: bench.newId(), amount: bench.amount(1_000), choices, timeoutMs: 60_000 };
      const answer = await bench.reader.askTip?.(question);
      if (answer?.kind !== 'chosen' || answer.tipMinor !== 100) throw new CheckFailure(`the answer is ${answer?.kind}`);
      return '10 % chosen';
    },
  },
  {
    title: 'A sale is refunded',
    todo: 'Present the card of the first sale.',
    applies: byReader,
    async run(bench) {
      const [sale] = bench.taken;
      if (!sale) throw new CheckFailure('no sale was approved before');
      return expectKind(await bench.refund(sale), 'approved');
    },
  },
  {
    title: 'The cable is pulled before a card is presented',
    todo: 'Wait until you are told to pull the cable.',
    run: bench => interrupted(bench, 'Pull the cable now, wait five seconds, and plug it in again. Present no card.'),
  },
  {
    title: 'The reader is switched off before a card is presented',
    todo: 'Wait until you are told to switch it off.',
    run: bench => interrupted(bench, 'Switch the reader off now, and on again. Present no card.'),
  },
  {
    title: 'The cable is pulled while the bank answers',
    todo: `${present} Then wait until you are told to pull the cable.`,
    applies: byHost,
    async run(bench) {
      const transactionId = bench.newId();
      const answer = async (): Promise<HostAnswer> => {
        bench.person.say('Pull the cable now, wait five seconds, and plug it in again.');
        await bench.lost();
        return { kind: 'approved', authorisationCode: '123456', hostCode: '00' };
      };
      const first = await bench.sale({ transactionId, answer });
      const outcome = first.kind === 'unknown' ? await bench.settled(transactionId, { resumes: true }) : first;
      await bench.confirm(transactionId);
      if (outcome === 'forgotten' || outcome === 'not_begun')
        throw new CheckFailure(`the reader has lost the sale: ${outcome}`);
      expectAsked(bench, transactionId, 1);
      const saw = expectKind(outcome, 'approved', 'declined', 'cancelled', 'timed_out');
      return outcome.kind === 'approved' ? saw : `${saw}: a terminal reverses it at the bank`;
    },
  },
  {
    title: 'The cable is pulled while the bank is asked',
    todo: 'Present a card, and pull the cable as soon as the reader says that it is connecting or waiting. Then plug it in again.',
    applies: byReader,
    async run(bench) {
      const transactionId = bench.newId();
      const first = await bench.sale({ transactionId });
      const outcome = first.kind === 'unknown' ? await bench.settled(transactionId, { resumes: false }) : first;
      await bench.confirm(transactionId);
      if (outcome === 'forgotten') return 'the reader cannot say: a person decides from the bank’s records';
      if (outcome === 'not_begun') return 'nothing was charged';
      return expectKind(outcome, 'approved', 'declined', 'cancelled', 'timed_out');
    },
  },
];
