import { afterEach, expect, test } from 'vitest';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';
import type { ListedSale } from '../../ipc/view.ts';
import { newSale, type SaleContext, type SaleOutcome } from './context.ts';
import type { BankState, ReaderState } from './decision.ts';
import { unchargedByCard } from './uncharged.ts';

let world: TerminalWorld | undefined;
afterEach(async () => {
  await world?.end();
  world = undefined;
});

async function aWorld(): Promise<TerminalWorld> {
  world = await TerminalWorld.begin();
  await world.enrol();
  world.reader.presentsByItself = false;
  return world;
}

/** A terminal that asks for a card. */
async function askedForCard({ service, ...given } = { service: 'up' as 'up' | 'down', amountMinor: 1_250 }) {
  const at = await aWorld();
  await at.send({ name: 'start_sale', reference: 'Table 12', ...given });
  await at.screen('sale', screen => screen.stage === 'present_card');
  if (service === 'down') await at.service.stop();
  return at;
}

/** The list once it was read, or once it is known that it cannot be. */
async function listed(at: TerminalWorld): Promise<ListedSale[]> {
  await at.send({ name: 'show_recent_sales' });
  return (await at.screen('recent_sales', screen => !screen.busy)).sales;
}

async function cancelled(at: TerminalWorld, amountMinor: number): Promise<string> {
  await at.send({ name: 'start_sale', amountMinor });
  await at.screen('sale', screen => screen.stage === 'present_card');
  await at.send({ name: 'cancel_sale' });
  await at.screen('sale_result');
  await at.send({ name: 'show_keypad' });
  return at.store.unchargedSales().find(sale => sale.amountMinor === amountMinor)?.saleId ?? '';
}

const whatToDo = 'Go back to the list to see whether it was paid later. If not, take the payment again.';

test.each<[string, (at: TerminalWorld) => unknown, string, string, string]>([
  [
    'by staff before a card was presented',
    at => at.send({ name: 'cancel_sale' }),
    'cancelled',
    'staff',
    'The sale was cancelled before the bank was asked.',
  ],
  [
    'by the customer at the reader',
    at => at.reader.customerCancels(),
    'cancelled',
    'customer',
    'The customer cancelled, or took the card out.',
  ],
  [
    'because no card was presented in time',
    at => at.reader.timesOut(),
    'timed_out',
    'no_card',
    'No card, or no PIN, in time.',
  ],
])(
  'a sale that ended %s is listed, and its page says what happened and what to do',
  async (_, end, outcome, why, detail) => {
    const at = await askedForCard();
    await end(at);
    await at.screen('sale_result');
    await at.send({ name: 'show_keypad' });
    const [sale, ...others] = await listed(at);
    expect(others).toEqual([]);
    expect(sale).toMatchObject({ kind: 'uncharged', outcome, why, amountMinor: 1_250, reference: 'Table 12' });
    expect(at.service.bankCalls.size).toBe(0);
    await at.send({ name: 'show_sale', saleId: sale?.saleId ?? '' });
    const { notice } = await at.screen('uncharged_sale');
    expect(notice).toEqual({ message: 'The card was not charged', detail: `${detail} ${whatToDo}` });
    expect(await at.send({ name: 'return_money', saleId: sale?.saleId ?? '' })).toBe('not_now');
    expect(at.terminal.view().receipt).toBeNull();
    await at.send({ name: 'back' });
    await at.screen('recent_sales', screen => screen.sales.length === 1);
  },
);

test('a sale that never reached the service is listed while it is offline, after a restart, and once it is back', async () => {
  const at = await askedForCard({ service: 'down', amountMinor: 1_250 });
  at.reader.present();
  const { notice } = await at.screen('sale_result', screen => screen.outcome === 'failed');
  expect(notice.detail).toContain('The bank was not asked and nothing was charged.');
  await at.send({ name: 'show_keypad' });
  const expected = [{ kind: 'uncharged', outcome: 'failed', why: 'service_not_reached', amountMinor: 1_250 }];
  expect(await listed(at)).toMatchObject(expected);
  at.restart();
  await at.screen('keypad');
  expect(await listed(at)).toMatchObject(expected);
  await at.service.start();
  await at.until('the connection', () => at.terminal.view().header.service === 'online');
  expect(await listed(at)).toMatchObject(expected);
});

