import type { PaymentRow } from '../../backend/database/schema.ts';
import { defaultAsking } from '../../backend/jobs/asking.ts';
import { type Auditor, auditorOf } from './auditor.ts';
import type { Fate } from './gateway-model.ts';
import { type Instance, InstanceDied } from './instance.ts';
import { type SeededNumbers, seededNumbers } from './seeded.ts';
import { aWorld, gbp, type StaffMember, type World } from './world.ts';

/** What goes wrong in one run, and how often: drawn per seed, so that some runs know faults others never see. */
export type Swarm = {
  readonly instances: number;
  readonly callers: number;
  readonly terminals: number;
  readonly payments: number;
  readonly rates: Readonly<
    Record<
      | 'refused'
      | 'dropped'
      | 'late'
      | 'replyLost'
      | 'duplicated'
      | 'declined'
      | 'garbled'
      | 'callback'
      | 'stall'
      | 'silence',
      number
    >
  >;
  readonly crashEveryMs: number | null;
  readonly clockErrorMs: number;
};

export function drawSwarm(numbers: SeededNumbers): Swarm {
  const rate = (highest: number) => (numbers.chance(0.5) ? numbers.unit() * highest : 0);
  return {
    instances: numbers.between(1, 3),
    callers: numbers.between(1, 4),
    terminals: numbers.between(1, 3),
    payments: numbers.between(1, 3),
    rates: {
      refused: rate(0.2),
      dropped: rate(0.2),
      late: rate(0.3),
      replyLost: rate(0.3),
      duplicated: rate(0.3),
      declined: rate(0.2),
      garbled: rate(0.2),
      callback: rate(0.7),
      stall: rate(0.15),
      silence: rate(0.1),
    },
    crashEveryMs: numbers.chance(0.6) ? numbers.between(2_000, 60_000) : null,
    clockErrorMs: numbers.chance(0.3) ? numbers.between(-60_000, 60_000) : 0,
  };
}

function drawFate(numbers: SeededNumbers, { rates }: Swarm): Fate {
  const fate: { -readonly [Name in keyof Fate]: Fate[Name] } = {};
  if (numbers.chance(rates.refused)) fate.refused = true;
  if (numbers.chance(rates.dropped)) fate.dropped = true;
  if (numbers.chance(rates.late)) fate.arrivesAfterMs = numbers.between(1_000, 120_000);
  if (numbers.chance(rates.replyLost)) fate.replyLost = true;
  if (numbers.chance(rates.duplicated)) fate.duplicated = true;
  if (numbers.chance(rates.declined)) fate.declined = true;
  if (numbers.chance(rates.garbled)) fate.garbled = numbers.pick(['bad_signature', 'in_progress', 'gateway_error']);
  if (numbers.chance(rates.callback)) fate.callbackAfterMs = numbers.between(1, 90_000);
  return fate;
}

export type RunReport = {
  readonly seed: number;
  readonly steps: number;
  readonly refunds: number;
  readonly swarm: Swarm;
};

/** Asked about more often than in earnest would only cost time: what matters is that it is asked. */
const recoveryEveryMs = 15_000;
/** Everything is decided by then: the longest wait for an answer, one more round of questions, and a lease. */
const restMs = defaultAsking.notFoundIsFinalAfterMs + defaultAsking.leaseMs + 4 * recoveryEveryMs + 120_000;

/** One run of the world from one number; throws a Violation that names it. */
export async function runSeed(seed: number): Promise<RunReport> {
  const swarm = drawSwarm(seededNumbers(seed ^ 0x5eed));
  const world = await aWorld({ seed, settings: { recoveryEveryMs, purgeEveryMs: 3_600_000 } });
  try {
    return await story(world, swarm, seed);
  } catch (error) {
    throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  } finally {
    world.instance.crash();
    world.connection?.close();
  }
}

async function story(world: World, swarm: Swarm, seed: number): Promise<RunReport> {
  const auditor = auditorOf(world);
  const { numbers } = world;
  while (world.terminals.length < swarm.terminals) await world.aTerminal();
  const staff = [
    await world.aStaffMember({ dailyLimitMinor: 700 }),
    await world.aStaffMember({ perTransactionLimitMinor: 300, dailyLimitMinor: 900 }),
    await world.aStaffMember({ mayRefundAndVoid: 0 }),
  ];
  const payments: PaymentRow[] = [];
  for (let made = 0; made < swarm.payments; made += 1) {
    const make = numbers.chance(0.7) ? world.settledCardPayment : world.cardPayment;
    payments.push(await make.call(world, gbp(1_000)));
  }
  const instances: Instance[] = [world.instance];
  while (instances.length < swarm.instances) instances.push(world.anInstance({ clockErrorMs: swarm.clockErrorMs }));

  let faulty = true;
  world.gateway.faults = () => (faulty ? drawFate(numbers, swarm) : {});
  world.atAwait = () =>
    faulty && numbers.chance(swarm.rates.stall) ? numbers.between(1, numbers.chance(0.1) ? 90_000 : 2_000) : 0;
  const cast: Cast = { world, auditor, staff, payments, instances };
  const troubles = [
    crashes(cast, swarm, () => faulty),
    silences(cast, swarm, () => faulty),
    evenings(cast, () => faulty),
  ];
  const actors = [
    ...Array.from({ length: swarm.callers }, (_, index) => caller(cast, index)),
    ...world.terminals.map((terminal, index) => till(cast, terminal, index)),
  ];
  await world.drive(Promise.all(actors));
  faulty = false;
  await world.drive(Promise.all(troubles));
  world.gateway.silent = false;
  const until = world.now() + restMs;
  while (!auditor.isAtRest() && world.now() < until) await world.clock.advance({ seconds: 20 });
  auditor.checkAtRest(['correct horse battery', 'wrong password']);
  return { seed, steps: world.time.steps, refunds: world.gateway.bookings.length, swarm };
}

