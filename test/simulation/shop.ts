import { actorColumns, system } from '@florin/shared/actor.ts';
import SqliteConnection from 'better-sqlite3';
import { type BitcoinInvoiceSettings, defaultBitcoinInvoices } from '../../backend/bitcoin/invoices/settings.ts';
import { defaultRates, type RateSettings } from '../../backend/bitcoin/rates/service.ts';
import type { Tables } from '../../backend/foundation/database/database.ts';
import { type Database, type Statement, statement } from '../../backend/foundation/database/database.ts';
import { openSqlite, sqliteImage } from '../../backend/foundation/database/sqlite.ts';
import type { EventRow } from '../../backend/foundation/events/rows.ts';
import { insertEvent } from '../../backend/foundation/events/store.ts';
import { unkeyedWrite } from '../../backend/foundation/idempotency/call.ts';
import { defaultLeaseMs } from '../../backend/foundation/jobs/leases.ts';
import type { PollingSettings } from '../../backend/foundation/jobs/polling.ts';
import { defaultWebhooks, type WebhookSettings } from '../../backend/messaging/webhooks/settings.ts';
import type { PaymentRow } from '../../backend/money/payments/rows.ts';
import { insertPayment } from '../../backend/money/payments/store.ts';
import type { ModuleSettings } from '../../backend/ports.ts';
import { BitcoinAudit } from './audit-bitcoin.ts';
import { disabledAfter } from './audit-webhooks.ts';
import { Auditor } from './auditor.ts';
import { type FaultPlan, freezeMs, maxHoldUpMs } from './faults.ts';
import { errorLog, type Instance, InstanceCrashed } from './instance.ts';
import { Machine } from './machines.ts';
import type { Plan } from './plan.ts';
import { manager, type StaffMember } from './refund-calls.ts';
import { type SeededNumbers, seededNumbers } from './seeded.ts';
import { WebhookReceiver } from './webhook-receiver.ts';
import { aWorld, cardBlock, gbp, type World } from './world.ts';
import { WrittenTables } from './written-tables.ts';

/**
 * As in production, except that "not found" becomes final sooner: just after the last moment at which the operation may
 * still arrive (lease checked at its last moment, sent 83 s later, two minutes in transit, clocks that differ). Worlds
 * end sooner, and a tight bound reveals dependencies on it.
 */
const polling: PollingSettings = {
  intervalsMs: [2_000, 10_000, 40_000, 60_000],
  lateIntervalMs: 60_000,
  notFoundIsFinalAfterMs: 220_000,
  evidenceAfterMs: 150_000,
  confirmAfterMs: 60_000,
  maxConfirmationLookups: 24,
  customerMayTakeMs: 60_000,
  batch: 25,
};

/** Production's delays, shortened to seconds. */
const webhooks: WebhookSettings = {
  ...defaultWebhooks,
  timeoutMs: 10_000,
  retryDelaysMs: [1_000, 2_000, 4_000, 8_000],
  warnAfter: 2,
  disableAfter: disabledAfter,
  // So few that deliveries wait for a slot and are released.
  attemptsPerWebhook: 1,
  claimedAhead: 4,
  claimedAheadMs: 1_000,
};

/** As with webhooks: a quarter of an hour is shortened to a minute. */
const invoiceLifetimeMs = 60_000;
const bitcoinInvoices: BitcoinInvoiceSettings = {
  ...defaultBitcoinInvoices,
  buriedAfter: 4,
  confirmEveryMs: 5_000,
  watchLateForMs: 60 * 60_000,
  endWaitsForMs: 60_000,
};
const rates: RateSettings = { ...defaultRates, freshMs: 5_000, staleMs: 20_000, backOffMs: [2_000, 10_000] };

/** One database for all worlds of a process: emptying it is cheaper than opening one and preparing every statement. */
export class PooledDatabase {
  readonly database: Database;
  #schedule: (drain: () => void) => void = queueMicrotask;
  /** What is scheduled and has not run. */
  #waiting: (() => void) | undefined;

  readonly written: WrittenTables;

