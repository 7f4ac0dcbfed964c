import type { TerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import { unreachable } from '@florin/shared/result.ts';
import type { ActionResult, UserAction } from '../ipc/user-action.ts';
import type { Header, Notice, Screen, View } from '../ipc/view.ts';
import { openBitcoinFlow } from './bitcoin/flow.ts';
import { type BitcoinContext, bitcoinContextKeys, bitcoinMachine, newBitcoinSale } from './bitcoin/machine.ts';
import { restored, type Stored } from './flows/durable.ts';
import { headerOf } from './header.ts';
import { ModeChange } from './kiosk/mode-change.ts';
import { ShownResult } from './kiosk/shown-result.ts';
import { type TerminalParts, type TerminalPorts, terminalParts } from './parts.ts';
import { openRefundFlow, type RefundFlow } from './refunds/flow.ts';
import { newRefund, type RefundContext, refundContextKeys, refundMachine } from './refunds/machine.ts';
import type { Rail, StartCommand } from './remote/remote-sales.ts';
import { openSaleFlow, type SaleFlow } from './sales/flow.ts';
import { newSale, type SaleContext, saleContextKeys, saleMachine } from './sales/machine.ts';
import { releaseTransaction } from './sales/reader-memory.ts';
import { damaged } from './store/store.ts';
import { terminalNotices } from './words.ts';

export type { TerminalPorts } from './parts.ts';

/** The terminal without a screen and without a host. What it is given stays the host's to close. */
export interface Terminal {
  view(): View;
  /** Called at every change; returns a function that stops it. */
  onView(listener: (view: View) => void): () => void;
  send(action: UserAction): Promise<ActionResult>;
  start(): void;
  close(): void;
}

export function createTerminal(ports: TerminalPorts): Terminal {
  return new RunningTerminal(ports);
}

/** Where the person is while no sale and no refund is under way. */
type Place =
  | { readonly name: 'starting' }
  | { readonly name: 'enrolment'; readonly busy: boolean; readonly notice: Notice | null }
  | { readonly name: 'keypad'; readonly notice: Notice | null }
  /** Among recent sales. */
  | { readonly name: 'browsing' };

type Begun = Pick<BitcoinContext, 'saleId' | 'amountMinor' | 'currency' | 'isRequested'>;

const accepted: ActionResult = { kind: 'accepted' };
const notNow: ActionResult = { kind: 'not_now' };
const chargeCheckMs = 5_000;
/** Everything else is not for customers. */
const customerActions: ReadonlySet<UserAction['name']> = new Set([
  'cancel_sale',
  'pay_in_bitcoin',
  'pay_by_card',
  'show_keypad',
  'change_mode',
  'confirm_return',
  'enter_staff_number',
  'enter_password',
  'choose_password',
  'back',
]);
class RunningTerminal implements Terminal {
  readonly #ports: TerminalPorts;
  readonly #parts: TerminalParts;
  readonly #listeners = new Set<(view: View) => void>();
  #configuration: TerminalConfiguration | undefined;
  #place: Place = { name: 'starting' };
  #sale: SaleFlow | undefined;
  #refund: RefundFlow | undefined;
  #modeChange: ModeChange | undefined;
  /** The sale by card that began last. */
  #begun: Begun | undefined;
  /** Its customer chose bitcoin: the reader is being told. */
  #bitcoinWanted = false;
  readonly #result: ShownResult;
  #sequence = 0;
  #isRevoked = false;
  #isCheckingConnection = false;
  #stopReader: (() => void) | undefined;
  #released = '';
  #closed = false;

  constructor(ports: TerminalPorts) {
    this.#ports = ports;
    this.#configuration = ports.store.configuration();
    this.#result = new ShownResult({ ...ports, leave: () => this.#leaveResult() });
    this.#parts = terminalParts(ports, {
      configuration: () => this.#configured(),
      configurationChanged: configuration => this.#configure(configuration),
      connectionChanged: isOnline => this.#connectionChanged(isOnline),
      revoked: () => this.#revoked(),
      recordChanged: record => this.#recordChanged(record),
      reversalRefused: saleId => this.#sale?.reversalRefused(saleId),
      bitcoinChanged: sale => this.#sale?.bitcoinChanged(sale),
      streamOpened: () => this.#sale?.wake(),
      goToCard: sale => this.#goToCard(sale),
      unresolvedSale: () => this.#sale?.unresolved(),
      wording: () => this.#wording(),
      changed: () => this.#publish(),
      isUsed: () => this.#isUsed(),
      remote: {
        isFree: () => this.#mayShowRemoteSale(),
        resultHeldUntil: () => this.#result.heldUntil(),
        begin: command => this.#beginRemote(command),
        sale: () => this.#sale,
        refund: () => this.#refund,
        leaveRefund: () => this.#leave() && this.#go({ name: 'keypad', notice: null }),
      },
    });
  }

  start(): void {
    const { reader } = this.#ports;
    this.#stopReader = reader.onStatus(status => {
      if (status.connection === 'ready') this.#sale?.wake();
      if (status.unconfirmedTransactionId) this.#releaseFromReader(status.unconfirmedTransactionId);
      this.#publish();
    });
    this.#place = this.#parts.enrolment.isEnrolled()
      ? { name: 'keypad', notice: null }
      : { name: 'enrolment', busy: false, notice: null };
    this.#resumeFlows();
    this.#parts.remoteSales.resume();
    for (const part of this.#running()) part.start();
    this.#publish();
  }

  /** What goes on by itself from start to close. */
  #running() {
    const { sync, heartbeat, commandChannel, statusReports } = this.#parts;
    return [sync, heartbeat, commandChannel, statusReports];
  }

  #resumeFlows(): void {
    const { store } = this.#ports;
    const sale = store.flow('sale');
    const bitcoin = sale ? undefined : store.flow('bitcoin');
    const refund = store.flow('refund');
    if (sale) {
      const stored = restored<SaleContext>(saleMachine, sale, saleContextKeys);
      if (!stored) throw damaged('sale');
      this.#openSale(stored, { restarted: true });
    }
    if (bitcoin) {
      const stored = restored<BitcoinContext>(bitcoinMachine, bitcoin, bitcoinContextKeys);
      if (!stored) throw damaged('bitcoin');
      this.#openBitcoin(stored, { restarted: true });
    }
    if (refund) {
      const stored = restored<RefundContext>(refundMachine, refund, refundContextKeys);
      if (!stored) throw damaged('refund');
      this.#refund = openRefundFlow(this.#parts.refundPorts, stored);
      this.#refund.resume();
    }
  }

  close(): void {
    this.#closed = true;
    this.#stopReader?.();
    for (const part of this.#running()) part.stop();
    this.#parts.remoteSales.stop();
    this.#result.stop();
    this.#sale?.stop();
    this.#refund?.stop();
    this.#modeChange?.stop();
    this.#listeners.clear();
    this.#parts.time.keep();
  }

  view(): View {
    return { sequence: this.#sequence, header: this.#header(), screen: this.#screen() };
  }

  onView(listener: (view: View) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async send(action: UserAction): Promise<ActionResult> {
    const { remoteSales } = this.#parts;
    if (this.#closed || !this.#fitsMode(action)) return notNow;
    // Nothing else begins while a sale is taken; the result it waits behind may be left.
    if (remoteSales.isAccepting()) return action.name === 'show_keypad' && remoteSales.skipResult() ? accepted : notNow;
    return this.#handle(action) ? accepted : notNow;
  }

  #publish(): void {
    if (this.#closed) return;
    if (this.#isSwitching()) return;
    this.#sequence += 1;
    this.#parts.remoteSales.look();
    this.#parts.statusReports.look();
    const view = this.view();
    this.#result.look(view.screen, { isKiosk: this.#isKiosk() });
    for (const listener of this.#listeners) listener(view);
  }

  #go(place: Place): true {
    this.#parts.browsing.close();
    this.#place = place;
    this.#publish();
    return true;
  }

  #header(): Header {
    const isCardExpected = this.#sale !== undefined && !this.#sale.isOver();
    return headerOf({
      ...this.#ports,
      configuration: this.#configuration,
      isCardExpected,
      connection: this.#parts.connection,
    });
  }

  #screen(): Screen {
    if (this.#place.name === 'enrolment') return this.#place;
    if (this.#sale) return this.#parts.remoteSales.screen(this.#saleScreen(this.#sale));
    if (this.#refund) return this.#parts.remoteSales.screen(this.#refund.screen());
    if (this.#modeChange) return this.#modeChange.screen();
    const browsed = this.#parts.browsing.screen();
    if (browsed) return browsed;
    if (this.#place.name === 'browsing') throw new Error('nothing is shown');
    return this.#place.name === 'keypad' && this.#isKiosk() ? { name: 'kiosk_idle' } : this.#place;
  }

  #saleScreen(sale: SaleFlow): Screen {
    const screen = sale.screen();
    if (screen.name !== 'sale') return screen;
    return { ...screen, mayUseBitcoin: screen.cancellable && !screen.cancelling && this.#mayUseBitcoin() };
  }

  #isKiosk(): boolean {
    return this.#configuration?.terminal.mode === 'kiosk';
  }

  /** A terminal that faces customers does what software asks, and only there what they may decide. */
  #fitsMode({ name }: UserAction): boolean {
    return !this.#isKiosk() || this.#place.name === 'enrolment' || customerActions.has(name);
  }

  #leaveResult(): boolean {
    if (this.#parts.remoteSales.isAccepting()) return false;
    if (this.#refund?.isOver() === false) return this.#back();
    return this.#leave() && this.#go({ name: 'keypad', notice: null });
  }

  #configured(): TerminalConfiguration {
    if (!this.#configuration) throw new Error('this terminal is not enrolled');
    return this.#configuration;
  }

  #wording() {
    const { business, terminal } = this.#configured();
    const { name: businessName, locale, timeZone } = business;
    return { businessName, terminalName: terminal.name, locale, timeZone };
  }

  #configure(configuration: TerminalConfiguration): void {
    this.#configuration = configuration;
    if (this.#isKiosk() && this.#place.name === 'browsing') this.#go({ name: 'keypad', notice: null });
    else this.#publish();
  }

  #connectionChanged(isOnline: boolean): void {
    if (isOnline) {
      const place = this.#place;
      if (place.name === 'keypad' && place.notice === terminalNotices.saleNotStarted) {
        this.#place = { name: 'keypad', notice: null };
      }
      this.#sale?.wake();
      this.#refund?.wake();
      this.#parts.browsing.reconnected();
      this.#parts.sync.kick();
      this.#parts.commandChannel.kick();
    }
    this.#publish();
  }

  /** Shown once nothing is under way: money first. A sale that only the service can explain needs an enrolment for it. */
  #revoked(): void {
    this.#isRevoked = true;
    if (this.#refund) return;
    if (!this.#sale || this.#sale.isChecking()) this.#leaveBusiness();
  }

  #leaveBusiness(): void {
    this.#ports.log.warn('terminal_removed');
    this.#isRevoked = false;
    this.#parts.enrolment.forget();
    this.#go({
      name: 'enrolment',
      busy: false,
      notice: this.#sale ? terminalNotices.removedWithSale : terminalNotices.removed,
    });
  }

  #recordChanged(record: SaleRecord): void {
    this.#ports.store.saveSales([record]);
    this.#sale?.recordChanged(record);
    this.#parts.browsing.recordChanged(record);
  }

  #openSale(from: Stored<SaleContext>, options: { restarted: boolean }): void {
    this.#sale = openSaleFlow(this.#parts.salePorts, from);
    this.#sale.begin(options);
  }

  #handle(action: UserAction): boolean {
    switch (action.name) {
      case 'enrol':
        return this.#enrol(action.code);
      case 'start_sale':
        return this.#startSale(action.amountMinor, 'card');
      case 'start_bitcoin_sale':
        return this.#startSale(action.amountMinor, 'bitcoin');
      case 'cancel_sale':
        return this.#sale?.cancel() ?? false;
      case 'pay_in_bitcoin':
        return this.#switchToBitcoin();
      case 'pay_by_card':
        return this.#sale?.payByCard() ?? false;
      case 'show_keypad':
        return this.#leave() && this.#go({ name: 'keypad', notice: null });
      case 'show_recent_sales':
        return this.#leave() && this.#showRecentSales();
      case 'load_more_sales':
        return !this.#sale && !this.#refund && this.#parts.browsing.loadMore();
      case 'show_sale':
        return this.#showSale(action.saleId);
      case 'return_money':
        return this.#returnMoney(action.saleId);
      case 'enter_refund_amount':
        return this.#refund?.enterAmount(action.amountMinor) ?? false;
      case 'confirm_return':
        return this.#refund?.confirm() ?? false;
      case 'enter_staff_number':
        return this.#asksStaff()?.enterStaffNumber(action.staffNumber.trim()) ?? false;
      case 'enter_password':
        return this.#asksStaff()?.enterPassword(action.password) ?? false;
      case 'choose_password':
        return this.#asksStaff()?.choosePassword(action.password, action.repeated) ?? false;
      case 'change_mode':
        return this.#changeMode();
      case 'back':
        return this.#back();
      default:
        return unreachable(action);
    }
  }

  #asksStaff(): RefundFlow | ModeChange | undefined {
    return this.#refund ?? (this.#sale ? undefined : this.#modeChange);
  }

  /** A manager is asked to begin kiosk mode, or to leave it. */
  #changeMode(): boolean {
    if (this.#sale || this.#refund || this.#modeChange || this.#place.name !== 'keypad') return false;
    const mode = this.#isKiosk() ? 'staff' : 'kiosk';
    this.#modeChange = new ModeChange(this.#parts.refundPorts, { mode, done: () => this.#dropModeChange() });
    this.#publish();
    return true;
  }

  #dropModeChange(): void {
    this.#modeChange?.stop();
    this.#modeChange = undefined;
  }

  /** Leaves whatever shows, unless money is under way; false when it must stay. */
  #leave(): boolean {
    if (this.#place.name === 'enrolment' || this.#place.name === 'starting') return false;
    if (this.#sale) {
      if (!this.#sale.isOver()) return false;
      this.#sale.dismiss();
      this.#sale = undefined;
    }
    if (this.#refund) {
      if (!this.#refund.isOver() && !this.#refund.isIdle()) return false;
      this.#refund.dismiss();
      this.#refund = undefined;
    }
    this.#dropModeChange();
    if (this.#isRevoked) {
      this.#leaveBusiness();
      return false;
    }
    return true;
  }

  #back(): boolean {
    const place = this.#place;
    if (this.#refund) {
      const sale = this.#refund.sale();
      const isRequested = this.#refund.givenRequestId() !== null;
      const step = this.#refund.back();
      if (step === 'stay') return true;
      if (step === 'not_now') return false;
      if (!this.#leave()) return false;
      return step === 'leave' && !isRequested && !this.#isKiosk()
        ? this.#showDetail(sale)
        : this.#go({ name: 'keypad', notice: null });
    }
    if (!this.#sale && this.#modeChange?.back()) return true;
    if (!this.#sale && this.#parts.browsing.sale()) return this.#showRecentSales();
    if (!this.#sale && !this.#modeChange && place.name === 'keypad') return false;
    return this.#leave() && this.#go({ name: 'keypad', notice: null });
  }

  /** The reader holds a result and takes no sale before that result is acknowledged. */
  #releaseFromReader(transactionId: string): void {
    if (
      this.#refund?.hasRequest(transactionId) ||
      this.#sale?.hasTransaction(transactionId) ||
      this.#released === transactionId
    )
      return;
    this.#released = transactionId;
    this.#background(async () => {
      await releaseTransaction({ ...this.#ports, transactionId });
    });
  }

  #enrol(code: string): boolean {
    if (this.#place.name !== 'enrolment' || this.#place.busy) return false;
    this.#go({ name: 'enrolment', busy: true, notice: null });
    this.#background(async () => {
      const answer = await this.#parts.enrolment.enrol(code);
      if (this.#closed) return;
      if ('notice' in answer) {
        this.#go({ name: 'enrolment', busy: false, notice: answer.notice });
        return;
      }
      this.#ports.log.info('terminal_enrolled', { terminalId: answer.configuration.terminal.id });
      if (answer.isOtherBusiness) this.#dropFlows();
      this.#place = { name: 'keypad', notice: null };
      this.#sale?.wake();
      this.#configure(answer.configuration);
      this.#parts.sync.kick();
      this.#parts.commandChannel.kick();
    });
    return true;
  }

  #dropFlows(): void {
    this.#sale?.stop();
    this.#refund?.stop();
    this.#sale = undefined;
    this.#refund = undefined;
  }

  #startSale(amountMinor: number, rail: Rail): boolean {
    if (rail === 'bitcoin' && !this.#configured().business.takesBitcoin) return false;
    if (!this.#isOpen() || this.#isCheckingConnection || !this.#leave()) return false;
    if (this.#parts.connection.state() === 'offline') this.#startSaleIfReached(amountMinor, rail);
    else this.#beginKeyedIn(amountMinor, rail);
    return true;
  }

  #beginKeyedIn(amountMinor: number, rail: Rail): void {
    const saleId = this.#ports.ids.next('sale');
    if (rail === 'card') this.#beginSale(saleId, amountMinor);
    else
      this.#beginBitcoin({ saleId, amountMinor, currency: this.#configured().business.currency, isRequested: false });
  }

  /** The keypad shows, or the result of a sale. */
  #isOpen(): boolean {
    return this.#sale ? this.#sale.isOver() : !this.#refund && this.#place.name === 'keypad';
  }

  #mayShowRemoteSale(): boolean {
    // Looking things up is left for a sale; a void or refund under way is not.
    const isBrowsing = !this.#sale && !this.#refund && this.#place.name === 'browsing';
    const isChecking = this.#isCheckingConnection || this.#modeChange?.isBusy() === true;
    return (this.#isOpen() || isBrowsing) && !isChecking && !this.#isRevoked;
  }

  #isUsed(): boolean {
    return !this.#parts.remoteSales.isUnderWay() && !this.#mayShowRemoteSale();
  }

  /** Checks the connection first, so that no card is read that cannot be charged. */
  #startSaleIfReached(amountMinor: number, rail: Rail): void {
    this.#isCheckingConnection = true;
    this.#go({ name: 'keypad', notice: terminalNotices.checkingConnection });
    this.#background(async () => {
      const isReached = await this.#parts.connection.check(chargeCheckMs);
      this.#isCheckingConnection = false;
      if (this.#closed || this.#place.name !== 'keypad' || this.#sale || this.#refund) return;
      if (isReached) this.#beginKeyedIn(amountMinor, rail);
      else this.#go({ name: 'keypad', notice: terminalNotices.saleNotStarted });
    });
  }

  #beginRemote(command: StartCommand): void {
    const { saleId: requestId, amountInCents: amountMinor, currency } = command;
    if (command.kind === 'start_sale') {
      if (command.rails.includes('card')) this.#beginSale(requestId, amountMinor, currency);
      else this.#beginBitcoin({ saleId: requestId, amountMinor, currency, isRequested: true });
      return;
    }
    this.#leave();
    const { original: sale, operation: kind } = command;
    this.#openRefund({ sale, kind, requested: { requestId, amountMinor } });
  }

  #openRefund(request: Omit<Parameters<typeof newRefund>[0], 'isProtected'>): void {
    const isProtected = this.#configured().business.passwordProtectRefundsAndVoids;
    this.#refund = openRefundFlow(this.#parts.refundPorts, newRefund({ ...request, isProtected }));
    // The setting may have been changed in the portal a moment ago.
    this.#parts.sync.kick();
    this.#publish();
  }

  /** Whether the customer of the sale by card that shows may choose bitcoin. */
  #mayUseBitcoin(): boolean {
    const { saleId } = this.#begun ?? {};
    // Of a reader that authorises by itself nobody else can say that it charges nothing any more.
    if (saleId === undefined || this.#bitcoinWanted || this.#ports.reader.authorisation === 'reader') return false;
    const rails = this.#parts.remoteSales.rails(saleId);
    return rails?.includes('bitcoin') ?? this.#configured().business.takesBitcoin;
  }

  /** The reader lets go of the card first; where it has read one already, the card pays. */
  #switchToBitcoin(): boolean {
    const screen = this.#sale?.screen();
    if (screen?.name !== 'sale' || !screen.cancellable || !this.#mayUseBitcoin()) return false;
    this.#bitcoinWanted = true;
    return this.#sale?.cancel() ?? false;
  }

  #isSwitching(): boolean {
    if (!this.#bitcoinWanted || !this.#sale?.isOver()) return false;
    this.#bitcoinWanted = false;
    if (!this.#begun || this.#sale.ending()?.why !== 'staff') return false;
    this.#beginBitcoin(this.#begun);
    return true;
  }

  /** The same sale where software started it; one that was keyed in begins anew. */
  #goToCard({ saleId, amountMinor, currency, isRequested }: BitcoinContext): void {
    if (isRequested) this.#beginSale(saleId, amountMinor, currency, this.#ports.ids.next('sale'));
    else this.#beginSale(this.#ports.ids.next('sale'), amountMinor);
  }

  #beginBitcoin(sale: Begun): void {
    const { clock } = this.#ports;
    const rails = this.#parts.remoteSales.rails(sale.saleId);
    const mayUseCard = rails?.includes('card') ?? true;
    this.#sale?.dismiss();
    this.#dropModeChange();
    this.#begun = undefined;
    this.#parts.browsing.close();
    this.#place = { name: 'keypad', notice: null };
    const from = newBitcoinSale({ ...sale, mayUseCard, startedAt: clock.now() });
    this.#ports.store.saveFlow({ kind: 'bitcoin', snapshot: from, at: clock.now() });
    this.#openBitcoin(from, { restarted: false });
  }

  #openBitcoin(from: Stored<BitcoinContext>, options: { restarted: boolean }): void {
    const flow = openBitcoinFlow(this.#parts.bitcoinPorts, from);
    this.#sale = flow;
    flow.begin(options);
  }

  #beginSale(saleId: string, amountMinor: number, requestedIn?: string, transactionId = saleId): void {
    const { currency } = requestedIn === undefined ? this.#configured().business : { currency: requestedIn };
    const { clock, store } = this.#ports;
    this.#sale?.dismiss();
    this.#dropModeChange();
    this.#bitcoinWanted = false;
    this.#begun = { saleId, amountMinor, currency, isRequested: requestedIn !== undefined };
    // One id for the sale, at the service and at the reader: whoever is asked knows it by the same name.
    const from = newSale({
      saleId,
      transactionId,
      amountMinor,
      currency,
      startedAt: clock.now(),
      isRequested: requestedIn !== undefined,
    });
    this.#parts.browsing.close();
    this.#place = { name: 'keypad', notice: null };
    store.saveFlow({
      kind: 'sale',
      snapshot: from,
      at: clock.now(),
      readerTransaction: { transactionId, saleId, amountMinor, currency, startedAt: clock.now() },
    });
    this.#openSale(from, { restarted: false });
  }

  #showRecentSales(): true {
    this.#place = { name: 'browsing' };
    this.#parts.browsing.showRecent();
    return true;
  }

  #showSale(saleId: string): boolean {
    const sale = this.#parts.browsing.find(saleId);
    return sale !== undefined && this.#leave() && this.#showDetail(sale);
  }

  #showDetail(sale: SaleRecord): true {
    this.#place = { name: 'browsing' };
    this.#parts.browsing.showSale(sale);
    return true;
  }

  #returnMoney(saleId: string): boolean {
    const ended = this.#refund?.isOver() && !this.#refund.givenRequestId() ? this.#refund.sale() : undefined;
    const sale = ended ?? this.#parts.browsing.sale();
    if (this.#sale || (this.#refund && !ended) || sale?.saleId !== saleId) return false;
    if (sale.action === 'none' || sale.paymentId === null || sale.remainingInCents <= 0) return false;
    const { reader } = this.#ports;
    // Only a reader of that kind can return it, and it has to be there.
    if (sale.authorisedBy === 'reader' && (reader.authorisation !== 'reader' || reader.status().connection !== 'ready'))
      return false;
    if (ended) {
      this.#leave();
      this.#showDetail(sale);
    }
    this.#openRefund({ sale, kind: sale.action === 'void' ? 'CANCEL' : 'REFUND_SALE' });
    return true;
  }

  #background(work: () => Promise<void>): void {
    work().catch((error: unknown) => {
      if (!this.#closed) this.#ports.log.error('terminal_work_failed', { error: String(error) });
    });
  }
}
