import type {
  CardReader,
  HostAnswer,
  ReadCard,
  ReaderAlarm,
  ReaderMemory,
  ReaderOutcome,
  ReaderStage,
  ReaderStatus,
} from '@florin/device/readers/reader.ts';
import { openPty } from '@florin/hardware-sim/pty/open.ts';
import type { Timers } from '@florin/shared/ports.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { isInPart } from '../../support/part.ts';

/** When the cable is pulled: at a line of the reader, or at a request of the till. */
export type UnplugPoint = 'before_line' | 'mid_line' | 'after_line' | 'on_request';

/** A driver on the real serial port library, and a program that plays its reader at the other end of a pseudo-terminal. */
export type ReaderUnderTest = {
  readonly reader: CardReader;
  readonly path: string;
  readonly timers: Timers;
  readonly alarms: readonly ReaderAlarm[];
  /** Everything the driver logged. */
  readonly logged: readonly string[];
  /** Opens the driver a second time, as another program would. */
  open(paths: readonly string[]): CardReader;
  customer(does: 'insert' | 'tap' | 'remove' | 'cancel'): Promise<void>;
  /** The bank behind the terminal or the reader, depending on the driver's `authorisation`. */
  readonly bank: BankUnderTest;
  readonly line: LineUnderTest;
  /** Turns the reader's power off and on. */
  restart(): Promise<void>;
  /** Restarts the reader with an empty memory. */
  forget(): Promise<void>;
  close(): Promise<void>;
};

export type BankAnswer = 'approved' | 'declined' | 'unknown';
export type BankUnderTest = {
  /** Sets the next answer; by default the bank approves. */
  answersNext(answer: BankAnswer | Promise<BankAnswer>): void;
  /** The till's answer to an `authorise` of the driver. */
  authorise(transactionId: string, card: ReadCard): Promise<HostAnswer>;
  /** The number of charges requested for this transaction. */
  chargesOf(transactionId: string): number;
  /** Settles everything taken so far; present only if the reader can void. */
  settle?(): void;
};

export type LineUnderTest = {
  unplug(): Promise<void>;
  replug(path?: 'same' | 'new'): Promise<void>;
  unplugAt(point: UnplugPoint, number: number): Promise<void>;
  /** The number of faults that still wait for their line. */
  waitingFaults(): number;
  /** Corrupts the next lines of the reader. */
  corrupt(fault: 'flip' | 'drop' | 'duplicate', lines: number): Promise<void>;
  /** Loses the nth line that the reader sends from now on. */
  lose(number: number): void;
  garbage(bytes: number, lineFeeds: boolean): Promise<void>;
  delay(ms: number, jitterMs: number): Promise<void>;
  /** The reader stops reading and answering. */
  stall(on: boolean): Promise<void>;
};

/** Each driver has a file that opens it; the suite below applies to all of them. */
export type DriverUnderTest = {
  readonly name: string;
  /** Over a network, where a reader has one address and nothing is damaged; by default over a serial line. */
  readonly medium?: 'serial' | 'network';
  /** How many lines the reader and how many requests the till sends in a tapped and confirmed sale; the cable is pulled at each. */
  readonly linesOfASale: number;
  readonly requestsOfASale: number;
  open(options?: { readonly seed?: number }): Promise<ReaderUnderTest>;
};

/** Resolves with the first status that satisfies the condition. */
export function statusOf(reader: CardReader, fits: (status: ReaderStatus) => boolean): Promise<ReaderStatus> {
  if (fits(reader.status())) return Promise.resolve(reader.status());
  return new Promise(resolve => {
    const stop = reader.onStatus(status => {
      if (!fits(status)) return;
      stop();
      resolve(status);
    });
  });
}

export const ready = (reader: CardReader) => statusOf(reader, ({ connection }) => connection === 'ready');
const lost = (reader: CardReader) =>
  statusOf(reader, ({ connection }) => connection !== 'ready' && connection !== 'busy');

type Scenario = {
  readonly amountMinor?: number;
  readonly currency?: string;
  readonly timeoutMs?: number;
  readonly customer?: 'insert' | 'tap' | 'cancel';
  readonly onStage?: (stage: ReaderStage) => void;
};