  private constructor(database: Database, written: WrittenTables) {
    this.database = database;
    this.written = written;
  }

  static async open(): Promise<PooledDatabase> {
    let pool: PooledDatabase | undefined;
    const connection = new SqliteConnection(await sqliteImage());
    const written = new WrittenTables(connection);
    const database = await openSqlite({
      file: ':memory:',
      connection,
      schedule: drain => pool?.schedule(drain),
    });
    pool = new PooledDatabase(database, written);
    return pool;
  }

  schedule(drain: () => void): void {
    const run = () => {
      if (this.#waiting !== run) return;
      this.#waiting = undefined;
      drain();
    };
    this.#waiting = run;
    this.#schedule(run);
  }

  runIn(schedule: (drain: () => void) => void): void {
    this.#schedule = schedule;
  }

  /** Deletes every row, so that worlds do not share data. */
  async empty(): Promise<void> {
    this.#schedule = queueMicrotask;
    // The time in which the last world would have written has ended, and the next write waits behind that one.
    this.#waiting?.();
    await this.database.write(async tx => {
      for (const table of this.written.takeAll()) await tx.run(emptying(table as keyof Tables), {});
    });
    this.written.takeAll();
  }
}

const deletions = new Map<keyof Tables, Statement<object, unknown>>();
function emptying(table: keyof Tables): Statement<object, unknown> {
  const known = deletions.get(table) ?? statement<object, unknown>(({ db }) => db.deleteFrom(table));
  deletions.set(table, known);
  return known;
}

export type ShopOptions = {
  readonly seed: number;
  readonly plan: Plan;
  readonly faultPlan: FaultPlan;
  readonly pool: PooledDatabase;
  readonly print?: ((line: string) => void) | undefined;
};

export const otherBusiness = 'biz_other';

/** The shop of a plan, with several processes of the service that crash and restart. */
export class Shop {
  readonly plan: Plan;
  readonly faultPlan: FaultPlan;
  readonly auditor: Auditor;
  readonly numbers: SeededNumbers;
  readonly staff: StaffMember[] = [];
  readonly payments: PaymentRow[] = [];
  readonly instances: Instance[] = [];
  readonly machines: Machine[] = [];
  readonly receiver: WebhookReceiver;
  bitcoin: PaymentRow | undefined;
  world!: World;
  crashes = 0;
  #heldUpMs = 0;
  lastCrashAt = 0;
  #trace = 0x811c9dc5;
  #isClosed = false;
  #writtenBefore = 0;
  readonly #print: ((line: string) => void) | undefined;
  readonly #labels = new Map<string, number>();

  constructor(options: ShopOptions) {
    this.auditor = new Auditor(() => options.pool.written.take());
    this.plan = options.plan;
    this.faultPlan = options.faultPlan;
    this.numbers = seededNumbers(options.seed * 16 + 6);
    this.#print = options.print;
    this.receiver = new WebhookReceiver(options.faultPlan, delayMs => this.wait(delayMs));
    this.auditor.webhooks = this.receiver.received;
  }

