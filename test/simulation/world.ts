import { type Money, money } from '@florin/shared/money.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { KeyPair } from '@florin/shared/signing/ed25519.ts';
import SqliteConnection from 'better-sqlite3';
import { insertBackend } from '../../backend/bitcoin/backends/store.ts';
import { insertEnrolment } from '../../backend/channels/terminals/outbox-store.ts';
import { insertTerminal } from '../../backend/channels/terminals/store.ts';
import type { Database, Transaction } from '../../backend/foundation/database/database.ts';
import { openSqlite, sqliteImage } from '../../backend/foundation/database/sqlite.ts';
import type { Outbound } from '../../backend/foundation/outbound/outbound.ts';
import { insertAccount } from '../../backend/gateways/accounts/store.ts';
import type { PaymentRow } from '../../backend/money/payments/rows.ts';
import { paymentById } from '../../backend/money/payments/store.ts';
import type { RefundOutcome } from '../../backend/money/refunds/service.ts';
import type { BusinessRow } from '../../backend/people/businesses/rows.ts';
import { insertBusiness } from '../../backend/people/businesses/store.ts';
import type { StaffRow } from '../../backend/people/staff/rows.ts';
import { insertStaff } from '../../backend/people/staff/store.ts';
import type { ModuleSettings } from '../../backend/ports.ts';
import { aBitcoinBackend } from '../support/bitcoin-backend.ts';
import { aGatewayAccount } from '../support/gateway-account.ts';
import { type Behaviour, type GatewayModel, type GatewayObserver, gatewayModel } from './gateway-model.ts';
import {
  type AtAwait,
  errorLog,
  type Instance,
  InstanceCrashed,
  type InstanceOptions,
  startInstance,
} from './instance.ts';
import { type BitcoinNodeModel, bitcoinNodeModel } from './node-model.ts';
import { RateModel } from './rate-model.ts';
import { quickDerivation, quickKeys, RefundCalls, type StaffMember } from './refund-calls.ts';
import { businessRow, enrolledTerminal, staffRow } from './rows.ts';
import {
  eventLoopTurn,
  microtasks,
  type SeededNumbers,
  seededIds,
  seededNumbers,
  seededRandom,
  VirtualTime,
} from './seeded.ts';
import { allOf, markSettled, type TableName } from './tables.ts';
import { watchedDatabase } from './watched-database.ts';

/** The card data as the reader encrypts it, which must never be stored. */
export const cardBlock = 'RU5DUllQVEVEIENBUkQgQkxPQ0s=';

/** 2026-11-20 12:00 UTC: an ordinary Friday. */
const worldStartsAt: Instant = Date.UTC(2026, 10, 20, 12);

export type WorldOptions = {
  readonly seed: number;
  /** A new SQLite database in memory by default. */
  readonly database?: Database;
  readonly startsAt?: Instant;
  readonly settings?: Partial<ModuleSettings>;
  readonly behaviours?: (numbers: SeededNumbers, isBegun?: boolean) => Behaviour;
  readonly atAwait?: AtAwait;
  readonly business?: Partial<BusinessRow>;
  /** Whether the gateway answers the next lookup. */
  readonly answers?: () => boolean;
  readonly observer?: GatewayObserver;
  /** Called in every transaction just before it commits. */
  readonly atCommit?: (tx: Transaction) => Promise<void>;
  /** The bitcoin node of the business; none by default. */
  readonly node?: Omit<Parameters<typeof bitcoinNodeModel>[0], 'time' | 'numbers'> & { readonly quotes: () => boolean };
  /** Receives webhooks; without it none is sent. */
  readonly outbound?: Outbound;
  /** The process that receives the gateway's next callback, if any. */
  readonly callbackTo?: () => Instance | undefined;
  /** Called with the world before its first step. */
  readonly onWorld?: (world: World) => void;
};

export type Duration = { readonly hours?: number; readonly minutes?: number; readonly seconds?: number };

let image: Promise<Buffer> | undefined;

