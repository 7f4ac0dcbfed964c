import type { Clock, Ids } from '@florin/shared/ports.ts';
import type { Screen } from '../ipc/view.ts';
import type { CardReader } from '../readers/reader.ts';
import { type BitcoinFlowPorts, openBitcoinFlow } from './bitcoin/flow.ts';
import { type BitcoinContext, bitcoinContextKeys, bitcoinMachine, newBitcoinSale } from './bitcoin/machine.ts';
import type { Publish } from './facts.ts';
import { restored, type Stored } from './flows/durable.ts';
import type { Rail, RemoteSales } from './remote/remote-sales.ts';
import { newSale, type SaleContext, saleContextKeys } from './sales/context.ts';
import { openSaleFlow, type SaleFlow, type SaleFlowPorts } from './sales/flow.ts';
import { saleMachine } from './sales/machine.ts';
import { TipStep } from './sales/tip.ts';
import type { TerminalState } from './state.ts';
import { damaged, type Store } from './store/store.ts';
import type { Connection } from './sync/connection.ts';

/** The facts a sale is started with, by card or in bitcoin. */
type SaleRequest = Pick<BitcoinContext, 'saleId' | 'amountMinor' | 'currency' | 'reference' | 'isRequested'> & {
  /** The part of `amountMinor` that the customer added as a tip: not part of what they pay in bitcoin instead. */
  readonly tipMinor?: number | undefined;
};
/** What staff keyed in, without the tip: the customer is asked for it, unless it is known. */
export type KeyedIn = {
  readonly amountMinor: number;
  readonly tipMinor?: number | undefined;
  readonly reference?: string | undefined;
};

type CurrentSalePorts = {
  readonly store: Store;
  readonly reader: CardReader;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly connection: Connection;
  readonly state: TerminalState;
  readonly remoteSales: Pick<RemoteSales, 'rails'>;
  readonly salePorts: SaleFlowPorts;
  readonly bitcoinPorts: BitcoinFlowPorts;
  readonly publish: Publish;
  readonly background: (work: () => Promise<void>) => void;
};

const chargeCheckMs = 5_000;

/** The sale on the screen, by card or in bitcoin, and the change from one to the other. */
export class CurrentSale {
  readonly #ports: CurrentSalePorts;
  /** The most recent card sale. */
  #byCard: SaleRequest | undefined;
  /** The customer of this sale chose bitcoin, and the reader is being cancelled. */
  #bitcoinWanted = false;
  readonly #tip: TipStep;

  constructor(ports: CurrentSalePorts) {
    this.#ports = ports;
    this.#tip = new TipStep(ports);
  }