type Cast = {
  readonly world: World;
  readonly auditor: Auditor;
  readonly staff: readonly StaffMember[];
  readonly payments: readonly PaymentRow[];
  /** The processes; a crashed one is replaced in its place. */
  readonly instances: Instance[];
};

/** Calls until somebody answers: a process that died is tried again with the very same request. */
async function insist(
  cast: Cast,
  call: (instance: Instance) => Promise<string | undefined>,
): Promise<string | undefined> {
  const { world, instances } = cast;
  for (let tries = 0; tries < 4; tries += 1) {
    try {
      return await call(world.numbers.pick(instances));
    } catch (error) {
      if (!(error instanceof InstanceDied)) throw error;
      await world.pause(world.numbers.between(100, 5_000));
    }
  }
  return undefined;
}

/** A program of the merchant's, refunding over the API. */
async function caller(cast: Cast, index: number): Promise<void> {
  const { world, auditor, payments } = cast;
  const { numbers } = world;
  for (let turn = 0; turn < 4; turn += 1) {
    await world.pause(numbers.between(0, 20_000));
    const payment = numbers.pick(payments);
    const clientRequestId = `caller${index}-${turn}`;
    const kind = numbers.pick(['REFUND_SALE', 'REFUND_SALE', 'REFUND_SALE', 'CANCEL', 'REFUND'] as const);
    const request = {
      kind,
      ...(kind === 'CANCEL' ? {} : { amount: gbp(numbers.between(1, 6) * 100) }),
      clientRequestId,
    };
    const ask = async (instance: Instance) => {
      const outcome = await world.calls.apiRefund(payment, request, instance);
      if (outcome.kind !== 'done') return undefined;
      auditor.told(clientRequestId, outcome.view.refund.id);
      return outcome.view.refund.id;
    };
    const repeats = numbers.chance(0.3) ? 2 : 1;
    await Promise.all(Array.from({ length: repeats }, () => insist(cast, ask)));
  }
}

/** Somebody at a till: sells, gives up, voids, refunds, mistypes. */
async function till(cast: Cast, terminal: string, index: number): Promise<void> {
  const { world, auditor, staff, payments } = cast;
  const { numbers } = world;
  for (let turn = 0; turn < 4; turn += 1) {
    await world.pause(numbers.between(0, 20_000));
    if (numbers.chance(0.3)) {
      await sale(cast, terminal);
      continue;
    }
    const payment = numbers.pick(payments);
    const member = numbers.pick(staff);
    const requestId = `till${index}-${turn}`;
    const kind = numbers.chance(0.7) ? ('REFUND_SALE' as const) : ('CANCEL' as const);
    const request = {
      kind,
      staff: member,
      terminal,
      requestId,
      ...(kind === 'CANCEL' ? {} : { amount: gbp(numbers.between(1, 4) * 100) }),
      ...(numbers.chance(0.3) ? { password: 'wrong password' } : {}),
    };
    await insist(cast, async instance => {
      const outcome = await world.calls.terminalRefund(payment, request, instance);
      if (outcome.kind !== 'done') return undefined;
      auditor.told(`${terminal}:${requestId}`, outcome.view.refund.id);
      return outcome.view.refund.id;
    });
  }
}

async function sale(cast: Cast, terminalId: string): Promise<void> {
  const { world } = cast;
  const { numbers } = world;
  const saleId = world.aSaleId();
  const key = { businessId: world.business.id, terminalId, saleId };
  const authorise = (instance: Instance) =>
    world.authorise({ amount: gbp(numbers.between(1, 9) * 100), terminalId, saleId }, instance).then(() => saleId);
  const reverse = (instance: Instance) =>
    instance.call(engine => engine.payments.reverseSale(key, 'card_refused')).then(() => saleId);
  const ending = numbers.between(0, 2);
  if (ending === 0) {
    // Given up while it may still be on its way.
    await Promise.all([
      insist(cast, authorise),
      world.pause(numbers.between(0, 500)).then(() => insist(cast, reverse)),
    ]);
    return;
  }
  await insist(cast, authorise);
  if (ending === 1) await insist(cast, reverse);
  else await insist(cast, instance => instance.call(engine => engine.payments.completeSale(key)).then(() => saleId));
}

async function crashes({ world, instances }: Cast, swarm: Swarm, goesOn: () => boolean): Promise<void> {
  const { crashEveryMs } = swarm;
  while (crashEveryMs !== null && goesOn()) {
    await world.pause(world.numbers.between(1, 2 * crashEveryMs));
    const at = world.numbers.between(0, instances.length - 1);
    instances[at]?.crash();
    instances[at] = world.anInstance({ clockErrorMs: at === 0 ? 0 : swarm.clockErrorMs });
    world.instance = instances[0] ?? world.instance;
  }
}

/** Spells in which the gateway answers no question. */
async function silences({ world }: Cast, swarm: Swarm, goesOn: () => boolean): Promise<void> {
  while (swarm.rates.silence > 0 && goesOn()) {
    await world.pause(world.numbers.between(1_000, 60_000));
    world.gateway.silent = world.numbers.chance(0.5);
  }
}

/** The bank settles what it has, some time during the day. */
async function evenings({ world }: Cast, goesOn: () => boolean): Promise<void> {
  while (goesOn()) {
    await world.pause(world.numbers.between(10_000, 80_000));
    if (world.numbers.chance(0.5)) world.gateway.settle();
  }
}