/** A shop with terminals, staff and a card gateway in virtual time: the real modules in a seeded environment. */
export async function aWorld(options: WorldOptions): Promise<World> {
  const numbers = seededNumbers(options.seed);
  const time = new VirtualTime(options.startsAt ?? worldStartsAt, () => numbers.word());
  image ??= sqliteImage();
  const connection = options.database ? undefined : new SqliteConnection(await image);
  const database =
    options.database ??
    (await openSqlite({
      file: ':memory:',
      ...(connection ? { connection } : {}),
      schedule: drain => void time.after(numbers.between(0, 2), drain),
    }));
  const world = new World(options, { numbers, time, database, connection });
  options.onWorld?.(world);
  await world.begin();
  return world;
}

export class World {
  readonly numbers: SeededNumbers;
  readonly time: VirtualTime;
  readonly database: Database;
  /** The SQLite database in memory, which the auditor reads between two steps. */
  readonly connection: SqliteConnection.Database | undefined;
  readonly gateway: GatewayModel;
  readonly gatewayAccountId = 'gwa_model0';
  readonly node: BitcoinNodeModel | undefined;
  readonly rates: RateModel | undefined;
  /** Confirmations after which a payment counts. */
  readonly confirmations: number;
  /** Errors of background jobs: a step that adds one fails. */
  readonly jobErrors: unknown[] = [];
  /** Called after every step of the world. */
  afterStep: () => void = () => {};
  /** Called when an operation leaves for the bank. */
  onSend: (uniqueReference: string) => void = () => {};
  readonly business: BusinessRow;
  readonly terminals: string[] = [];
  readonly keys = new Map<string, { salt: Uint8Array; keys: KeyPair }>();
  instance: Instance;
  /** Called at every await of a process: gives a delay, or kills the process. */
  atAwait: AtAwait;
  readonly #options: WorldOptions;
  readonly #ids;
  readonly #idle: () => Promise<void> | undefined;
  #driven = 0;
  #sales = 0;
  #names = 0;

