import { type Money, money } from '@florin/shared/money.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { KeyPair } from '@florin/shared/signing/ed25519.ts';
import SqliteConnection from 'better-sqlite3';
import type { BusinessRow } from '../../backend/businesses/rows.ts';
import { insertBusiness } from '../../backend/businesses/store.ts';
import type { ModuleSettings } from '../../backend/compose.ts';
import { type Database, statement, type Transaction } from '../../backend/database/database.ts';
import { openSqlite, sqliteImage } from '../../backend/database/sqlite.ts';
import { insertAccount } from '../../backend/gateway-accounts/store.ts';
import type { Outbound } from '../../backend/outbound/outbound.ts';
import type { PaymentLinkRow } from '../../backend/payment-links/rows.ts';
import { insertLink } from '../../backend/payment-links/store.ts';
import type { PaymentRow } from '../../backend/payments/rows.ts';
import { insertPayment, paymentById } from '../../backend/payments/store.ts';
import type { RefundOutcome } from '../../backend/refunds/service.ts';
import { defaultArgon2 } from '../../backend/staff/password.ts';
import type { StaffRow } from '../../backend/staff/rows.ts';
import { insertStaff } from '../../backend/staff/store.ts';
import { insertEnrolment } from '../../backend/terminals/outbox-store.ts';
import type { TerminalRow } from '../../backend/terminals/rows.ts';
import { insertTerminal } from '../../backend/terminals/store.ts';
import { aGatewayAccount } from '../support/gateway-account.ts';
import { type Fate, type GatewayModel, type GatewayObserver, gatewayModel } from './gateway-model.ts';
import {
  type AtAwait,
  errorLog,
  type Instance,
  InstanceDied,
  type InstanceOptions,
  startInstance,
} from './instance.ts';
import { machineKeys, quickDerivation, quickKeys, RefundCalls, type StaffMember } from './refund-calls.ts';
import {
  eventLoopTurn,
  microtasks,
  type SeededNumbers,
  seededIds,
  seededNumbers,
  seededRandom,
  VirtualTime,
} from './seeded.ts';

/** The card as the reader encrypts it: must pass through and stay nowhere. */
export const cardBlock = 'RU5DUllQVEVEIENBUkQgQkxPQ0s=';

/** 2026-11-20 12:00 UTC: an ordinary Friday. */
const worldStartsAt: Instant = Date.UTC(2026, 10, 20, 12);

export type WorldOptions = {
  readonly seed: number;
  /** A database to live in; a fresh one in memory unless told. */
  readonly database?: Database;
  readonly startsAt?: Instant;
  readonly settings?: Partial<ModuleSettings>;
  readonly fates?: (numbers: SeededNumbers) => Fate;
  readonly atAwait?: AtAwait;
  readonly business?: Partial<BusinessRow>;
  /** Whether the gateway answers the next question. */
  readonly answers?: () => boolean;
  readonly observer?: GatewayObserver;
  /** Sees the database at the end of every transaction, before anything else can change it. */
  readonly atCommit?: (tx: Transaction) => Promise<void>;
  /** Where webhooks go; nowhere unless told. */
  readonly outbound?: Outbound;
  /** The process that the gateway's next callback reaches, if any. */
  readonly callbackTo?: () => Instance | undefined;
  /** Gets hold of the world before anything in it happens. */
  readonly onWorld?: (world: World) => void;
};

export type Duration = { readonly hours?: number; readonly minutes?: number; readonly seconds?: number };

let image: Promise<Buffer> | undefined;

/** A shop with terminals, staff and a card gateway in virtual time: the real modules, everything around them seeded. */
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

