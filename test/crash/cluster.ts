import {
  type CardGatewaySandbox,
  startCardGatewaySandbox,
} from '@florin/backend/programs/sandbox/card-gateway/server.ts';
import { clientOf } from '../support/client.ts';
import { violationsIn } from './auditor.ts';
import type { Place } from './instance.ts';
import { make, newSaleId, type Operation } from './operations.ts';
import { type BackendProcess, startBackend } from './process.ts';
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
  readonly #place: Place;
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
    const staff = (options.dailyLimitsMinor ?? [null]).map(dailyLimitMinor => ({ dailyLimitMinor }));
    const shop = await openShop(env, { terminals: 2, staff });
    const startProcess = (index: number) => startBackend({ ...env, ROLE: options.roles?.[index] ?? 'all' });
    const processes = await Promise.all(Array.from({ length: options.processes }, (_, index) => startProcess(index)));
    const cluster = new Cluster({ shop, tap, sandbox, place, startProcess, processes });
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
    place: Place;
    startProcess: (index: number) => Promise<BackendProcess>;
    processes: BackendProcess[];
  }) {
    this.shop = parts.shop;
    this.tap = parts.tap;
    this.sandbox = parts.sandbox;
    this.#place = parts.place;
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
    this.processes[index] = await this.#startProcess(index);
    this.tap.serviceUrl = this.url(0);
  }

  async linkPayments(count: number, amountMinor: number): Promise<LinkPayment[]> {
    const at = { client: clientOf(this.url(0)), shop: this.shop, tokenUrl: this.sandbox.tokenUrl };
    return this.#settled(Array.from({ length: count }, () => takeLinkPayment(at, amountMinor)));
  }

  async tillPayments(count: number, amountMinor: number): Promise<TillPayment[]> {
    const [terminal] = this.shop.terminals;
    if (!terminal) throw new Error('the shop has no terminal');
    const at = { client: clientOf(this.url(0)), terminal };
    return this.#settled(Array.from({ length: count }, () => takeSale(at, { newId: newSaleId, amountMinor })));
  }

  async #settled<Payment>(taken: readonly Promise<Payment>[]): Promise<Payment[]> {
    const before = await this.#place.reader.settled();
    const payments = await Promise.all(taken);
    this.sandbox.control.settle();
    const isSettled = async () => (await this.#place.reader.settled()) >= before + payments.length;
    await until('the payments settle', isSettled);
    return payments;
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
    await until('every outcome is known', async () => (await this.pending()) === 0);
  }

  pending(): Promise<number> {
    return this.#place.reader.pending();
  }

  records() {
    return this.#place.reader.read();
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