  constructor(
    options: WorldOptions,
    parts: {
      numbers: SeededNumbers;
      time: VirtualTime;
      database: Database;
      connection: SqliteConnection.Database | undefined;
    },
  ) {
    this.connection = parts.connection;
    this.#options = options;
    this.numbers = parts.numbers;
    this.time = parts.time;
    const { database, idle } = watchedDatabase(parts.database, options.atCommit);
    this.database = database;
    // SQLite in memory completes within the turn of the event loop: only a real server delays virtual time.
    this.#idle = database.dialect === 'postgres' ? idle : () => undefined;
    this.#ids = seededIds(this.time);
    this.atAwait = options.atAwait ?? (() => 0);
    const { behaviours, answers, observer } = options;
    this.gateway = gatewayModel({
      time: this.time,
      numbers: this.numbers,
      ...(behaviours ? { behaviours: isBegun => behaviours(this.numbers, isBegun) } : {}),
      onSend: uniqueReference => this.onSend(uniqueReference),
      ...(answers ? { answers } : {}),
      observer,
      onCallback: async body => {
        const receiver = options.callbackTo ? options.callbackTo() : this.instance;
        if (!receiver?.isAlive()) return undefined;
        return receiver
          .call(({ gateways }) => gateways.takeCallback(this.gatewayAccountId, { rawBody: body, headers: {} }))
          .catch(unlessCrashed);
      },
    });
    const { node } = options;
    this.node = node && bitcoinNodeModel({ time: this.time, numbers: this.numbers, ...node });
    this.confirmations = node?.confirmations ?? 1;
    this.rates = node && new RateModel({ time: this.time, isSilent: () => !node.quotes() });
    this.business = { ...businessRow({ id: this.#ids.next('biz'), now: this.time.now() }), ...options.business };
    this.instance = this.anInstance();
  }

  /** Waits in virtual time without running the world. */
  pause(delayMs: number): Promise<void> {
    return new Promise(resolve => void this.time.after(delayMs, resolve));
  }

  async begin(): Promise<void> {
    const account = aGatewayAccount({
      id: this.gatewayAccountId,
      businessId: this.business.id,
      adapter: this.gateway.name,
      createdAt: this.now(),
    });
    await this.drive(
      this.database.write(async tx => {
        await this.insertBusiness(tx, this.business);
        await tx.run(insertAccount, account);
        if (this.node) await tx.run(insertBackend, aBitcoinBackend(this.business.id, this.now()));
      }),
    );
    await this.aTerminal();
  }

  /** Creates a business as the product does, with an id from the world. */
  async insertBusiness(tx: Transaction, business: BusinessRow): Promise<void> {
    await tx.run(insertBusiness, business);
    await this.instance.services.audit.begin(tx, business.id);
  }

  /** One more process of the service over the same database. */
  anInstance(
    options: { settings?: Partial<ModuleSettings> } & Partial<
      Pick<InstanceOptions, 'atAwait' | 'clockErrorMs' | 'consumers' | 'log'>
    > = {},
  ): Instance {
    return startInstance({
      database: this.database,
      gateway: this.gateway,
      time: this.time,
      random: seededRandom(this.numbers),
      ids: this.#ids,
      derivePassword: quickDerivation,
      outbound: this.#options.outbound,
      node: this.node,
      rateSources: this.rates?.sources,
      atAwait: where => this.atAwait(where),
      log: errorLog(
        facts => void this.jobErrors.push(new Error(`job ${String(facts.job)} failed`, { cause: facts.err })),
      ),
      ...options,
      settings: { recoveryEveryMs: 5_000, ...this.#options.settings, ...options.settings },
    });
  }

  /** Kills the process and starts another one. */
  restart(options: { clockErrorMs?: number } = {}): void {
    this.instance.crash();
    this.instance = this.anInstance(options);
  }

  /** Kills the process the next time it waits at this point. */
  crashAt(where: string): void {
    this.atAwait = point => {
      if (point !== where) return 0;
      this.atAwait = () => 0;
      this.restart();
      return 0;
    };
  }

  now(): Instant {
    return this.time.now();
  }

  get clock() {
    return { advance: (duration: Duration) => this.advance(duration) };
  }

  /** Advances virtual time and runs everything that is due until then. */
  async advance({ hours = 0, minutes = 0, seconds = 0 }: Duration): Promise<void> {
    const until = this.now() + ((hours * 60 + minutes) * 60 + seconds) * 1_000;
    await this.drive(new Promise<void>(resolve => void this.time.after(until - this.now(), resolve)));
  }

  /** Runs the world until `promise` settles. Several may be driven at once. */
  async drive<Value>(promise: Promise<Value>): Promise<Value> {
    this.#driven += 1;
    const settled = () => {
      this.#driven -= 1;
    };
    promise.then(settled, settled);
    if (this.#driven === 1) await this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    await eventLoopTurn();
    await microtasks();
    while (this.#driven > 0) {
      const idle = this.#idle();
      if (idle) {
        await idle;
        await eventLoopTurn();
        continue;
      }
      if (!(await this.time.step())) throw new Error('no scheduled task is left that could settle this promise');
      this.afterStep();
      const [failed] = this.jobErrors;
      if (failed instanceof Error) throw failed;
    }
  }

  async aTerminal(): Promise<string> {
    const id = this.#ids.next('dev');
    const { terminal, enrolment } = enrolledTerminal({
      id,
      businessId: this.business.id,
      name: `Till ${this.terminals.length + 1}`,
      now: this.now(),
    });
    await this.drive(
      this.database.write(async tx => {
        await tx.run(insertTerminal, terminal);
        await tx.run(insertEnrolment, enrolment);
      }),
    );
    this.terminals.push(id);
    return id;
  }

  get terminal(): string {
    const [first] = this.terminals;
    if (first === undefined) throw new Error('the shop has no terminal');
    return first;
  }

  /** A staff member who has chosen a password and may refund, by default. */
  async aStaffMember(given: Partial<StaffRow> & { password?: string } = {}): Promise<StaffMember> {
    const { password = 'correct horse battery', ...columns } = given;
    this.#names += 1;
    const salt = seededRandom(this.numbers).bytes(16);
    const keys = quickKeys(password, salt);
    const row: StaffRow = {
      ...staffRow({
        id: this.#ids.next('staff'),
        businessId: this.business.id,
        number: this.#names,
        publicKey: keys.publicKey,
        salt,
        now: this.now(),
      }),
      ...columns,
    };
    this.keys.set(row.id, { salt, keys });
    await this.drive(this.database.write(tx => tx.run(insertStaff, row)));
    return { row, password };
  }

  /** A card payment taken on the terminal and approved. */
  async cardPayment(amount: Money, options: { terminal?: string } = {}): Promise<PaymentRow> {
    const terminalId = options.terminal ?? this.terminal;
    const taken = await this.drive(this.authorise({ amount, terminalId, saleId: this.aSaleId() }));
    if (!taken.ok) throw new Error(`the sale was refused: ${taken.refusal.kind}`);
    return taken.value;
  }

  aSaleId(): string {
    this.#sales += 1;
    return `sale_${String(this.#sales).padStart(8, '0')}`;
  }

  /** Two in three sales include a tip. */
  authorise(sale: { amount: Money; terminalId: string; saleId: string }, instance: Instance = this.instance) {
    const { amountMinor, currency } = sale.amount;
    return instance.call(services =>
      services.payments.authoriseSale({
        businessId: this.business.id,
        terminalId: sale.terminalId,
        saleId: sale.saleId,
        amountMinor,
        tipMinor: amountMinor % 3 === 0 ? 0 : Math.floor(amountMinor / 5),
        currency,
        card: { encryptedBlock: cardBlock, keySerialNumber: 'FFFF9876543210E00001', entryMode: 'chip' },
      }),
    );
  }

  async settledCardPayment(amount: Money): Promise<PaymentRow> {
    const payment = await this.cardPayment(amount);
    await this.settle(payment);
    return this.payment(payment);
  }

  /** Settles the payment at the gateway and in our records. */
  async settle(payment: PaymentRow): Promise<void> {
    this.gateway.settle(payment.gatewayReference ?? '');
    await this.drive(this.database.write(tx => tx.run(markSettled, { id: payment.id, settledAt: this.now() })));
  }

  async payment(payment: PaymentRow): Promise<PaymentRow> {
    const found = await this.drive(
      this.database.first(paymentById, { businessId: payment.businessId, id: payment.id }),
    );
    if (!found) throw new Error(`payment ${payment.id} is missing`);
    return found;
  }

  /** Calls that do not run the world, so that several can be made at once. */
  readonly calls = new RefundCalls(this);

  /** The shop's own software refunds through the API. */
  readonly merchant = {
    refunds: (payment: PaymentRow, amount: Money) =>
      this.drive(this.calls.apiRefund(payment, { kind: 'REFUND_SALE', amount })),
    credits: (payment: PaymentRow, amount: Money) =>
      this.drive(this.calls.apiRefund(payment, { kind: 'REFUND', amount })),
  };

  /** Staff at the till. */
  readonly staff = {
    refunds: (
      payment: PaymentRow,
      amount: Money,
      by: { staff?: StaffMember; password?: string; terminal?: string; requestId?: string },
    ) => this.drive(this.calls.terminalRefund(payment, { amount, ...by })),
    voids: (
      payment: PaymentRow,
      by: { staff?: StaffMember; password?: string; terminal?: string; requestId?: string },
    ) => this.drive(this.calls.terminalRefund(payment, { kind: 'CANCEL', ...by })),
  };

  /** Every row of a table, for the auditor and for assertions. */
  rows<Row>(table: TableName): Promise<Row[]> {
    return this.drive(this.database.all(allOf(table), {})) as Promise<Row[]>;
  }

  async close(): Promise<void> {
    this.instance.crash();
    if (!this.#options.database) {
      // Closing waits for queued writes, which run in virtual time.
      await this.drive(this.database.close());
    }
  }
}

export const gbp = (amountMinor: number): Money => money(amountMinor, 'GBP');

/** The status of the refund, or the reason it was refused. */
export function outcomeOf(outcome: RefundOutcome | { kind: 'refused'; refusal: { kind: string } }): string {
  if (outcome.kind === 'done') return outcome.view.refund.status;
  return outcome.refusal.kind;
}

function unlessCrashed(error: unknown): undefined {
  if (!(error instanceof InstanceCrashed)) throw error;
}