  static async open(options: ShopOptions): Promise<Shop> {
    const shop = new Shop(options);
    const { auditor, faultPlan, plan } = shop;
    const settings: Partial<ModuleSettings> = {
      polling,
      withdrawalAnswerMs: 5_000,
      terminalSales: { lifetimeMs: 60_000, unreachableAfterMs: 3_000 },
      webhooks,
      checkouts: { lifetimeMs: invoiceLifetimeMs, maxOpenWithoutKey: 500 },
      rates: { ...rates, sources: [], timeoutMs: 10_000 },
      bitcoinInvoices: { ...bitcoinInvoices, confirmations: plan.shop.confirmations },
      recoveryEveryMs: plan.shop.recoveryEveryMs,
    };
    shop.world = await aWorld({
      seed: options.seed * 16,
      database: options.pool.database,
      startsAt: startOf(plan),
      settings,
      ...(plan.shop.hasNode
        ? {
            node: {
              confirmations: plan.shop.confirmations,
              behaviour: makes => faultPlan.nodeBehaviour(makes),
              stream: () => faultPlan.nodeStream(),
              quotes: () => faultPlan.quotes(),
              print: line => shop.note(line),
              onSent: sending => auditor.bitcoin?.checkSending(sending),
            },
          }
        : {}),
      business: {
        timeZone: plan.shop.timeZone,
        passwordProtectRefundsAndVoids: plan.shop.isPasswordProtected ? 1 : 0,
      },
      behaviours: (_numbers, isBegun) => shop.#behaviour(isBegun),
      answers: () => faultPlan.answers(),
      outbound: shop.receiver,
      observer: {
        sent: sending => {
          shop.note(`the bank is sent ${sending.operation} of ${sending.amountMinor} as ${sending.uniqueReference}`);
          auditor.ledger.sent(sending);
        },
        booked: booking => {
          shop.note(`the bank ${booking.approved ? 'approves' : 'declines'} ${booking.uniqueReference}`);
          auditor.ledger.booked(booking);
        },
        posted: notified => {
          shop.note(
            `the bank will post ${notified.amountMinor} of ${notified.uniqueReference} as ${notified.gatewayReference}`,
          );
          auditor.ledger.posted(notified);
        },
        acknowledged: (notified, outcome) => auditor.ledger.acknowledged(notified, outcome),
        rejected: reference => {
          shop.note(`the bank refuses to settle ${reference}`);
          auditor.ledger.rejected(reference);
        },
      },
      atCommit: tx => auditor.look(tx),
      callbackTo: () => (shop.instances.length > 0 ? shop.numbers.pick(shop.instances) : shop.world.instance),
      onWorld: world => {
        shop.world = world;
        options.pool.runIn(drain => void world.time.after(shop.numbers.between(0, 2), drain));
      },
    });
    await shop.#seedRecords();
    return shop;
  }

