import type { DiscrepancyRow } from '../../backend/money/discrepancies/rows.ts';
import type { PaymentRow } from '../../backend/money/payments/rows.ts';
import type { RefundRow } from '../../backend/money/refunds/rows.ts';
import { startOfDate } from '../../backend/money/settlements/settlement.ts';
import type { Counter } from '../matrix/counter.ts';
import { type Banked, bankBook, type Records } from './bank-book.ts';
import { timeZone } from './plan.ts';
import { wrongInRoll } from './roll-judge.ts';
import type { TradeShop } from './shop.ts';
import { differences, type Sums, sumsOfRails, sumsOfReport, together } from './sums.ts';

export type DayVerdict = {
  /** The service's totals of the shop on the day itself; undefined if the day did not end. */
  readonly shop: Sums | undefined;
  readonly terminals: readonly { readonly name: string; readonly sums: Sums }[];
  /** What is open in the end and has a planted cause. */
  readonly explained: readonly string[];
  readonly wrong: readonly string[];
};

type Day = { readonly date: string; readonly from: number; readonly to: number };

const hourMs = 3_600_000;
/** How far the service's time of a movement may be from the bank's where nothing failed. */
const usualMs = 2 * 60_000;

/** Compares what terminals, service, bank and staff say of the day, and of the evening and the night around it. */
export async function judgeDay(shop: TradeShop): Promise<DayVerdict> {
  const { world, plan } = shop;
  const records: Records = {
    payments: await world.rows<PaymentRow>('payments'),
    refunds: await world.rows<RefundRow>('refunds'),
  };
  const wrong: string[] = [];
  const explained: string[] = [];
  const days = [-1, 0, 1].map((days): Day => {
    const date = plan.date.add({ days });
    return {
      date: date.toString(),
      from: startOfDate(date, timeZone),
      to: startOfDate(date.add({ days: 1 }), timeZone),
    };
  });
  const book = bankBook(shop, records);
  const today = days[1] as Day;
  if (today.to - today.from !== plan.hours * hourMs) wrong.push(`${today.date} is not ${plan.hours} hours long`);
  for (const one of book) judgeTime(shop, one, { wrong, explained });
  let ofShop = together([]);
  const terminals: { name: string; sums: Sums }[] = [];
  for (const day of days) {
    const banked = sumsOfBank(book, day);
    const business = await judgeShop(shop, day, banked, wrong);
    if (day === today) ofShop = business;
    for (const counter of shop.counters) {
      const sums = await judgeTerminal(shop, counter, { day, book, business, wrong });
      if (day === today) terminals.push({ name: counter.name, sums });
    }
  }
  wrong.push(...wrongInRoll(shop, records));
  for (const counter of shop.counters)
    if (!counter.terminal.isOutboxEmpty) wrong.push(`${counter.name} has not delivered everything`);
  for (const { kind, paymentId, createdAt, resolvedAt } of await world.rows<DiscrepancyRow>('discrepancies')) {
    if (resolvedAt !== null) continue;
    const cause = causeOf(shop, createdAt);
    (cause ? explained : wrong).push(`open: ${kind} of ${paymentId}${cause ? `, after ${cause}` : ' without a cause'}`);
  }
  return { shop: ofShop, terminals, explained, wrong };
}

/** Each movement of the bank is in the service's records, at its time unless something failed. */
function judgeTime(shop: TradeShop, one: Banked, say: { wrong: string[]; explained: string[] }): void {
  const { kind, amountMinor, at, recordedAt, reference, mayBeLate } = one;
  const what = `${kind} of ${amountMinor} at ${new Date(at).toISOString()} (${reference})`;
  if (recordedAt === undefined) return void say.wrong.push(`the service does not know the bank’s ${what}`);
  if (Math.abs(recordedAt - at) <= usualMs) return;
  const cause = mayBeLate ? causeOf(shop, at, recordedAt) : undefined;
  const minutes = Math.round((recordedAt - at) / 60_000);
  (cause ? say.explained : say.wrong).push(`${what} is recorded ${minutes} minutes later${cause ? `: ${cause}` : ''}`);
}

const causesWithinMs = 2 * 3_600_000;

/** What failed shortly before, and can be why. */
function causeOf({ plan }: TradeShop, from: number, to = from): string | undefined {
  const cause = plan.incidents.findLast(one => one.from <= to && one.to >= from - causesWithinMs);
  return cause && `${cause.what} at ${new Date(cause.from).toISOString()}`;
}

/** The bank knows no tips. What the service recorded much later, because something failed, counts when it says. */
function sumsOfBank(book: readonly Banked[], { from, to }: Day, terminalId?: string): Partial<Sums> {
  const counted = book.filter(one => {
    const { recordedAt = one.at, mayBeLate } = one;
    const at = mayBeLate && Math.abs(recordedAt - one.at) > usualMs ? recordedAt : one.at;
    return at >= from && at < to && (terminalId === undefined || one.terminalId === terminalId);
  });
  const {
    tips: _tips,
    tipsMinor: _tipsMinor,
    ...sums
  } = together(counted.map(({ kind, amountMinor }) => ({ [kind]: 1, [`${kind}Minor`]: amountMinor })));
  return sums;
}

/** The service's overview, which is counted from events, against the bank. */
async function judgeShop(shop: TradeShop, day: Day, banked: Partial<Sums>, wrong: string[]): Promise<Sums> {
  const { world } = shop;
  const overview = await world.drive(world.instance.call(({ overview: read }) => read(world.business.id, 3)));
  const found = overview.days.find(one => one.day === day.date);
  if (!overview.isComplete || !found) wrong.push(`the overview is not complete on ${day.date}`);
  const sums = sumsOfRails(found?.rails ?? []);
  for (const what of differences(sums, banked)) wrong.push(`${day.date}: overview and bank: ${what}`);
  return sums;
}

/** The terminal's own report, the totals that the service sent it, and the bank. */
async function judgeTerminal(
  shop: TradeShop,
  counter: Counter,
  { day, book, business, wrong }: { day: Day; book: readonly Banked[]; business: Sums; wrong: string[] },
): Promise<Sums> {
  const reported = { terminal: together([]), business: together([]) };
  for (const scope of ['terminal', 'business'] as const) {
    await counter.terminal.send({ name: 'show_day_report', scope, date: day.date });
    await shop.premises.until(`${counter.name} has the totals of ${day.date}`, () => {
      const { screen } = counter;
      return screen?.name === 'day_report' && screen.date === day.date && screen.scope === scope && !screen.busy;
    });
    const { screen } = counter;
    if (screen?.name !== 'day_report' || screen.notice) throw new Error(`${counter.name}: ${JSON.stringify(screen)}`);
    reported[scope] = sumsOfReport(screen);
    await counter.terminal.send({ name: 'show_keypad' });
  }
  const sent = counter.terminal.totalsOf(day.date);
  if (!sent) throw new Error(`${counter.name} has no totals of ${day.date}`);
  if (Date.parse(sent.from) !== day.from || Date.parse(sent.to) !== day.to)
    wrong.push(`${day.date} is from ${sent.from} to ${sent.to} at the service`);
  const own = sumsOfRails(sent.terminal.rails);
  const say = (who: string, all: readonly string[]) =>
    wrong.push(...all.map(what => `${day.date} ${counter.name}: ${who}: ${what}`));
  say('report and service', differences(reported.terminal, own));
  say('service and bank', differences(own, sumsOfBank(book, day, counter.id)));
  say('report of the shop and overview', differences(reported.business, business));
  return own;
}