  get #flow(): SaleFlow | undefined {
    return this.#ports.state.sale;
  }

  screen(flow: SaleFlow): Screen {
    const screen = flow.screen();
    if (screen.name !== 'sale') return screen;
    return { ...screen, mayUseBitcoin: !screen.cancelling && this.#mayUseBitcoin(screen) };
  }

  /** Continues the stored sale after a restart. */
  resume(): void {
    const { store } = this.#ports;
    const sale = store.flow('sale');
    const bitcoin = sale ? undefined : store.flow('bitcoin');
    if (sale) {
      const stored = restored<SaleContext>(saleMachine, sale, saleContextKeys);
      if (!stored) throw damaged('sale');
      this.#open(openSaleFlow(this.#ports.salePorts, stored), { restarted: true });
    }
    if (bitcoin) {
      const stored = restored<BitcoinContext>(bitcoinMachine, bitcoin, bitcoinContextKeys);
      if (!stored) throw damaged('bitcoin');
      this.#open(openBitcoinFlow(this.#ports.bitcoinPorts, stored), { restarted: true });
    }
  }

  /** Starts a sale whose amount was entered on this terminal. */
  keyIn(sale: KeyedIn, rail: Rail): void {
    const { connection, state, publish } = this.#ports;
    if (!state.hasRoom()) publish({ kind: 'sale_not_started', why: 'diskFull' });
    else if (connection.state() === 'offline') this.#beginIfReached(sale, rail);
    else this.#beginKeyedIn(sale, rail);
  }

  /** Takes the sale without a tip, while the customer is asked for one. */
  skipTip(): boolean {
    return this.#tip.skip();
  }

  /** Leaves a sale that waits for the customer's tip: nothing has begun. */
  cancelTip(): boolean {
    return this.#tip.cancel();
  }

  /** Leaves a sale that waits for the customer's tip, or cancels the one in progress. */
  cancel(): boolean {
    return this.cancelTip() || (this.#flow?.cancel() ?? false);
  }

  /** Starts a sale that software requested. */
  beginRequested(sale: Omit<SaleRequest, 'isRequested'>, rails: readonly Rail[]): void {
    if (rails.includes('card')) this.#beginByCard({ ...sale, isRequested: true });
    else this.#beginInBitcoin({ ...sale, isRequested: true });
  }

  /**
   * Cancels the card dialogue first; if the reader has already read a card, the sale stays a card sale. Not possible
   * offline, where no code can be made.
   */
  payInBitcoin(): boolean {
    if (this.#ports.connection.state() === 'offline') return false;
    const screen = this.#flow?.screen();
    if (screen?.name !== 'sale' || !this.#mayUseBitcoin(screen)) return false;
    this.#bitcoinWanted = true;
    return this.#flow?.cancel() ?? false;
  }

  /** Starts the sale in bitcoin once the reader has ended the card dialogue. Returns whether the screen changed. */
  completeSwitch(): boolean {
    if (!this.#bitcoinWanted || !this.#flow?.isOver()) return false;
    this.#bitcoinWanted = false;
    if (!this.#byCard || this.#flow.ending()?.why !== 'staff') return false;
    const { tipMinor = 0, ...sale } = this.#byCard;
    this.#beginInBitcoin({ ...sale, amountMinor: sale.amountMinor - tipMinor });
    return true;
  }

  /** A sale that software started keeps its id; one that was keyed in gets a new id. */
  goToCard({ saleId, amountMinor, currency, reference, isRequested }: BitcoinContext): void {
    if (isRequested) this.#beginByCard({ saleId, amountMinor, currency, isRequested }, this.#ports.ids.next('sale'));
    else this.#beginKeyedIn({ amountMinor, reference }, 'card');
  }

  /** Closes a result that was seen. */
  dismiss(): void {
    this.#flow?.dismiss();
    this.#ports.state.sale = undefined;
  }

  /** Drops a sale of another business. */
  drop(): void {
    this.#tip.cancel();
    this.#flow?.stop();
    this.#ports.state.sale = undefined;
  }

  /** Whether the customer of the current card sale may choose bitcoin. */
  #mayUseBitcoin({ cancellable, stage }: Extract<Screen, { name: 'sale' }>): boolean {
    if (!cancellable || stage === 'checking') return false;
    const { saleId } = this.#byCard ?? {};
    // If the reader itself authorises, only the reader can confirm that the card is not charged.
    if (saleId === undefined || this.#bitcoinWanted || this.#ports.reader.authorisation === 'reader') return false;
    const rails = this.#ports.remoteSales.rails(saleId);
    return rails?.includes('bitcoin') ?? this.#ports.state.configured().business.takesBitcoin;
  }

  /** Checks the connection first, so that no card is read that could not be authorised. */
  #beginIfReached(sale: KeyedIn, rail: Rail): void {
    const { connection, state, publish, background } = this.#ports;
    state.isCheckingConnection = true;
    publish({ kind: 'sale_waits' });
    background(async () => {
      const isReached = await connection.check(chargeCheckMs);
      state.isCheckingConnection = false;
      if (state.isClosed || state.sale || state.refund || state.place.name !== 'keypad') return;
      if (isReached) this.#beginKeyedIn(sale, rail);
      else publish({ kind: 'sale_not_started', why: 'saleNotStarted' });
    });
  }

  #beginKeyedIn({ amountMinor, tipMinor, reference }: KeyedIn, rail: Rail): void {
    const { ids, state } = this.#ports;
    const { currency, counter } = state.configured().business;
    const noted = reference === undefined ? {} : { reference };
    const sale = { saleId: ids.next('sale'), amountMinor, currency, ...noted, isRequested: false };
    const percents = tipMinor === undefined ? counter.tipPercents : [];
    if (rail === 'bitcoin') this.#beginInBitcoin(sale);
    else if (!this.#tip.ask({ sale, percents }, chosenMinor => this.#beginWithTip(sale, chosenMinor)))
      this.#beginWithTip(sale, tipMinor ?? 0);
  }

  #beginWithTip(sale: SaleRequest, tipMinor: number): void {
    const tipped = tipMinor === 0 ? {} : { tipMinor };
    this.#beginByCard({ ...sale, amountMinor: sale.amountMinor + tipMinor, ...tipped });
  }

  // The service and the reader know the sale by the same id.
  #beginByCard(sale: SaleRequest, transactionId = sale.saleId): void {
    const { clock, store, publish, salePorts, state } = this.#ports;
    const { saleId, amountMinor, currency } = sale;
    const startedAt = clock.now();
    this.#flow?.dismiss();
    this.#bitcoinWanted = false;
    this.#byCard = sale;
    publish({ kind: 'sale_began' });
    const from = newSale({ ...sale, transactionId, startedAt, isAtKiosk: state.isKiosk() });
    const readerTransaction = { transactionId, saleId, amountMinor, currency, startedAt };
    // A sale that software started keeps its id when the way to pay changes: it is not over.
    const uncharged = { saleId, sale: null };
    store.saveFlow({ kind: 'sale', snapshot: from, at: startedAt, readerTransaction, uncharged });
    this.#open(openSaleFlow(salePorts, from), { restarted: false });
  }

  #beginInBitcoin(sale: SaleRequest): void {
    const { clock, store, remoteSales, publish, bitcoinPorts } = this.#ports;
    const mayUseCard = remoteSales.rails(sale.saleId)?.includes('card') ?? true;
    const startedAt = clock.now();
    this.#flow?.dismiss();
    this.#byCard = undefined;
    publish({ kind: 'sale_began' });
    const from: Stored<BitcoinContext> = newBitcoinSale({ ...sale, mayUseCard, startedAt });
    const uncharged = { saleId: sale.saleId, sale: null };
    store.saveFlow({ kind: 'bitcoin', snapshot: from, at: startedAt, uncharged });
    this.#open(openBitcoinFlow(bitcoinPorts, from), { restarted: false });
  }

  #open(flow: SaleFlow, options: { restarted: boolean }): void {
    this.#ports.state.sale = flow;
    flow.begin(options);
  }
}
