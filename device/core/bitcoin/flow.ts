import {
  type BitcoinSale,
  getBitcoinSale,
  openBitcoinSale,
  withdrawBitcoinSale,
} from '@florin/shared/contracts/device-v1/bitcoin.ts';
import type { Instant, Log, Timers } from '@florin/shared/ports.ts';
import type { Screen } from '../../ipc/view.ts';
import type { Publish } from '../facts.ts';
import { durableFlow, type PendingAction, type Stored } from '../flows/durable.ts';
import { Waiting } from '../flows/waiting.ts';
import type { SaleFlow } from '../sales/flow.ts';
import { type UnchargedPorts, unchargedInBitcoin } from '../sales/uncharged.ts';
import type { Store } from '../store/store.ts';
import type { Connection } from '../sync/connection.ts';
import type { DisplaySettings } from '../words.ts';
import { type BitcoinContext, type BitcoinEffect, type BitcoinEvent, bitcoinMachine, endOf } from './machine.ts';
import { bitcoinScreen } from './screen.ts';

export type BitcoinFlowPorts = UnchargedPorts & {
  readonly store: Store;
  readonly connection: Connection;
  readonly timers: Timers;
  readonly log: Log;
  readonly displaySettings: () => DisplaySettings;
  /** Whether a cancellation is the customer's: in kiosk mode only customers use the terminal. */
  readonly isKiosk: () => boolean;
  readonly changed: () => void;
  readonly publish: Publish;
};

/** The delay before a failed request is sent again. */
const retryMs = 3_000;
/** The delay after the invoice's expiry before the sale is read, if the service has not sent its result. */
const overdueMs = 5_000;

/** Opens a new or a stored sale in bitcoin. Nothing is sent to the service before `begin`. */
export function openBitcoinFlow(ports: BitcoinFlowPorts, from: Stored<BitcoinContext>): SaleFlow {
  return new RunningBitcoinSale(ports, from);
}

class RunningBitcoinSale implements SaleFlow {
  readonly #ports: BitcoinFlowPorts;
  readonly #flow;
  readonly #waiting: Waiting;
  #since: Instant;
  #sinceState = '';
  /** Certain that no request for a code has left this terminal. Not stored: after a restart one may have. */
  #isUnsent = false;
  #stopped = false;

