import type { Clock, ContextLog, Ids, Random, Timers } from '@florin/shared/ports.ts';
import type { BitcoinNode } from '../../backend/bitcoin/nodes/node.ts';
import type { RateSource } from '../../backend/bitcoin/rates/source.ts';
import { compose, type Services } from '../../backend/compose.ts';
import { readSettings } from '../../backend/config/settings.ts';
import type { Database } from '../../backend/foundation/database/database.ts';
import { readsPrimary } from '../../backend/foundation/database/replica.ts';
import type { EventConsumer } from '../../backend/foundation/events/dispatcher.ts';
import { noNotifications } from '../../backend/foundation/events/notifications.ts';
import { noOutbound, type Outbound, type PostRequest } from '../../backend/foundation/outbound/outbound.ts';
import type { CardGateway } from '../../backend/gateways/gateway.ts';
import type { DerivePassword } from '../../backend/people/staff/password.ts';
import type { ModuleSettings } from '../../backend/ports.ts';
import { testSecretsKey } from '../support/gateway-account.ts';
import { noLog } from '../support/log.ts';
import { modelAdapter } from './gateway-model.ts';
import { modelNodeAdapter } from './node-model.ts';
import type { VirtualTime } from './seeded.ts';

/** The process serving a caller crashed, and the caller's connection broke. */
export class InstanceCrashed extends Error {
  override name = 'InstanceCrashed';
}

/**
 * Called at every point where a process waits for something outside itself. Returns the delay there in milliseconds, and
 * may crash the process at exactly this point.
 */
export type AtAwait = (where: string) => number;

export type InstanceOptions = {
  readonly database: Database;
  readonly gateway: CardGateway;
  readonly time: VirtualTime;
  readonly random: Random;
  readonly ids: Ids;
  readonly derivePassword: DerivePassword;
  readonly settings: Partial<ModuleSettings>;
  readonly atAwait: AtAwait;
  readonly log: ContextLog;
  readonly consumers?: readonly EventConsumer[];
  readonly outbound?: Outbound | undefined;
  /** The businesses' bitcoin node and the sources of bitcoin prices. */
  readonly node?: BitcoinNode | undefined;
  readonly rateSources?: readonly RateSource[] | undefined;
  /** The error of this process's clock. */
  readonly clockErrorMs?: number;
};

/** One process of the service. After a crash nothing of it continues: only the database survives. */
export type Served = Pick<ReturnType<typeof compose>, 'routes' | 'authenticators' | 'credentialPrefixes'> & {
  readonly log: ContextLog;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
  readonly settings: typeof defaults;
};

export type Instance = {
  readonly services: Services;
  /** What its HTTP interface is made of. */
  readonly served: Served;
  readonly database: Database;
  readonly isAlive: () => boolean;
  crash(): void;
  /** Pauses the whole process, like a suspended machine: its timers and awaits continue afterwards. */
  freeze(forMs: number): void;
  /** Calls the service from outside; rejects with InstanceCrashed when the process crashes before it answers. */
  call<Value>(work: (services: Services) => Promise<Value>): Promise<Value>;
};

const publicUrl = 'http://127.0.0.1';

/** The product's own defaults. */
function defaultSettings() {
  const read = readSettings({});
  if (!read.ok) throw new Error(read.problems.join('\n'));
  return read.settings;
}
const defaults = defaultSettings();