  /** Adds a line to the report and to the trace hash that two runs of a seed must share. */
  note(line: string): void {
    let label = this.#labels.get(line);
    if (label === undefined) {
      label = 0;
      for (let at = 0; at < line.length; at += 1) label = Math.imul(label ^ line.charCodeAt(at), 0x01000193);
      this.#labels.set(line, label);
    }
    this.mix(label);
    this.mix(this.world.now() - startEpoch);
    if (this.#print) this.#print(`${new Date(this.world.now()).toISOString()}  ${line}`);
  }

  mix(value: number): void {
    this.#trace = Math.imul(this.#trace ^ value, 0x01000193);
    this.#trace ^= this.#trace >>> 15;
  }

  get traceHash(): string {
    return (this.#trace >>> 0).toString(16).padStart(8, '0');
  }

  /** A running process, selected by `turn`; waits when there is none. */
  async anInstance(turn?: number): Promise<Instance> {
    for (;;) {
      const alive = this.instances.filter(instance => instance.isAlive());
      const next = turn === undefined ? undefined : alive[turn % alive.length];
      if (alive.length > 0) return next ?? this.numbers.pick(alive);
      await this.wait(100);
    }
  }

  wait(delayMs: number): Promise<void> {
    return new Promise(resolve => void this.world.time.after(delayMs, resolve));
  }

  begin(): void {
    this.world.instance.crash();
    this.#writtenBefore = this.auditor.changes;
    for (let slot = 0; slot < this.plan.shop.instances; slot += 1) this.#start(slot);
  }

  close(): void {
    this.#isClosed = true;
    this.world.instance.crash();
    for (const instance of this.instances) instance.crash();
  }

  #start(slot: number): void {
    if (this.#isClosed) return;
    const { world, faultPlan } = this;
    const skewMs = faultPlan.skewMs();
    const instance: Instance = world.anInstance({
      clockErrorMs: skewMs,
      consumers: [{ name: 'auditor', handle: async (_tx, event) => this.auditor.receive(event) }],
      log: errorLog(({ job, err }) => this.auditor.report(`the job ${String(job)} failed: ${String(err)}`)),
      atAwait: where => {
        const order = faultPlan.atAwait(() => this.#state(), `process ${slot} ${where}`);
        if (order === 0) return 0;
        if (order !== 'crash') this.#heldUpMs += order === 'freeze' ? freezeMs : order;
        if (order === 'freeze') {
          this.note(`process ${slot} freezes ${where}`);
          instance.freeze(freezeMs);
          return 0;
        }
        if (order !== 'crash') {
          if (order > 1_000) this.note(`process ${slot} is delayed for ${order} ms ${where}`);
          return order;
        }
        this.crashes += 1;
        this.lastCrashAt = world.now();
        this.note(`process ${slot} dies ${where}`);
        instance.crash();
        world.time.after(this.numbers.pick([5, 300, 4_000, 30_000]), () => this.#start(slot));
        return 0;
      },
    });
    this.instances[slot] = instance;
  }

  /** What a crash leaves behind: rows written and their states, operations sent, and the bank's bookings. */
  #state(): string {
    const { auditor, world } = this;
    const written = auditor.changes - this.#writtenBefore;
    const refunds = [...auditor.refunds.values()].map(({ kind, status }) => `${kind} ${status}`);
    const payments = [...auditor.payments.values()].map(
      ({ status, reservedMinor, reversalDueAt }) => `${status} ${reservedMinor} ${reversalDueAt === null}`,
    );
    const sales = [...auditor.sales.values()].map(({ status, statusReason }) => `${status} ${statusReason}`);
    const { length: sent } = auditor.webhooks;
    const { bookings } = world.gateway;
    const bitcoin = auditor.bitcoin?.state() ?? null;
    return JSON.stringify([
      written,
      auditor.ledger.rows.size,
      bookings.length,
      refunds,
      payments,
      sales,
      sent,
      bitcoin,
    ]);
  }

  #behaviour(isBegun?: boolean) {
    return this.instances.length === 0 ? {} : this.faultPlan.behaviour(isBegun);
  }

  async #seedRecords(): Promise<void> {
    const { world, plan, faultPlan } = this;
    for (let more = 1; more < plan.shop.terminals; more += 1) await world.aTerminal();
    this.machines.push(...world.terminals.map((_, slot) => new Machine(this, slot)));
    for (const staff of plan.shop.staff) this.staff.push(await world.aStaffMember(staff));
    for (const { amountMinor, isSettled } of plan.shop.payments) {
      const payment = await world.cardPayment(gbp(amountMinor));
      if (isSettled) world.gateway.settle(payment.gatewayReference ?? '');
      this.payments.push(payment);
    }
    if (plan.shop.hasBitcoin) await this.#aBitcoinPayment();
    if (plan.shop.hasWebhooks) await this.#someWebhooks();
    await world.drive(world.database.write(tx => world.insertBusiness(tx, { ...world.business, id: otherBusiness })));
    const { nodeLedger } = world.node ?? {};
    if (nodeLedger)
      this.auditor.bitcoin = new BitcoinAudit({
        nodeLedger,
        quotes: world.rates?.quotes ?? [],
        stalePriceMs: () =>
          faultPlan.triggered.has('stall') || faultPlan.triggered.has('freeze') ? undefined : rates.staleMs,
        now: () => world.now(),
        endWaitsForMs: bitcoinInvoices.endWaitsForMs,
        sendsWithinMs: defaultLeaseMs + maxHoldUpMs,
        report: what => this.auditor.report(what),
      });
    this.auditor.shop = {
      businessId: world.business.id,
      timeZone: plan.shop.timeZone,
      isPasswordProtected: plan.shop.isPasswordProtected,
      isDriven: plan.actors.some(
        ({ kind, actions }) => kind === 'kiosk' || actions.some(action => action.kind === 'bitcoinSale'),
      ),
      heldUpMs: () => (this.crashes > 0 ? Number.POSITIVE_INFINITY : this.#heldUpMs),
      now: () => world.now(),
      evidenceAfterMs: polling.evidenceAfterMs,
      secrets: [cardBlock, ...this.staff.map(({ password }) => password)],
    };
    await world.drive(world.database.write(tx => this.auditor.look(tx)));
    await this.#makeEarlierRefunds();
  }

  async #someWebhooks(): Promise<void> {
    const { world } = this;
    const write = unkeyedWrite(world.database);
    const ofTerminals = ['terminal.sale.completed', 'terminal.sale.failed'] as const;
    const ofPayments = ['payment.created', 'payment.completed'] as const;
    for (const eventType of this.plan.shop.hasNode ? ofPayments : ofTerminals) {
      const endpoint = { url: 'https://shop.example/', eventType, description: null };
      await world.drive(
        world.instance.call(services => services.webhooks.create(world.business.id, endpoint, manager, write)),
      );
    }
  }

  async #aBitcoinPayment(): Promise<void> {
    const { world } = this;
    const template = this.payments[0];
    if (!template) return;
    const payment: PaymentRow = {
      ...template,
      id: `${template.id}btc`,
      terminalId: null,
      saleId: null,
      method: 'lightning',
      amountSats: 5_000,
      status: 'settled',
      uniqueReference: null,
      gatewayReference: null,
      settledAt: world.now(),
      completeBy: null,
    };
    const { id: paymentId, businessId, currency, amountMinor, createdAt } = payment;
    const received = { network: 'lightning', txId: paymentId, amountSats: 5_000, purpose: 'link', purposeId: 'pl_1' };
    const event: EventRow = {
      id: `evt_${paymentId}`,
      businessId,
      type: 'bitcoin.received',
      paymentId,
      subjectId: paymentId,
      ...actorColumns(system),
      payloadJson: JSON.stringify({ ...received, amountMinor, currency }),
      createdAt,
      trace: null,
    };
    await world.drive(
      world.database.write(async tx => {
        await tx.run(insertPayment, payment);
        await tx.run(insertEvent, event);
      }),
    );
    this.bitcoin = payment;
  }