  constructor(ports: BitcoinFlowPorts, from: Stored<BitcoinContext>) {
    this.#ports = ports;
    this.#waiting = new Waiting(ports.timers);
    this.#since = ports.clock.now();
    this.#flow = durableFlow({
      machine: bitcoinMachine,
      from,
      commit: next => this.#commit(next),
      perform: action => this.#perform(action),
      changed: () => this.#changed(),
    });
  }

  begin({ restarted }: { restarted: boolean }): void {
    this.#isUnsent = !restarted;
    if (this.#state === 'toCard') this.#ports.publish({ kind: 'card_chosen', sale: this.#context });
    else this.#send({ type: restarted ? 'RESTARTED' : 'BEGIN' });
  }

  get #context(): BitcoinContext {
    return this.#flow.snapshot().context;
  }

  get #state(): string {
    return this.#flow.snapshot().value;
  }

  #send(event: BitcoinEvent): boolean {
    const before = this.#state;
    const isTaken = this.#flow.send(event);
    if (isTaken && this.#state === 'toCard' && before !== 'toCard')
      this.#ports.publish({ kind: 'card_chosen', sale: this.#context });
    return isTaken;
  }

  /** Responses and events may arrive out of order: an older state never replaces a newer one. */
  #recordChanged(sale: BitcoinSale): void {
    const known = this.#context.sale;
    if (sale.saleId !== this.#context.saleId || (known && sale.sequence < known.sequence)) return;
    const outcome = endOf(sale);
    if (outcome === 'withdrawn') this.#send({ type: 'WITHDRAWN' });
    else if (outcome) this.#send({ type: 'ENDED', sale, outcome });
    else this.#send({ type: 'CHANGED', sale });
  }

  #commit(next: Stored<BitcoinContext>): void {
    const { store, clock, log } = this.#ports;
    const { saleId, sale } = next.context;
    const uncharged = unchargedInBitcoin(next, this.#ports);
    store.saveFlow({ kind: 'bitcoin', snapshot: next, at: clock.now(), uncharged });
    if (sale?.sale) store.saveSales([sale.sale]);
    log.info({ saleId, state: next.value, record: sale?.state ?? null }, 'bitcoin sale state');
  }

  #changed(): void {
    const mark = `${this.#state}/${this.#context.sale?.state ?? ''}`;
    if (mark !== this.#sinceState) {
      this.#sinceState = mark;
      this.#since = this.#ports.clock.now();
    }
    this.#ports.changed();
  }

  #perform(action: PendingAction): void {
    if (action.type !== 'effect') return;
    const effects: Record<BitcoinEffect, () => Promise<void>> = {
      ask: () => this.#ask(),
      follow: () => this.#follow(),
      withdraw: () => this.#withdraw(),
    };
    effects[(action.params as { name: BitcoinEffect }).name]().catch((error: unknown) => {
      const { saleId } = this.#context;
      if (!this.#stopped) this.#ports.log.error({ saleId, error: String(error) }, 'a step of the bitcoin sale failed');
    });
  }

  /** The request is idempotent, so it is repeated until it is answered or cancelled. */
  async #ask(): Promise<void> {
    const { saleId, amountMinor: amountInCents, currency, reference } = this.#context;
    while (this.#state === 'requesting' && !this.#stopped) {
      const body = { amountInCents, currency, reference };
      const wasUnsent = this.#isUnsent;
      this.#isUnsent = false;
      const response = await this.#ports.connection.call(openBitcoinSale, { params: { saleId }, body });
      if (response.kind === 'not_reached') this.#isUnsent = wasUnsent;
      if (response.kind === 'answered') {
        this.#recordChanged(response.body);
        return;
      }
      if (response.kind === 'refused') {
        const { reason, message } = response;
        if (reason !== 'node_unreachable' && reason !== 'rate_unavailable') {
          this.#send(reason === 'sale_ended' ? { type: 'WITHDRAWN' } : { type: 'REFUSED', message });
          return;
        }
        this.#send({ type: 'PROBLEM', problem: reason });
      } else this.#send({ type: 'PROBLEM', problem: 'not_reached' });
      await this.#waiting.pause(retryMs);
    }
  }

  /**
   * The service pushes every change. The sale is also read after a lost connection, and if it has not ended on time.
   */
  async #follow(): Promise<void> {
    while (this.#state === 'showing' && !this.#stopped) {
      await this.#read();
      const leftMs = Date.parse(this.#context.sale?.expiresAt ?? '') - this.#ports.time.now();
      await this.#waiting.pause(leftMs > 0 ? leftMs + overdueMs / 5 : overdueMs);
    }
  }

  async #read(): Promise<void> {
    const { saleId } = this.#context;
    const response = await this.#ports.connection.call(getBitcoinSale, { params: { saleId } });
    if (response.kind === 'answered') this.#recordChanged(response.body);
  }

  async #withdraw(): Promise<void> {
    const { saleId } = this.#context;
    const isWithdrawing = () => this.#state === 'cancelling' || this.#state === 'leavingForCard';
    while (isWithdrawing() && !this.#stopped) {
      if (this.#isUnsent) {
        this.#send({ type: 'WITHDRAWN' });
        return;
      }
      const to = this.#state === 'leavingForCard' ? ('card' as const) : ('end' as const);
      const reason = this.#ports.isKiosk() ? ('customer_cancelled' as const) : ('staff_cancelled' as const);
      const response = await this.#ports.connection.call(withdrawBitcoinSale, {
        params: { saleId },
        body: { to, reason },
      });
      if (response.kind === 'answered') {
        this.#recordChanged(response.body);
        this.#send({ type: 'NOT_WITHDRAWN', why: 'paid' });
        return;
      }
      if (response.kind === 'refused') {
        const isNode = response.reason === 'node_unreachable';
        // In all other states no bitcoin was requested.
        this.#send(isNode ? { type: 'NOT_WITHDRAWN', why: 'node_unreachable' } : { type: 'WITHDRAWN' });
        return;
      }
      await this.#waiting.pause(retryMs);
    }
  }

  screen(): Screen {
    const { value: state, context } = this.#flow.snapshot();
    const { connection, displaySettings } = this.#ports;
    return bitcoinScreen({
      state,
      context,
      since: this.#since,
      isOffline: connection.state() === 'offline',
      displaySettings: displaySettings(),
    });
  }

  /** What waits for a block or for the node completes at the service, without the terminal. */
  isOver(): boolean {
    const saleState = this.#context.sale?.state;
    return this.#state === 'done' || (this.#state === 'showing' && (saleState === 'seen' || saleState === 'checking'));
  }

  ending() {
    return (this.#state === 'done' ? this.#context.outcome : null) ?? undefined;
  }

  isChecking(): boolean {
    return this.#state !== 'done';
  }

  unresolved(): undefined {
    return undefined;
  }

  hasTransaction(transactionId: string): boolean {
    return this.#context.saleId === transactionId;
  }

  cancel(): boolean {
    return !this.isOver() && this.#send({ type: 'CANCEL' });
  }

  payByCard(): boolean {
    return !this.isOver() && this.#send({ type: 'USE_CARD' });
  }

  bitcoinChanged(sale: BitcoinSale): void {
    this.#recordChanged(sale);
  }

  bankAnswered(): void {
    // A sale in bitcoin involves no bank.
  }

  wake(): void {
    this.#waiting.wake();
  }

  recordChanged(): void {
    // The service itself records a sale in bitcoin.
  }

  reversalRefused(): void {
    // Bitcoin payments are not reversed.
  }

  dismiss(): void {
    this.stop();
    this.#ports.store.saveFlow({ kind: 'bitcoin', snapshot: null, at: this.#ports.clock.now() });
  }

  stop(): void {
    this.#stopped = true;
    this.#flow.stop();
    this.#waiting.stop();
  }
}