test('a tip is part of what was to be paid', async () => {
  const at = await aWorld();
  await at.send({ name: 'start_sale', amountMinor: 1_000, tipMinor: 100 });
  await at.screen('sale', screen => screen.stage === 'present_card');
  await at.send({ name: 'cancel_sale' });
  await at.screen('sale_result');
  expect(at.store.unchargedSales()).toMatchObject([{ amountMinor: 1_100, tipMinor: 100, reference: null }]);
});

test('the time of a sale is the service’s, so that it stands among its records where the clock is set wrong', async () => {
  const at = await aWorld();
  at.shiftClock(3 * 3_600_000);
  await cancelled(at, 500);
  const [sale] = at.store.unchargedSales();
  expect(Math.abs((sale?.startedAt ?? 0) - at.now())).toBeLessThan(600_000);
});

test('sales of the service and of the terminal are one list, each once, and earlier ones appear with their page', async () => {
  const at = await aWorld();
  // The terminal knows the service's time to within the time that an answer takes.
  const aWhile = () => {
    const until = at.now() + 30_000;
    return at.until('half a minute', () => at.now() > until);
  };
  const oldest = await cancelled(at, 100);
  await aWhile();
  for (let each = 0; each < 25; each += 1) at.service.addSale(1_000 + each);
  await aWhile();
  const newest = await cancelled(at, 200);
  await aWhile();
  at.service.addSale(2_000);
  const first = await listed(at);
  expect(first).toHaveLength(26);
  expect(first.slice(0, 2)).toMatchObject([{ amountInCents: 2_000 }, { saleId: newest }]);
  expect(first.map(({ saleId }) => saleId)).not.toContain(oldest);
  await at.send({ name: 'load_more_sales' });
  const { sales } = await at.screen('recent_sales', screen => !screen.busy && !screen.moreAvailable);
  expect(sales).toHaveLength(28);
  expect(new Set(sales.map(({ saleId }) => saleId)).size).toBe(28);
  expect(sales.at(-1)?.saleId).toBe(oldest);
});

test('a record of the service takes the place of what the terminal knows', async () => {
  const at = await aWorld();
  const saleId = await cancelled(at, 500);
  expect(await listed(at)).toMatchObject([{ kind: 'uncharged', saleId }]);
  at.service.deliverLate(saleId, 500);
  expect(await listed(at)).toMatchObject([{ kind: 'recorded', saleId, amountInCents: 500 }]);
  await at.service.stop();
  at.restart();
  await at.screen('keypad');
  expect(await listed(at)).toMatchObject([{ kind: 'recorded', saleId }]);
});

test('it is found by its amount and by what staff noted, and not while the search needs a connection', async () => {
  const at = await askedForCard();
  await at.send({ name: 'cancel_sale' });
  await at.screen('sale_result');
  await at.send({ name: 'show_keypad' });
  await cancelled(at, 300);
  const found = async (text: string) => {
    await at.send({ name: 'search_sales', text });
    const { sales } = await at.screen('recent_sales', screen => screen.search?.text === text && !screen.busy);
    return sales.map(sale => (sale.kind === 'uncharged' ? sale.amountMinor : sale.amountInCents));
  };
  expect(await found('12.50')).toEqual([1_250]);
  expect(await found('Table 12')).toEqual([1_250]);
  expect(await found('INV-000001')).toEqual([]);
  const [first] = await listed(at);
  await at.send({ name: 'search_sales', text: '3.00' });
  await at.screen('recent_sales', screen => !screen.busy && screen.sales.length === 1);
  await at.send({ name: 'show_sale', saleId: first?.saleId ?? '' });
  await at.screen('uncharged_sale');
  await at.send({ name: 'back' });
  await at.screen('recent_sales', screen => screen.search?.text === '3.00' && screen.sales.length === 1);
  await at.service.stop();
  expect(await found('12.50')).toEqual([]);
});