/** Counts what real input and output is under way, so that virtual time stands still meanwhile. */
function watched(database: Database, atCommit: WorldOptions['atCommit']): { database: Database; busy: () => boolean } {
  let running = 0;
  const count = async <Value>(promise: Promise<Value>): Promise<Value> => {
    running += 1;
    try {
      return await promise;
    } finally {
      running -= 1;
    }
  };
  /**
   * On SQLite one at a time, as they commit anyway: of bodies that share a commit the first would be taken back and run
   * again where a later one fails, and whoever looks on at the end of each would see it twice.
   */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(write: () => Promise<Value>): Promise<Value> => {
    if (database.dialect !== 'sqlite') return write();
    const turn = last.then(write);
    last = turn.catch(() => {});
    return turn;
  };
  return {
    busy: () => running > 0,
    database: {
      dialect: database.dialect,
      write: body =>
        count(
          inTurn(() =>
            database.write(async tx => {
              const value = await body(tx);
              await atCommit?.(tx);
              return value;
            }),
          ),
        ),
      all: (text, args) => count(database.all(text, args)),
      first: (text, args) => count(database.first(text, args)),
      close: () => database.close(),
    },
  };
}

export class World {
  readonly numbers: SeededNumbers;
  readonly time: VirtualTime;
  readonly database: Database;
  /** SQLite in memory, for an auditor that looks on between two steps. */
  readonly connection: SqliteConnection.Database | undefined;
  readonly gateway: GatewayModel;
  readonly gatewayAccountId = 'gwa_model0';
  /** What background work failed with; nothing of it may. */
  readonly jobErrors: unknown[] = [];
  /** Called after every step of the world. */
  afterStep: () => void = () => {};
  /** Called when an operation leaves for the bank. */
  onSend: (uniqueReference: string) => void = () => {};
  readonly business: BusinessRow;
  readonly terminals: string[] = [];
  readonly keys = new Map<string, { salt: Uint8Array; keys: KeyPair }>();
  instance: Instance;
  /** What holds processes up, or kills them, where they wait. */
  atAwait: AtAwait;
  readonly #options: WorldOptions;
  readonly #ids;
  readonly #isBusy: () => boolean;
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
    const { database, busy } = watched(parts.database, options.atCommit);
    this.database = database;
    // SQLite in memory works within the turn of the event loop: only a real server keeps virtual time waiting.
    this.#isBusy = database.dialect === 'postgres' ? busy : () => false;
    this.#ids = seededIds(this.time);
    this.atAwait = options.atAwait ?? (() => 0);
    const { fates, answers, observer } = options;
    this.gateway = gatewayModel({
      time: this.time,
      numbers: this.numbers,
      ...(fates ? { fates: () => fates(this.numbers) } : {}),
      onSend: uniqueReference => this.onSend(uniqueReference),
      ...(answers ? { answers } : {}),
      observer,
      onCallback: async body => {
        const receiver = options.callbackTo ? options.callbackTo() : this.instance;
        if (!receiver?.isAlive()) return undefined;
        return receiver
          .call(({ gateways }) => gateways.takeCallback(this.gatewayAccountId, { rawBody: body, headers: {} }))
          .catch(unlessDead);
      },
    });
    this.business = {
      id: this.#ids.next('biz'),
      name: 'Corner Shop',
      countryCode: 'GB',
      currency: 'GBP',
      locale: 'en-GB',
      timeZone: 'Europe/London',
      passwordProtectRefundsAndVoids: 1,
      paymentLinksEnabled: 1,
      createdAt: this.time.now(),
      ...options.business,
    };
    this.instance = this.anInstance();
  }

  /** Virtual time passing for somebody in a scenario of several. */
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
      }),
    );
    await this.aTerminal();
  }

  /** As the product does it, with an id that the world chose. */
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

  /** Lets time pass, with everything that is due in it. */
  async advance({ hours = 0, minutes = 0, seconds = 0 }: Duration): Promise<void> {
    const until = this.now() + ((hours * 60 + minutes) * 60 + seconds) * 1_000;
    await this.drive(new Promise<void>(resolve => void this.time.after(until - this.now(), resolve)));
  }

  /** Lets the world go on until `promise` is decided. Several may be driven at once. */
  async drive<Value>(promise: Promise<Value>): Promise<Value> {
    this.#driven += 1;
    const decided = () => {
      this.#driven -= 1;
    };
    promise.then(decided, decided);
    if (this.#driven === 1) await this.#goOn();
    return promise;
  }

  async #goOn(): Promise<void> {
    await eventLoopTurn();
    await microtasks();
    while (this.#driven > 0) {
      if (this.#isBusy()) {
        await eventLoopTurn();
        continue;
      }
      if (!(await this.time.step())) throw new Error('the world waits for something that nothing will bring about');
      this.afterStep();
      const [failed] = this.jobErrors;
      if (failed instanceof Error) throw failed;
    }
  }

  async aTerminal(): Promise<string> {
    const id = this.#ids.next('dev');
    const row: TerminalRow = {
      id,
      businessId: this.business.id,
      machineId: id,
      name: `Till ${this.terminals.length + 1}`,
      mode: 'staff',
      serial: id,
      publicKey: machineKeys(id).publicKey,
      tokenHash: id,
      enrolmentCodeHash: null,
      enrolmentCodeExpiresAt: null,
      enrolledAt: this.now(),
      removedAt: null,
      lastSeenAt: null,
      createdAt: this.now(),
    };
    const enrolment = {
      terminalId: id,
      publicKey: row.publicKey ?? '',
      businessId: row.businessId,
      enrolledAt: this.now(),
    };
    await this.drive(
      this.database.write(async tx => {
        await tx.run(insertTerminal, row);
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

  /** A staff member who has chosen a password and may refund, unless told otherwise. */
  async aStaffMember(given: Partial<StaffRow> & { password?: string } = {}): Promise<StaffMember> {
    const { password = 'correct horse battery', ...columns } = given;
    this.#names += 1;
    const salt = seededRandom(this.numbers).bytes(16);
    const keys = quickKeys(password, salt);
    const row: StaffRow = {
      id: this.#ids.next('staff'),
      businessId: this.business.id,
      staffNumber: String(100 + this.#names),
      name: `Staff ${this.#names}`,
      mayRefundAndVoid: 1,
      mayManageTerminals: 0,
      perTransactionLimitMinor: null,
      dailyLimitMinor: null,
      publicKey: keys.publicKey,
      salt: Buffer.from(salt).toString('base64'),
      argon2Json: JSON.stringify(defaultArgon2),
      passwordIsTemporary: 0,
      failedAttempts: 0,
      lockoutRound: 0,
      lockedUntil: null,
      disabledAt: null,
      createdAt: this.now(),
      ...columns,
    };
    this.keys.set(row.id, { salt, keys });
    await this.drive(this.database.write(tx => tx.run(insertStaff, row)));
    return { row, password };
  }

  /** Takes in a staff member made by the service itself, with the password it gave out. */
  knows(staff: StaffMember, salt: Uint8Array): StaffMember {
    this.keys.set(staff.row.id, { salt, keys: quickKeys(staff.password, salt) });
    return staff;
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

  authorise(sale: { amount: Money; terminalId: string; saleId: string }, instance: Instance = this.instance) {
    return instance.call(services =>
      services.payments.authoriseSale({
        businessId: this.business.id,
        terminalId: sale.terminalId,
        saleId: sale.saleId,
        amountMinor: sale.amount.amountMinor,
        currency: sale.amount.currency,
        card: { encryptedBlock: cardBlock, keySerialNumber: 'FFFF9876543210E00001', entryMode: 'chip' },
      }),
    );
  }

  async settledCardPayment(amount: Money): Promise<PaymentRow> {
    const payment = await this.cardPayment(amount);
    await this.settle(payment);
    return this.payment(payment);
  }

  /** The gateway settles; our records learn of it when they ask. */
  async settle(payment: PaymentRow): Promise<void> {
    this.gateway.settle(payment.gatewayReference ?? '');
    await this.drive(this.database.write(tx => tx.run(markSettled, { id: payment.id, settledAt: this.now() })));
  }

  /** A bitcoin payment as it will look when one has been received. */
  async bitcoinPayment(amountSats: number): Promise<{ payment: PaymentRow; link: PaymentLinkRow }> {
    const link = await this.aPaymentLink(money(1_000, this.business.currency));
    const template = await this.cardPayment(money(1_000, this.business.currency));
    const payment: PaymentRow = {
      ...template,
      id: this.#ids.next('pay'),
      paymentLinkId: link.id,
      terminalId: null,
      saleId: null,
      method: 'lightning',
      amountSats,
      status: 'settled',
      uniqueReference: null,
      gatewayReference: null,
      settledAt: this.now(),
    };
    await this.drive(this.database.write(tx => tx.run(insertPayment, payment)));
    return { payment, link };
  }

  async aPaymentLink(amount: Money): Promise<PaymentLinkRow> {
    const link: PaymentLinkRow = {
      id: this.#ids.next('pl'),
      businessId: this.business.id,
      description: 'Invoice',
      amountMinor: amount.amountMinor,
      currency: amount.currency,
      allowPartPayment: 0,
      minimumAmountMinor: null,
      amountPaidMinor: 0,
      externalReference: null,
      successUrl: null,
      expiresAt: this.now() + 7 * 24 * 3_600_000,
      createdAt: this.now(),
      deletedAt: null,
    };
    await this.drive(this.database.write(tx => tx.run(insertLink, link)));
    return link;
  }

  async payment(payment: PaymentRow): Promise<PaymentRow> {
    const found = await this.drive(
      this.database.first(paymentById, { businessId: payment.businessId, id: payment.id }),
    );
    if (!found) throw new Error(`payment ${payment.id} is missing`);
    return found;
  }

  /** Calls that are not driven by themselves, to be made several at once. */
  readonly calls = new RefundCalls(this);

  /** The shop's own software refunds through the API. */
  readonly merchant = {
    refunds: (payment: PaymentRow, amount: Money) =>
      this.drive(this.calls.apiRefund(payment, { kind: 'REFUND_SALE', amount })),
    cancels: (payment: PaymentRow) => this.drive(this.calls.apiRefund(payment, { kind: 'CANCEL' })),
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
  rows<Row>(table: Parameters<typeof allOf>[0]): Promise<Row[]> {
    return this.drive(this.database.all(allOf(table), {})) as Promise<Row[]>;
  }

  async close(): Promise<void> {
    this.instance.crash();
    if (!this.#options.database) {
      // Whatever is queued belongs to nobody any more; its batch runs in virtual time.
      await this.drive(this.database.close());
    }
  }
}

export const gbp = (amountMinor: number): Money => money(amountMinor, 'GBP');

const tableStatements = new Map<string, ReturnType<typeof readAll>>();
type TableName =
  | 'payments'
  | 'refunds'
  | 'auditEntries'
  | 'events'
  | 'eventConsumers'
  | 'staff'
  | 'discrepancies'
  | 'timelineEvents'
  | 'staffNonces';
const readAll = (table: TableName) =>
  statement<Record<string, never>, unknown>(({ db }) => db.selectFrom(table).selectAll());
function allOf(table: TableName) {
  const known = tableStatements.get(table) ?? readAll(table);
  tableStatements.set(table, known);
  return known;
}

const markSettled = statement<{ id: string; settledAt: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({ status: 'settled', settledAt: arg('settledAt'), nextPollAt: null })
    .where('id', '=', arg('id')),
);

/** What became of a refund request, in a word: the refund's status or the reason it was refused. */
export function outcomeOf(outcome: RefundOutcome | { kind: 'refused'; refusal: { kind: string } }): string {
  if (outcome.kind === 'done') return outcome.view.refund.status;
  return outcome.refusal.kind;
}

function unlessDead(error: unknown): undefined {
  if (!(error instanceof InstanceDied)) throw error;
}
