import type { Instant } from '@florin/shared/ports.ts';
import type { PaymentRow } from '../../backend/money/payments/rows.ts';
import type { RefundRow } from '../../backend/money/refunds/rows.ts';
import type { Counter } from '../matrix/counter.ts';
import { CounterDay } from './counter-day.ts';
import type { Incident } from './plan.ts';
import type { TradeShop } from './shop.ts';
import type { Wifi } from './wifi.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** As long as the service polls an outcome before it leaves it to a person, and a refund waits for settlement. */
const restsWithinMs = 3 * hourMs;
const lookMs = 30_000;

/** Lets the people of the plan work and the incidents happen, until its end; `onHour` after each hour. */
export async function live(shop: TradeShop, onHour: (at: Instant) => void): Promise<void> {
  const { plan, world, premises } = shop;
  const failures: unknown[] = [];
  const at = (time: Instant, act: () => void) => void world.time.after(time - world.now(), act);
  for (const incident of plan.incidents) {
    at(incident.from, () => happen(shop, begins[incident.what], incident));
    at(incident.to, () => happen(shop, ends[incident.what], incident));
  }
  for (const time of plan.settlements) at(time, () => shop.settle());
  const days = shop.counters.map((counter, index) => {
    const own = plan.counters[index];
    if (!own) throw new Error(`${counter.name} has no plan`);
    return { day: new CounterDay(shop, counter, own), own };
  });
  for (const { day, own } of days)
    void day.work().then(
      () => own.open.to < plan.ends && day.counter.terminal.cut(),
      error => failures.push(error),
    );
  const check = () => {
    if (failures.length > 0) throw failures[0];
  };
  while (world.now() < plan.ends) {
    await premises.pass(Math.min(hourMs - (world.now() % hourMs), plan.ends - world.now()));
    check();
    onHour(world.now());
  }
  await premises.until(
    'the last customer has left',
    () => failures.length > 0 || days.every(({ day }) => day.isOver),
    hourMs,
  );
  check();
}

type Act = (shop: TradeShop, counter: Counter, wifi: Wifi) => unknown;
const begins: Readonly<Record<Incident['what'], Act>> = {
  wifi: (_shop, _counter, wifi) => wifi.fail(),
  terminal: (_shop, { terminal }) => terminal.cut(),
  reader: (_shop, { reader }) => reader.act({ do: 'reboot' }),
  service: ({ premises }) => premises.cutService(),
  bank: shop => shop.setBankDown(true),
};
const ends: typeof begins = {
  wifi: (_shop, _counter, wifi) => wifi.recover(),
  terminal: (_shop, { terminal }) => terminal.start(),
  reader: () => undefined,
  service: ({ premises }) => premises.startService(),
  bank: shop => shop.setBankDown(false),
};

function happen(shop: TradeShop, act: Act, { counter: index = 0 }: Incident): void {
  const [counter, wifi] = [shop.counters[index], shop.wifis[index]];
  if (!counter || !wifi) throw new Error(`there is no counter ${index}`);
  act(shop, counter, wifi);
}

/** Switches everything on, and waits until nothing is under way any more. @throws Error if that takes too long. */
export async function rest(shop: TradeShop): Promise<void> {
  const { premises, counters, world } = shop;
  for (const { terminal } of counters) terminal.start();
  const end = world.now() + restsWithinMs;
  for (;;) {
    await premises.pass(lookMs);
    const busy = counters
      .filter(counter => !counter.isIdle() || !counter.terminal.isOutboxEmpty)
      .map(({ name }) => name);
    const open = busy.length > 0 ? busy : await undecided(shop);
    if (open.length === 0) return;
    if (world.now() > end) throw new Error(`not at rest: ${open.join(', ')}`);
  }
}

async function undecided({ world }: TradeShop): Promise<string[]> {
  const payments = await world.rows<PaymentRow>('payments');
  const refunds = await world.rows<RefundRow>('refunds');
  const open = [...payments.filter(({ reversalDueAt }) => reversalDueAt !== null), ...refunds, ...payments];
  return open
    .filter(one => one.status === 'pending' || ('reversalDueAt' in one && one.reversalDueAt !== null))
    .map(({ id }) => id);
}
