import type { Notice, Screen } from '../ipc/view.ts';
import { openBitcoinFlow } from './bitcoin/flow.ts';
import { type BitcoinContext, bitcoinContextKeys, bitcoinMachine, newBitcoinSale } from './bitcoin/machine.ts';
import { restored, type Stored } from './flows/durable.ts';
import type { TerminalParts, TerminalPorts } from './parts.ts';
import type { Rail } from './remote/remote-sales.ts';
import { newSale, type SaleContext, saleContextKeys } from './sales/context.ts';
import { openSaleFlow, type SaleFlow } from './sales/flow.ts';
import { saleMachine } from './sales/machine.ts';
import { damaged } from './store/store.ts';
import { terminalNotices } from './words.ts';

/** The facts a sale is started with, by card or in bitcoin. */
type SaleRequest = Pick<BitcoinContext, 'saleId' | 'amountMinor' | 'currency' | 'isRequested'>;

type CurrentSalePorts = Pick<TerminalPorts, 'store' | 'reader' | 'clock' | 'ids'> &
  Pick<TerminalParts, 'salePorts' | 'bitcoinPorts' | 'remoteSales' | 'connection'> & {
    readonly business: () => { readonly currency: string; readonly takesBitcoin: boolean };
    /** A sale starts: any other screen is closed. */
    readonly beginning: () => void;
    readonly showKeypad: (notice: Notice) => void;
    /** Whether the screen from which a sale starts is still open. */
    readonly isKeypadShown: () => boolean;
    readonly background: (work: () => Promise<void>) => void;
  };

const chargeCheckMs = 5_000;

/** The sale on the screen, by card or in bitcoin, and the change from one to the other. */
export class CurrentSale {
  readonly #ports: CurrentSalePorts;
  #flow: SaleFlow | undefined;
  /** The most recent card sale. */
  #byCard: SaleRequest | undefined;
  /** The customer of this sale chose bitcoin, and the reader is being cancelled. */
  #bitcoinWanted = false;
  #isCheckingConnection = false;

  constructor(ports: CurrentSalePorts) {
    this.#ports = ports;
  }

  flow(): SaleFlow | undefined {
    return this.#flow;
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

  /** Whether a sale that was keyed in is waiting for the connection check. */
  isCheckingConnection(): boolean {
    return this.#isCheckingConnection;
  }

  /** Starts a sale whose amount was entered on this terminal. */
  keyIn(amountMinor: number, rail: Rail): void {
    if (this.#ports.connection.state() === 'offline') this.#beginIfReached(amountMinor, rail);
    else this.#beginKeyedIn(amountMinor, rail);
  }

  /** Starts a sale that software requested. */
  beginRequested(sale: Omit<SaleRequest, 'isRequested'>, rails: readonly Rail[]): void {
    if (rails.includes('card')) this.#beginByCard({ ...sale, isRequested: true });
    else this.#beginInBitcoin({ ...sale, isRequested: true });
  }

  /** Cancels the card dialogue first; if the reader has already read a card, the sale stays a card sale. */
  payInBitcoin(): boolean {
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
    this.#beginInBitcoin(this.#byCard);
    return true;
  }

  /** A sale that software started keeps its id; one that was keyed in gets a new id. */
  goToCard({ saleId, amountMinor, currency, isRequested }: BitcoinContext): void {
    if (isRequested) this.#beginByCard({ saleId, amountMinor, currency, isRequested }, this.#ports.ids.next('sale'));
    else this.#beginKeyedIn(amountMinor, 'card');
  }

  /** Closes a result that was seen. */
  dismiss(): void {
    this.#flow?.dismiss();
    this.#flow = undefined;
  }

  /** Drops a sale of another business. */
  drop(): void {
    this.#flow?.stop();
    this.#flow = undefined;
  }

  /** Whether the customer of the current card sale may choose bitcoin. */
  #mayUseBitcoin({ cancellable, stage }: Extract<Screen, { name: 'sale' }>): boolean {
    if (!cancellable || stage === 'checking') return false;
    const { saleId } = this.#byCard ?? {};
    // If the reader itself authorises, only the reader can confirm that the card is not charged.
    if (saleId === undefined || this.#bitcoinWanted || this.#ports.reader.authorisation === 'reader') return false;
    const rails = this.#ports.remoteSales.rails(saleId);
    return rails?.includes('bitcoin') ?? this.#ports.business().takesBitcoin;
  }

  /** Checks the connection first, so that no card is read that could not be authorised. */
  #beginIfReached(amountMinor: number, rail: Rail): void {
    const { connection, showKeypad, isKeypadShown, background } = this.#ports;
    this.#isCheckingConnection = true;
    showKeypad(terminalNotices.checkingConnection);
    background(async () => {
      const isReached = await connection.check(chargeCheckMs);
      this.#isCheckingConnection = false;
      if (this.#flow || !isKeypadShown()) return;
      if (isReached) this.#beginKeyedIn(amountMinor, rail);
      else showKeypad(terminalNotices.saleNotStarted);
    });
  }

  #beginKeyedIn(amountMinor: number, rail: Rail): void {
    const { ids, business } = this.#ports;
    const sale = { saleId: ids.next('sale'), amountMinor, currency: business().currency, isRequested: false };
    if (rail === 'card') this.#beginByCard(sale);
    else this.#beginInBitcoin(sale);
  }

  // The service and the reader know the sale by the same id.
  #beginByCard(sale: SaleRequest, transactionId = sale.saleId): void {
    const { clock, store, beginning, salePorts } = this.#ports;
    const { saleId, amountMinor, currency } = sale;
    const startedAt = clock.now();
    this.#flow?.dismiss();
    this.#bitcoinWanted = false;
    this.#byCard = sale;
    beginning();
    const from = newSale({ ...sale, transactionId, startedAt });
    const readerTransaction = { transactionId, saleId, amountMinor, currency, startedAt };
    store.saveFlow({ kind: 'sale', snapshot: from, at: startedAt, readerTransaction });
    this.#open(openSaleFlow(salePorts, from), { restarted: false });
  }

  #beginInBitcoin(sale: SaleRequest): void {
    const { clock, store, remoteSales, beginning, bitcoinPorts } = this.#ports;
    const mayUseCard = remoteSales.rails(sale.saleId)?.includes('card') ?? true;
    const startedAt = clock.now();
    this.#flow?.dismiss();
    this.#byCard = undefined;
    beginning();
    const from: Stored<BitcoinContext> = newBitcoinSale({ ...sale, mayUseCard, startedAt });
    store.saveFlow({ kind: 'bitcoin', snapshot: from, at: startedAt });
    this.#open(openBitcoinFlow(bitcoinPorts, from), { restarted: false });
  }

  #open(flow: SaleFlow, options: { restarted: boolean }): void {
    this.#flow = flow;
    flow.begin(options);
  }
}