test('a terminal that moved to another business does not show them, and does once it is back', async () => {
  const at = await aWorld();
  const home = at.service.configuration.business.id;
  await cancelled(at, 500);
  const move = async (businessId: string) => {
    await at.service.stop();
    at.service.revokeToken();
    await at.service.start();
    await at.screen('enrolment', screen => screen.notice !== null);
    at.service.issueEnrolment(businessId);
    await at.enrol();
  };
  await move('biz_another');
  expect(await listed(at)).toEqual([]);
  await at.send({ name: 'show_keypad' });
  await move(home);
  expect(await listed(at)).toMatchObject([{ amountMinor: 500 }]);
});

test('only the newest ones are kept', async () => {
  const at = await aWorld();
  for (let number = 1; number <= 210; number += 1) {
    const sale = sold(number);
    at.store.saveFlow({ kind: 'sale', snapshot: null, at: number, uncharged: { saleId: sale.saleId, sale } });
  }
  const kept = at.store.unchargedSales();
  expect(kept).toHaveLength(200);
  expect([kept[0]?.amountMinor, kept.at(-1)?.amountMinor]).toEqual([210, 11]);
});

/** A sale whose request was lost, with its result dismissed. */
async function lostRequest(at: TerminalWorld): Promise<void> {
  at.service.fault('authoriseSale', ...Array<'lose_request'>(4).fill('lose_request'));
  await at.send({ name: 'start_sale', amountMinor: 1_250, reference: 'Table 12' });
  await at.screen('sale', screen => screen.stage === 'present_card');
  at.reader.present();
  await at.screen('sale_result');
  await at.send({ name: 'show_keypad' });
}

test('a sale whose request was lost is listed after the ten minutes in which it may arrive, also where the clock is slow', async () => {
  const at = await aWorld();
  at.shiftClock(-3_600_000);
  await lostRequest(at);
  const endedAt = at.now();
  expect(await listed(at)).toEqual([]);
  await at.send({ name: 'show_keypad' });
  await at.until('the end of the watch', () => at.store.pendingReports().length === 0);
  expect(at.now() - endedAt).toBeGreaterThan(8 * 60_000);
  expect(at.now() - endedAt).toBeLessThan(12 * 60_000);
  const sale = { kind: 'uncharged', outcome: 'failed', amountMinor: 1_250, reference: 'Table 12' };
  expect(await listed(at)).toMatchObject([sale]);
});

test('a sale whose lost request arrives even later is the record of the service, and in the list once', async () => {
  const at = await aWorld();
  await lostRequest(at);
  at.shiftClock(600_000);
  await at.until('the end of the watch', () => at.store.pendingReports().length === 0);
  const [{ saleId } = { saleId: '' }] = await listed(at);
  await at.send({ name: 'show_keypad' });
  at.service.deliverLate(saleId, 1_250);
  expect(await listed(at)).toMatchObject([{ kind: 'recorded', saleId }]);
  expect(at.store.unchargedSales()).toEqual([]);
});

test('nothing is listed of a sale about which a report to the service waits', async () => {
  const at = await aWorld();
  const sale = sold(1);
  const watch = { saleId: sale.saleId, kind: 'watch', reason: 'customer_cancelled', until: null } as const;
  const change = { kind: 'bitcoin', snapshot: null, at: 1 } as const;
  at.store.saveFlow({ ...change, reports: [watch] });
  at.store.saveFlow({ ...change, uncharged: { saleId: sale.saleId, sale } });
  expect(at.store.unchargedSales()).toEqual([]);
});

function sold(number: number) {
  const saleId = `sale_${String(number).padStart(8, '0')}`;
  const facts = { outcome: 'cancelled', why: 'staff', amountMinor: number, tipMinor: 0, currency: 'GBP' } as const;
  return { kind: 'uncharged', saleId, ...facts, reference: null, startedAt: number } as const;
}