function sale(world: ReaderUnderTest, transactionId: string, scenario: Scenario = { customer: 'tap' }) {
  const stages: ReaderStage[] = [];
  const outcome = world.reader.sale({
    transactionId,
    amount: { amountMinor: scenario.amountMinor ?? 1250, currency: scenario.currency ?? 'GBP' },
    timeoutMs: scenario.timeoutMs ?? 60_000,
    onStage: stage => {
      stages.push(stage);
      scenario.onStage?.(stage);
      if (stage === 'present_card' && scenario.customer) void world.customer(scenario.customer);
    },
    authorise: card => world.bank.authorise(transactionId, card),
  });
  return { outcome, stages };
}

/** Recovers as a till does after contact was lost: queries the reader and resumes the sale until the outcome is known. */
async function settled(world: ReaderUnderTest, id: string, first: ReaderOutcome): Promise<ReaderOutcome> {
  let outcome = first;
  for (let round = 0; outcome.kind === 'unknown' || outcome.kind === 'not_available'; round += 1) {
    if (round === 20) throw new Error(`no outcome after twenty rounds: ${JSON.stringify(outcome)}`);
    await ready(world.reader);
    const memory: ReaderMemory = await world.reader.last(id);
    if (memory.kind === 'done') return memory.outcome;
    if (memory.kind === 'forgotten' || memory.kind === 'reversed') throw new Error(`the reader reports ${memory.kind}`);
    if (memory.kind !== 'unreachable') outcome = await sale(world, id).outcome;
  }
  return outcome;
}

