import {
  type CardGatewaySandbox,
  startCardGatewaySandbox,
} from '@florin/backend/programs/sandbox/card-gateway/server.ts';
import { clientOf } from '../support/client.ts';
import { violationsIn } from './auditor.ts';
import { make, newSaleId, type Operation } from './operations.ts';
import { type BackendProcess, startBackend } from './process.ts';
import type { DatabaseReader, Place } from './records.ts';
import { type LinkPayment, openShop, type Shop, type TillPayment, takeLinkPayment, takeSale } from './shop.ts';
import { until } from './until.ts';
import { type WireTap, wireTap } from './wire-tap.ts';

export type ClusterOptions = {
  readonly place: Place;
  readonly processes: number;
  /** The role of each process; `all` by default. */
  readonly roles?: readonly ('all' | 'api' | 'worker')[];
  readonly env?: Readonly<Record<string, string>>;
  readonly dailyLimitsMinor?: readonly (number | null)[];
  readonly atTheEnd: (end: () => Promise<void> | void) => void;
};

/** Several processes of the service on one database, with one gateway. */
export class Cluster {
  readonly shop: Shop;
  readonly tap: WireTap;
  readonly sandbox: CardGatewaySandbox;
  readonly reader: DatabaseReader;
  readonly #startProcess: (index: number) => Promise<BackendProcess>;
  readonly processes: BackendProcess[];

  static async start(options: ClusterOptions): Promise<Cluster> {
    const { place, atTheEnd } = options;
    const sandbox = await startCardGatewaySandbox({ file: ':memory:' });
    atTheEnd(() => sandbox.close());
    const tap = await wireTap(sandbox.url);
    atTheEnd(() => tap.close());
    const env = {
      ...place.env,
      GATEWAY_URL: tap.url,
      GATEWAY_CARD_PRESENT_URL: `${tap.url}/card-present`,
      PUBLIC_URL: tap.callbackUrl,
      SETTLEMENT_POLL_SECONDS: '1',
      ...options.env,
    };
    const shop = await openShop(env, options.dailyLimitsMinor ?? [null]);
    const startProcess = (index: number) => startBackend({ ...env, ROLE: options.roles?.[index] ?? 'all' });
    const processes = await Promise.all(Array.from({ length: options.processes }, (_, index) => startProcess(index)));
    const cluster = new Cluster({ shop, tap, sandbox, reader: place.reader, startProcess, processes });
    atTheEnd(async () => {
      for (const one of cluster.processes) one.kill();
      await Promise.all(cluster.processes.map(({ gone }) => gone));
      await place.reader.close();
    });
    tap.serviceUrl = processes[0]?.url;
    return cluster;
  }

  private constructor(parts: {
    shop: Shop;
    tap: WireTap;
    sandbox: CardGatewaySandbox;
    reader: DatabaseReader;
    startProcess: (index: number) => Promise<BackendProcess>;
    processes: BackendProcess[];
  }) {
    this.shop = parts.shop;
    this.tap = parts.tap;
    this.sandbox = parts.sandbox;
    this.reader = parts.reader;
    this.#startProcess = parts.startProcess;
    this.processes = parts.processes;
  }

  /** The address of the next process, round robin. */
  url(index: number): string {
    const one = this.processes[index % this.processes.length];
    if (!one) throw new Error('no process runs');
    return one.url;
  }

  /** The processes' error output and state, for the report of a failure. */
  output(): string {
    return this.processes.map(one => `${one.isRunning() ? 'alive' : 'gone'}: ${one.output()}`).join('\n');
  }

  /** Kills one process; another takes its place. */
  async killAndReplace(index: number): Promise<void> {
    this.processes[index]?.kill();
    await this.processes[index]?.gone;
    await this.replace(index);
  }

  /** Starts another process in place of one that is gone. */
  async replace(index: number): Promise<void> {
    this.processes[index] = await this.#startProcess(index);
    this.tap.serviceUrl = this.url(0);
  }

  async linkPayments(count: number, amountMinor: number): Promise<LinkPayment[]> {
    const [payments] = await this.settled(async () => [await this.takeOnLinks(count, amountMinor)] as const);
    return payments;
  }

  async tillPayments(count: number, amountMinor: number): Promise<TillPayment[]> {
    const [payments] = await this.settled(async () => [await this.takeAtTill(count, amountMinor)] as const);
    return payments;
  }

  takeOnLinks(count: number, amountMinor: number): Promise<LinkPayment[]> {
    const at = { client: clientOf(this.url(0)), shop: this.shop, tokenUrl: this.sandbox.tokenUrl };
    return Promise.all(Array.from({ length: count }, () => takeLinkPayment(at, amountMinor)));
  }

  takeAtTill(count: number, amountMinor: number): Promise<TillPayment[]> {
    const at = { client: clientOf(this.url(0)), terminal: this.shop.terminals[0] };
    return Promise.all(Array.from({ length: count }, () => takeSale(at, { newId: newSaleId, amountMinor })));
  }

  /** Takes payments, and waits until the service knows that they are settled. */
  async settled<Taken extends readonly (readonly unknown[])[]>(take: () => Promise<Taken>): Promise<Taken> {
    const before = await this.reader.settled();
    const taken = await take();
    this.sandbox.control.settle();
    const isSettled = async () => (await this.reader.settled()) >= before + taken.flat().length;
    await until('the payments settle', isSettled);
    return taken;
  }

  /** Repeats each call until it is answered by any process, then waits until nothing is pending. */
  async repeatUntilAnswered(operations: readonly Operation[]): Promise<void> {
    await Promise.all(
      operations.map((operation, index) =>
        until(`${operation.kind} ${operation.id} is answered`, async () => {
          return operation.answers.length > 0 || (await make(operation, this.url(index))) !== undefined;
        }),
      ),
    );
    await this.everyOutcomeIsKnown();
  }

  async everyOutcomeIsKnown(): Promise<void> {
    const pending = async () => {
      const { refunds, payments } = await this.reader.read();
      return `${JSON.stringify([...refunds, ...payments].filter(({ status }) => status === 'pending'))}\n${this.output()}`;
    };
    await until('every outcome is known', async () => (await this.reader.pending()) === 0, pending);
  }

  records() {
    return this.reader.read();
  }

  async violations(operations: readonly Operation[]): Promise<string[]> {
    return violationsIn({
      records: await this.records(),
      ledger: this.sandbox.control.ledger(),
      sent: this.tap.sent,
      operations,
    });
  }

  /** The amount that the gateway returned of this payment. */
  async returnedMinor(paymentId: string): Promise<number> {
    const payment = (await this.records()).payments.find(({ id }) => id === paymentId);
    const sale = this.sandbox.control.ledger().find(({ xref }) => xref === payment?.gatewayReference);
    if (!sale) throw new Error(`the gateway has no sale of ${paymentId}`);
    return sale.returnedMinor;
  }
}