test.each<[string, (at: TerminalWorld) => Promise<unknown>]>([
  [
    'its request may still be on its way: the terminal restarted, and the service does not know it',
    async at => {
      at.service.fault('authoriseSale', ...Array<'lose_request'>(4).fill('lose_request'));
      at.reader.present();
      await at.screen('sale', screen => screen.stage === 'authorising');
      at.restart();
      const { notice } = await at.screen('sale_result');
      expect(notice.detail).toContain('Nothing was charged.');
    },
  ],
  [
    'the bank declined it',
    async at => {
      at.service.bankOutcome = 'declined';
      at.reader.present();
      await at.screen('sale_result');
    },
  ],
  [
    'the bank approved it and the card refused',
    async at => {
      at.reader.afterApproval = 'declined';
      at.reader.present();
      await at.screen('sale_result');
    },
  ],
  [
    'the bank approved it and staff cancelled too late',
    async at => {
      at.reader.present();
      await at.send({ name: 'cancel_sale' });
      await at.screen('sale_result');
    },
  ],
])('a sale is never listed as not charged where %s', async (_, happens) => {
  const at = await askedForCard();
  await happens(at);
  expect(at.store.unchargedSales()).toEqual([]);
  await at.send({ name: 'show_keypad' });
  expect((await listed(at)).filter(({ kind }) => kind === 'uncharged')).toEqual([]);
});

const bankStates: Readonly<Record<BankState, 'host' | 'both' | 'neither'>> = {
  not_asked: 'both',
  refused: 'host',
  unknown: 'neither',
  not_found: 'host',
  pending: 'neither',
  approved: 'neither',
  declined: 'neither',
  failed: 'neither',
  returned: 'neither',
};
/** Whether a reader that authorises by itself, and says this of the sale, may have asked its processor. */
const readerMayHaveAsked: Readonly<Record<ReaderState, boolean>> = {
  not_reported: false,
  forgotten: false,
  cancelled: false,
  timed_out: false,
  not_available: false,
  active: true,
  lost: true,
  gone: true,
  approved: true,
  refused: true,
  reversed: true,
};
const outcomes: SaleOutcome[] = [
  { kind: 'cancelled', why: 'staff' },
  { kind: 'failed', why: 'interrupted' },
  { kind: 'failed', why: 'service_not_reached' },
  { kind: 'approved', why: 'reader_gone' },
  { kind: 'failed', why: 'disagree' },
  { kind: 'failed', why: 'reader_forgot' },
];

test('only where nobody asked for money is a sale stored as not charged, whatever ended it', () => {
  const begun = newSale({ saleId: 'sale_1', transactionId: 'sale_1', amountMinor: 100, currency: 'GBP', startedAt: 1 });
  const ports = { clock: { now: () => 1 }, time: { now: () => 1 }, requestedReference: () => null };
  const stored = (change: Partial<SaleContext>, value = 'done') =>
    unchargedByCard({ value, context: { ...begun.context, ...change } }, ports).sale !== null;
  for (const bank of Object.keys(bankStates) as BankState[])
    for (const reader of Object.keys(readerMayHaveAsked) as ReaderState[])
      for (const authorisation of ['host', 'reader'] as const)
        for (const outcome of outcomes) {
          const isCertain =
            authorisation === 'host'
              ? bankStates[bank] !== 'neither'
              : bankStates[bank] === 'both' && !readerMayHaveAsked[reader];
          const told = JSON.stringify({ bank, reader, authorisation, outcome });
          const isListed = isCertain && ['staff', 'interrupted', 'service_not_reached'].includes(outcome.why);
          expect(stored({ bank, reader, authorisation, outcome }), told).toBe(isListed);
          expect(stored({ bank, reader, authorisation, outcome }, 'checking'), told).toBe(false);
          expect(stored({ bank, reader, authorisation, outcome, reversal: 'requested' }), told).toBe(false);
          // Its code may have been shown before it changed to the card.
          expect(stored({ bank, reader, authorisation, outcome, transactionId: 'sale_2' }), told).toBe(false);
        }
});