  async #makeEarlierRefunds(): Promise<void> {
    const { world, plan } = this;
    for (const { staff, amountMinor, hoursBefore } of plan.shop.earlierRefunds) {
      const member = this.staff[staff];
      if (!member || !plan.shop.isPasswordProtected) continue;
      const payment = await world.settledCardPayment(gbp(20_00));
      const attempt = { staffId: member.row.id, terminalId: world.terminal, paymentId: payment.id };
      this.auditor.attempted({ ...attempt, of: 'REFUND_SALE', amountMinor });
      await world.staff.refunds(payment, gbp(amountMinor), { staff: member });
      world.time.skip(hoursBefore * 3_600_000);
    }
  }

  unlessCrashed(error: unknown): undefined {
    if (error instanceof InstanceCrashed) return undefined;
    throw error;
  }
}

const noon = Date.UTC(2026, 10, 20, 12);
const startEpoch = Date.UTC(2026, 0, 1);
const midnights = new Map<string, number>();

function startOf({ shop }: Plan): number {
  const earlierRefundsMs = shop.earlierRefunds.reduce((sum, { hoursBefore }) => sum + hoursBefore * 3_600_000, 0);
  if (shop.beforeMidnightMinutes === null) return noon - earlierRefundsMs;
  return midnightOf(shop.timeZone) - shop.beforeMidnightMinutes * 60_000 - 10_000 - earlierRefundsMs;
}

/** The midnight that starts a day with a clock change, or any midnight in a zone without one. */
function midnightOf(timeZone: string): number {
  const known = midnights.get(timeZone);
  if (known !== undefined) return known;
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  // Europe changes on 25 October 2026, North America on 1 November, Lord Howe on 4 October.
  const days: Record<string, number> = {
    'Europe/London': Date.UTC(2026, 9, 25, 12),
    'Australia/Lord_Howe': Date.UTC(2026, 9, 4, 12),
  };
  const after = days[timeZone] ?? Date.UTC(2026, 10, 1, 12);
  let at = after;
  while (clock.format(at) !== '00:00') at += 15 * 60_000;
  midnights.set(timeZone, at);
  return at;
}