/** The rules of the port over a real line. */
export function readerSuite(driver: DriverUnderTest): void {
  const { name, medium = 'serial', open, linesOfASale, requestsOfASale } = driver;
  const serialTest = test.skipIf(medium === 'network');
  describe(`the reader driver ${name}`, () => {
    let world: ReaderUnderTest;
    afterEach(() => world.close());
    const begin = async (options?: { seed?: number }) => {
      world = await open(options);
      await ready(world.reader);
      return world;
    };
    const charged = (id = 'sale_1') => world.bank.chargesOf(id);
    const approved = { kind: 'approved', card: { lastFour: expect.stringMatching(/^\d{4}$/) } };

    describe('finds its reader', () => {
      test('and reports its serial number and firmware', async () => {
        await begin();
        expect(world.reader.status()).toMatchObject({
          connection: 'ready',
          serial: expect.stringMatching(/./),
          firmware: expect.stringMatching(/./),
          bootId: expect.stringMatching(/./),
        });
      });

      test('beside a port with another device', async () => {
        await begin();
        await world.reader.close();
        const other = await openPty();
        other.onData(bytes => other.write(bytes));
        const reader = world.open([other.path, '/dev/there-is-no-such-port', world.path]);
        expect(await ready(reader)).toMatchObject({ connection: 'ready' });
        await reader.close();
        other.close();
      });

      serialTest('under another name, after it was plugged into another port', async () => {
        await begin();
        const { path } = world;
        await world.reader.close();
        const reader = world.open([path, `${path}-1`]);
        await ready(reader);
        const gone = lost(reader);
        await world.line.unplug();
        await gone;
        await world.line.replug('new');
        await ready(reader);
        expect(world.path).toBe(`${path}-1`);
        await reader.close();
      });

      serialTest('and does not contend for a port in use', async () => {
        await begin();
        const second = world.open([world.path]);
        expect(await statusOf(second, ({ attention }) => attention !== undefined)).toMatchObject({
          connection: 'searching',
          attention: 'in_use',
        });
        await world.reader.close();
        await ready(second);
        await second.close();
      });
    });

    describe('a sale', () => {
      test('can be approved by the bank', async () => {
        await begin();
        const { outcome, stages } = sale(world, 'sale_1');
        const approval = await outcome;
        expect(approval).toMatchObject({ ...approved, authorisationCode: expect.stringMatching(/./) });
        expect(stages[0]).toBe('present_card');
        expect(charged()).toBe(1);
        expect('processorReference' in approval).toBe(world.reader.authorisation === 'reader');
      });

      test('can be declined by the bank', async () => {
        await begin();
        world.bank.answersNext('declined');
        expect(await sale(world, 'sale_1').outcome).toMatchObject({ kind: 'declined', by: 'host' });
      });

      test('is declined by the reader if the bank’s answer is unknown', async () => {
        await begin();
        world.bank.answersNext('unknown');
        expect(await sale(world, 'sale_1').outcome).toMatchObject({ kind: 'declined', by: 'reader' });
      });

      test('can be cancelled by staff or the customer', async () => {
        await begin();
        const byStaff = sale(world, 'sale_1', { onStage: () => void world.reader.cancel('sale_1') });
        expect(await byStaff.outcome).toEqual({ kind: 'cancelled', by: 'staff' });
        await world.reader.confirm('sale_1');
        expect(await sale(world, 'sale_2', { customer: 'cancel' }).outcome).toEqual({
          kind: 'cancelled',
          by: 'customer',
        });
        expect([charged('sale_1'), charged('sale_2')]).toEqual([0, 0]);
      });

      test('times out without a card', async () => {
        await begin();
        expect(await sale(world, 'sale_1', { timeoutMs: 1000 }).outcome).toEqual({ kind: 'timed_out' });
      });

      test('has one outcome for all callers if its card is removed during the authorisation', async () => {
        await begin();
        const answer = Promise.withResolvers<BankAnswer>();
        world.bank.answersNext(answer.promise);
        const { outcome } = sale(world, 'sale_1', {
          customer: 'insert',
          onStage: stage =>
            stage === 'authorising' && void world.customer('remove').then(() => answer.resolve('approved')),
        });
        const ended = await outcome;
        expect(ended.kind).not.toBe('unknown');
        expect(await world.reader.last('sale_1')).toMatchObject({ kind: 'done', outcome: { kind: ended.kind } });
        expect(charged()).toBeLessThanOrEqual(1);
        await statusOf(world.reader, ({ isCardInserted }) => isCardInserted !== true);
      });

      test('is approved if the bank answers late, after staff tried to cancel it', async () => {
        await begin();
        const answer = Promise.withResolvers<BankAnswer>();
        world.bank.answersNext(answer.promise);
        const asked = Promise.withResolvers<undefined>();
        const { outcome } = sale(world, 'sale_1', {
          customer: 'tap',
          onStage: stage => stage === 'authorising' && asked.resolve(undefined),
        });
        await asked.promise;
        await world.reader.cancel('sale_1');
        world.timers.after(20_000, () => answer.resolve('approved'));
        expect(await outcome).toMatchObject(approved);
        expect(charged()).toBe(1);
      });

      test('is refused if the line cannot carry its amount, currency or id', async () => {
        await begin();
        for (const scenario of [{ amountMinor: 0 }, { amountMinor: 1e15 + 0.5 }, { currency: 'ZZZ' }])
          expect(await sale(world, 'sale_1', scenario).outcome).toMatchObject({ kind: 'not_available' });
        expect(await sale(world, 'ö').outcome).toMatchObject({ kind: 'not_available' });
        expect(await sale(world, 'sale_1').outcome).toMatchObject(approved);
      });
    });

    describe('charges once', () => {
      test('however often the same sale is requested, and refuses it with another amount', async () => {
        await begin();
        const first = await sale(world, 'sale_1').outcome;
        expect(await sale(world, 'sale_1').outcome).toEqual(first);
        expect(await sale(world, 'sale_1', { amountMinor: 1251 }).outcome).toMatchObject({ kind: 'not_available' });
        expect(charged()).toBe(1);
      });

      test('for two callers of one sale, and refuses another sale meanwhile', async () => {
        await begin();
        const first = sale(world, 'sale_1', {});
        const again = sale(world, 'sale_1', {});
        expect(await sale(world, 'sale_2').outcome).toMatchObject({ kind: 'not_available', reason: 'busy' });
        await world.reader.cancel('sale_1');
        expect(await first.outcome).toEqual(await again.outcome);
      });

      test('and takes no other sale before the result is confirmed', async () => {
        await begin();
        await sale(world, 'sale_1').outcome;
        expect(await sale(world, 'sale_2').outcome).toEqual({
          kind: 'not_available',
          reason: 'pending',
          blockingTransactionId: 'sale_1',
        });
        await world.reader.confirm('sale_1');
        expect(await sale(world, 'sale_2').outcome).toMatchObject(approved);
      });

      test('and reports the result to a till that was restarted', async () => {
        await begin();
        await sale(world, 'sale_1').outcome;
        await world.reader.close();
        const reader = world.open([world.path]);
        await statusOf(reader, ({ unconfirmedTransactionId }) => unconfirmedTransactionId === 'sale_1');
        expect(await reader.last('sale_1')).toMatchObject({ kind: 'done', outcome: approved });
        await reader.confirm('sale_1');
        expect(reader.status().unconfirmedTransactionId).toBeUndefined();
        await reader.close();
      });
    });

    describe.skipIf(medium === 'network')('over a bad line', () => {
      test.each<[string, (line: LineUnderTest) => Promise<void>]>([
        ['a changed bit', line => line.corrupt('flip', 1)],
        ['a lost line', line => line.corrupt('drop', 1)],
        ['lines that come twice', line => line.corrupt('duplicate', 4)],
        ['noise', line => line.garbage(5000, true)],
        ['noise without an end', line => line.garbage(700, false)],
        ['late and uneven lines', line => line.delay(300, 100)],
      ])('%s only delays the sale', async (_, corrupt) => {
        await begin();
        await corrupt(world.line);
        expect(await settled(world, 'sale_1', await sale(world, 'sale_1').outcome)).toMatchObject(approved);
        expect(charged()).toBe(1);
      });

      test.each(Array.from({ length: linesOfASale }, (_, index) => index + 1))('line %i can be lost', async number => {
        await begin();
        world.line.lose(number);
        expect(await settled(world, 'sale_1', await sale(world, 'sale_1').outcome)).toMatchObject(approved);
        expect(charged()).toBe(1);
      });

      test('a damaged line is counted and logged', async () => {
        await begin();
        const framing = ({ lineFailures }: ReaderStatus) => lineFailures?.framing ?? 0;
        const before = framing(world.reader.status());
        await world.line.garbage(60, true);
        await statusOf(world.reader, status => framing(status) > before);
        expect(world.logged.join('\n')).toContain('reader line failures');
      });

      test('a silent reader is disconnected, and found again', async () => {
        await begin();
        await world.line.stall(true);
        expect(await sale(world, 'sale_1').outcome).toEqual({ kind: 'unknown' });
        expect(await world.reader.last('sale_1')).toEqual({ kind: 'unreachable' });
        await world.line.stall(false);
        expect(await settled(world, 'sale_1', { kind: 'unknown' })).toMatchObject(approved);
        expect(charged()).toBe(1);
      });
    });

    describe.each(['before_line', 'mid_line', 'after_line', 'on_request'] as const)(
      'with its cable pulled %s',
      point => {
        const steps = point === 'on_request' ? requestsOfASale : linesOfASale;
        const numbers = Array.from({ length: steps }, (_, index) => index + 1).filter(number => isInPart(number, 2));
        test.each(numbers)('%i, charges once', async number => {
          await begin({ seed: number });
          await world.line.unplugAt(point, number);
          world.reader.onStatus(({ connection }) => connection === 'lost' && void world.line.replug());
          expect(await settled(world, 'sale_1', await sale(world, 'sale_1').outcome)).toMatchObject(approved);
          await world.reader.confirm('sale_1');
          expect(world.line.waitingFaults(), 'the cable was not pulled').toBe(0);
          await statusOf(
            world.reader,
            ({ connection, unconfirmedTransactionId }) =>
              connection === 'ready' && unconfirmedTransactionId === undefined,
          );
          expect(charged()).toBe(1);
        });
      },
    );

    test('sends a confirmation once the cable is back', async () => {
      await begin();
      await sale(world, 'sale_1').outcome;
      const gone = lost(world.reader);
      await world.line.unplug();
      await gone;
      await world.reader.confirm('sale_1');
      await world.line.replug();
      await statusOf(
        world.reader,
        ({ connection, unconfirmedTransactionId }) => connection === 'ready' && unconfirmedTransactionId === undefined,
      );
      expect(await sale(world, 'sale_2').outcome).toMatchObject(approved);
    });

    test('returns the outcome of a sale that a restart of the reader interrupted, which is not an approval', async () => {
      await begin();
      const { bootId } = world.reader.status();
      const answer = Promise.withResolvers<BankAnswer>();
      world.bank.answersNext(answer.promise);
      const { outcome } = sale(world, 'sale_1', {
        customer: 'tap',
        onStage: stage => stage === 'authorising' && void world.restart(),
      });
      expect((await outcome).kind).not.toBe('approved');
      await statusOf(world.reader, status => status.connection === 'ready' && status.bootId !== bootId);
      expect((await world.reader.last('sale_1')).kind).toBe('done');
      answer.resolve('declined');
    });

    test('reports a sale as forgotten if the reader lost its memory', async () => {
      await begin();
      const { bootId = '' } = world.reader.status();
      expect(await world.reader.last('sale_1', { underBootId: bootId })).toEqual({ kind: 'unknown_to_reader' });
      const { outcome } = sale(world, 'sale_1', { onStage: () => void world.forget() });
      expect(await outcome).toEqual({ kind: 'unknown' });
      await statusOf(world.reader, status => status.connection === 'ready' && status.bootId !== bootId);
      expect(await world.reader.last('sale_1')).toEqual({ kind: 'forgotten' });
      expect(await world.reader.last('sale_1', { underBootId: bootId })).toEqual({ kind: 'forgotten' });
    });

    describe('returns money', () => {
      async function sold(): Promise<{ saleTransactionId: string; saleReference: string } | undefined> {
        await begin();
        const outcome = await sale(world, 'sale_1').outcome;
        await world.reader.confirm('sale_1');
        if (outcome.kind !== 'approved') throw new Error(`the sale ended ${outcome.kind}`);
        const { processorReference: saleReference } = outcome;
        return saleReference === undefined ? undefined : { saleTransactionId: 'sale_1', saleReference };
      }
      const amount = { amountMinor: 250, currency: 'GBP' };

      test('only if it authorises by itself', async () => {
        const given = await sold();
        if (given) return;
        const nothing = { saleTransactionId: 'sale_1', saleReference: 'x' };
        const refused = { kind: 'not_available', reason: 'not_supported' };
        expect(await world.reader.void({ ...nothing, transactionId: 'ref_1' })).toEqual(refused);
        expect(await world.reader.refund({ ...nothing, transactionId: 'ref_1', amount })).toEqual(refused);
      });

      test('by a void, once, and not after settlement', async () => {
        const given = await sold();
        if (!given) return;
        const voided = await world.reader.void({ ...given, transactionId: 'ref_1' });
        expect(voided).toMatchObject({ kind: 'approved', processorReference: expect.stringMatching(/./) });
        expect(await world.reader.void({ ...given, transactionId: 'ref_1' })).toEqual(voided);
        expect(charged('ref_1')).toBe(1);
        await world.reader.confirm('ref_1');
        world.bank.settle?.();
        expect(await world.reader.void({ ...given, transactionId: 'ref_2' })).toEqual({
          kind: 'not_available',
          reason: 'settled',
        });
      });

      test('by refunds, up to what was taken', async () => {
        const given = await sold();
        if (!given) return;
        expect(await world.reader.refund({ ...given, transactionId: 'ref_1', amount })).toMatchObject({
          kind: 'approved',
        });
        await world.reader.confirm('ref_1');
        const tooMuch = { amountMinor: 1001, currency: 'GBP' };
        expect(await world.reader.refund({ ...given, transactionId: 'ref_2', amount: tooMuch })).toMatchObject({
          kind: 'declined',
        });
      });

      test('once, wherever the cable is pulled', async () => {
        // The shortest refund has two lines.
        for (let number = 1, wasPulled = true; number <= 3 && wasPulled; number += 1) {
          const given = await sold();
          if (!given) return;
          await world.line.unplugAt('before_line', number);
          world.reader.onStatus(({ connection }) => connection === 'lost' && void world.line.replug());
          let outcome = await world.reader.refund({ ...given, transactionId: 'ref_1', amount });
          while (outcome.kind === 'unknown' || outcome.kind === 'not_available') {
            await ready(world.reader);
            outcome = await world.reader.refund({ ...given, transactionId: 'ref_1', amount });
          }
          wasPulled = world.line.waitingFaults() === 0;
          expect(wasPulled || number === 3).toBe(true);
          expect(outcome).toMatchObject({ kind: 'approved' });
          expect(charged('ref_1')).toBe(1);
          if (number < 3 && wasPulled) await world.close();
        }
      });
    });
  });
}