export function startInstance(options: InstanceOptions): Instance {
  const { time, atAwait } = options;
  const clock: Clock = { now: () => time.now() + (options.clockErrorMs ?? 0) };
  let isRunning = true;
  let frozenUntil = 0;
  const onCrash = new Set<() => void>();

  /** Runs the task when the process is no longer frozen; never after a crash. */
  function whenRunning(task: () => void): void {
    const resume = () => isRunning && task();
    if (frozenUntil > time.now()) time.after(frozenUntil - time.now(), resume);
    else resume();
  }

  /** Delays the process at this point; never resolves after a crash. */
  function pass(where: string): Promise<void> {
    return new Promise(resolve =>
      whenRunning(() => {
        const heldUpMs = atAwait(where);
        if (heldUpMs === 0) whenRunning(resolve);
        else time.after(heldUpMs, () => whenRunning(resolve));
      }),
    );
  }

  /** Waits for something outside the process, with a possible delay before and after. */
  async function outside<Value>(where: string, start: () => Promise<Value>): Promise<Value> {
    await pass(`before ${where}`);
    const outcome = await start().then(
      value => ({ value }),
      (error: unknown) => ({ error }),
    );
    await pass(`after ${where}`);
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }

  const database: Database = {
    dialect: options.database.dialect,
    write: body =>
      outside('write', () =>
        options.database.write(tx => {
          // Queued before the crash and reached after it: the process no longer exists.
          if (!isRunning) throw new InstanceCrashed();
          return body(tx);
        }),
      ),
    all: (statement, args) => outside('read', () => options.database.all(statement, args)),
    first: (statement, args) => outside('read', () => options.database.first(statement, args)),
    close: async () => {},
  };
  const timers: Timers = { after: (delayMs, task) => time.after(delayMs, () => whenRunning(task)) };
  const gateway = gatewayThrough(options.gateway, outside);
  const adapter = modelAdapter(gateway);
  const gatewayRegistry = new Map([[adapter.name, adapter]]);
  const gatewayAccount = { adapter: adapter.name, name: 'Test', merchantId: '100001', config: {}, secrets: {} };
  const settings = { ...defaults, publicUrl, gatewayAccount, ...options.settings };
  const { random, ids, log, derivePassword, consumers = [], outbound = noOutbound, rateSources = [] } = options;
  const node = options.node && modelNodeAdapter(nodeThrough(options.node, outside, pass));
  const ports = {
    database,
    replicaReads: readsPrimary,
    notifications: noNotifications,
    outbound: { ...noOutbound, post: (request: PostRequest) => outside('webhook', () => outbound.post(request)) },
    consumers,
    gatewayRegistry,
    nodeRegistry: new Map(node ? [[node.name, node]] : []),
    rateSources: rateSources.map(({ name, price }) => ({
      name,
      price: (currency: string) => outside('rate', () => price(currency)),
    })),
    clock,
    steadyClock: { ...clock, lagMs: () => 0 },
    timers,
    random,
    ids,
    log,
    derivePassword,
    secretsKeys: () => ({ current: testSecretsKey }),
    permanentKey: () => testSecretsKey,
  };
  const { services, startJobs, database: composed, ...served } = compose(ports, settings);
  startJobs();

  return {
    services,
    served: { ...served, log, clock, timers, ids, settings },
    database: composed,
    isAlive: () => isRunning,
    crash() {
      isRunning = false;
      for (const reject of onCrash) reject();
      onCrash.clear();
    },
    freeze(forMs) {
      frozenUntil = time.now() + forMs;
    },
    call(work) {
      return new Promise((resolve, reject) => {
        if (!isRunning) return reject(new InstanceCrashed());
        const fail = () => reject(new InstanceCrashed());
        onCrash.add(fail);
        whenRunning(() => {
          work(services)
            .then(resolve, reject)
            .finally(() => onCrash.delete(fail));
        });
      });
    },
  };
}

/** A log that passes on errors only. */
export function errorLog(onError: (facts: Readonly<Record<string, unknown>>) => void): ContextLog {
  return { ...noLog, error: onError };
}

type Outside = <Value>(where: string, start: () => Promise<Value>) => Promise<Value>;

function gatewayThrough(gateway: CardGateway, outside: Outside): CardGateway {
  return {
    name: gateway.name,
    capabilities: gateway.capabilities,
    ...(gateway.cardFields ? { cardFields: gateway.cardFields } : {}),
    authoriseCardPresent: request => outside('authorise', () => gateway.authoriseCardPresent(request)),
    authoriseEcommerce: request => outside('authorise', () => gateway.authoriseEcommerce(request)),
    continueThreeDSecure: request => outside('authorise', () => gateway.continueThreeDSecure(request)),
    cancel: request => outside('cancel', () => gateway.cancel(request)),
    refundSale: request => outside('refundSale', () => gateway.refundSale(request)),
    refund: request => outside('refund', () => gateway.refund(request)),
    lookup: request => outside('lookup', () => gateway.lookup(request)),
    paymentState: request => outside('paymentState', () => gateway.paymentState(request)),
    readCallback: (posted, find) => gateway.readCallback(posted, find),
    testConnection: () => gateway.testConnection(),
  };
}

function nodeThrough(node: BitcoinNode, outside: Outside, pass: (where: string) => Promise<void>): BitcoinNode {
  return {
    ...node,
    createInvoice: request => outside('createInvoice', () => node.createInvoice(request)),
    lookupInvoice: paymentHash => outside('lookupInvoice', () => node.lookupInvoice(paymentHash)),
    cancelInvoice: paymentHash => outside('cancelInvoice', () => node.cancelInvoice(paymentHash)),
    followInvoices: request =>
      outside('followInvoices', () =>
        node.followInvoices({
          ...request,
          async onSettled(invoice, cursor) {
            await pass('before settled');
            await request.onSettled(invoice, cursor);
          },
        }),
      ),
    newAddress: () => outside('newAddress', () => node.newAddress()),
    addressPayments: addresses => outside('addressPayments', () => node.addressPayments(addresses)),
    receivableSats: waitMs => node.receivableSats(waitMs),
    balances: waitMs => outside('balances', () => node.balances(waitMs)),
    payInvoice: request => outside('payInvoice', () => node.payInvoice(request)),
    lookupPayment: paymentHash => outside('lookupPayment', () => node.lookupPayment(paymentHash)),
    sendOnChain: request => outside('sendOnChain', () => node.sendOnChain(request)),
    lookupOnChain: (label, fromHeight) => outside('lookupOnChain', () => node.lookupOnChain(label, fromHeight)),
  };
}
