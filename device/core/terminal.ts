import type { TerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import type { TerminalActivity } from '@florin/shared/contracts/terminal-sales.ts';
import type { ActionResult, UserAction } from '../ipc/user-action.ts';
import type { Header, Notice, Screen, View } from '../ipc/view.ts';
import { type ActionHandlers, isForCustomers, performAction } from './actions.ts';
import { CurrentSale } from './current-sale.ts';
import { restored } from './flows/durable.ts';
import { headerOf } from './header.ts';
import { ModeChange } from './kiosk/mode-change.ts';
import { ShownResult } from './kiosk/shown-result.ts';
import { type TerminalParts, type TerminalPorts, terminalParts } from './parts.ts';
import { openRefundFlow, type RefundFlow } from './refunds/flow.ts';
import { newRefund, type RefundContext, refundContextKeys, refundMachine } from './refunds/machine.ts';
import type { Rail, StartCommand } from './remote/remote-sales.ts';
import { activityOfSale } from './remote/words.ts';
import type { SaleFlow } from './sales/flow.ts';
import { releaseTransaction } from './sales/reader-memory.ts';
import { damaged } from './store/store.ts';
import { terminalNotices } from './words.ts';

export type { TerminalPorts } from './parts.ts';

/** The terminal without a screen and without a host. The host closes what it passed in. */
export interface Terminal {
  view(): View;
  /** Called at every change; returns a function that unsubscribes. */
  onView(listener: (view: View) => void): () => void;
  send(action: UserAction): Promise<ActionResult>;
  start(): void;
  close(): void;
}

/** Reads the stored configuration; nothing is opened, sent or shown before `start`. */
export function createTerminal(ports: TerminalPorts): Terminal {
  return new RunningTerminal(ports);
}

/** The open screen while no sale and no refund is in progress. */
type Place =
  | { readonly name: 'starting' }
  | { readonly name: 'enrolment'; readonly busy: boolean; readonly notice: Notice | null }
  | { readonly name: 'keypad'; readonly notice: Notice | null }
  /** In the list of recent sales. */
  | { readonly name: 'browsing' };

const accepted: ActionResult = { kind: 'accepted' };
const notNow: ActionResult = { kind: 'not_now' };

class RunningTerminal implements Terminal {
  readonly #ports: TerminalPorts;
  readonly #parts: TerminalParts;
  readonly #listeners = new Set<(view: View) => void>();
  #configuration: TerminalConfiguration | undefined;
  #place: Place = { name: 'starting' };
  readonly #current: CurrentSale;
  #refund: RefundFlow | undefined;
  #modeChange: ModeChange | undefined;
  readonly #result: ShownResult;
  #sequence = 0;
  #isRevoked = false;
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
      bankAnswered: saleId => this.#sale?.bankAnswered(saleId),
      streamOpened: () => this.#sale?.wake(),
      goToCard: sale => this.#current.goToCard(sale),
      unresolvedSale: () => this.#sale?.unresolved(),
      displaySettings: () => this.#displaySettings(),
      changed: () => this.#publish(),
      activity: () => this.#activity(),
      remote: {
        isFree: () => this.#mayShowRemoteSale(),
        resultHeldUntil: () => this.#result.heldUntil(),
        begin: command => this.#beginRemote(command),
        sale: () => this.#sale,
        refund: () => this.#refund,
      },
    });
    this.#current = new CurrentSale({
      ...ports,
      ...this.#parts,
      business: () => this.#configured().business,
      beginning: () => this.#leaveForSale(),
      showKeypad: notice => this.#go({ name: 'keypad', notice }),
      isKeypadShown: () => !this.#closed && this.#place.name === 'keypad' && !this.#refund,
      background: work => this.#background(work),
    });
  }

  get #sale(): SaleFlow | undefined {
    return this.#current.flow();
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
    this.#current.resume();
    this.#resumeRefund();
    this.#parts.remoteSales.resume();
    for (const part of this.#running()) part.start();
    this.#publish();
  }

  /** Background work from start to close. */
  #running() {
    const { sync, heartbeat, commandChannel, statusReports } = this.#parts;
    return [sync, heartbeat, commandChannel, statusReports];
  }

  #resumeRefund(): void {
    const refund = this.#ports.store.flow('refund');
    if (!refund) return;
    const stored = restored<RefundContext>(refundMachine, refund, refundContextKeys);
    if (!stored) throw damaged('refund');
    this.#refund = openRefundFlow(this.#parts.refundPorts, stored);
    this.#refund.resume();
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
    this.#parts.browsing.close();
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
    const requestedBy = remoteSales.startingFor();
    if (requestedBy === null) return performAction(this.#handlers, action) ? accepted : notNow;
    // Nothing else starts while a sale is being accepted; the result it waits for may be closed.
    const isResultRead = action.name === 'show_keypad' && remoteSales.skipResult();
    return isResultRead ? accepted : { kind: 'sale_starting', requestedBy };
  }

  #publish(): void {
    if (this.#closed) return;
    if (this.#current.completeSwitch()) return;
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
    const isCardExpected = this.#sale !== undefined && !this.#sale.isOver() && !this.#sale.isChecking();
    return headerOf({ ...this.#ports, ...this.#parts, configuration: this.#configuration, isCardExpected });
  }

  #screen(): Screen {
    if (this.#place.name === 'enrolment') return this.#place;
    if (this.#sale) return this.#parts.remoteSales.screen(this.#current.screen(this.#sale));
    if (this.#refund) return this.#parts.remoteSales.screen(this.#refund.screen());
    if (this.#modeChange) return this.#modeChange.screen();
    const browsed = this.#parts.browsing.screen();
    if (browsed) return browsed;
    if (this.#place.name === 'browsing') throw new Error('nothing is shown');
    return this.#place.name === 'keypad' && this.#isKiosk() ? { name: 'kiosk_idle' } : this.#place;
  }

  #isKiosk(): boolean {
    return this.#configuration?.terminal.mode === 'kiosk';
  }

  /** A customer-facing terminal carries out software requests, and accepts only the customer's choices for them. */
  #fitsMode(action: UserAction): boolean {
    return !this.#isKiosk() || this.#place.name === 'enrolment' || isForCustomers(action);
  }

  #leaveResult(): boolean {
    if (this.#parts.remoteSales.startingFor() !== null) return false;
    if (this.#refund?.isOver() === false) return this.#back();
    return this.#leave() && this.#go({ name: 'keypad', notice: null });
  }

  #configured(): TerminalConfiguration {
    if (!this.#configuration) throw new Error('this terminal is not enrolled');
    return this.#configuration;
  }

  #displaySettings() {
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
      this.#parts.sync.trigger();
      this.#parts.commandChannel.trigger();
    }
    this.#publish();
  }

  /** Shown only when nothing is in progress. A sale that only the service can resolve needs an enrolment first. */
  #revoked(): void {
    this.#isRevoked = true;
    if (this.#refund) return;
    if (!this.#sale || this.#sale.isChecking()) this.#leaveBusiness();
  }

  #leaveBusiness(): void {
    this.#ports.log.warn({}, 'the terminal was removed');
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

  readonly #handlers: ActionHandlers = {
    enrol: ({ code }) => this.#enrol(code),
    start_sale: ({ amountMinor }) => this.#startSale(amountMinor, 'card'),
    start_bitcoin_sale: ({ amountMinor }) => this.#startSale(amountMinor, 'bitcoin'),
    cancel_sale: () => this.#sale?.cancel() ?? false,
    pay_in_bitcoin: () => this.#current.payInBitcoin(),
    pay_by_card: () => this.#sale?.payByCard() ?? false,
    show_keypad: () => this.#leave() && this.#go({ name: 'keypad', notice: null }),
    show_recent_sales: () => this.#leave() && this.#showRecentSales(),
    load_more_sales: () => !this.#sale && !this.#refund && this.#parts.browsing.loadMore(),
    show_sale: ({ saleId }) => this.#showSale(saleId),
    return_money: ({ saleId }) => this.#returnMoney(saleId),
    enter_refund_amount: ({ amountMinor }) => this.#refund?.enterAmount(amountMinor) ?? false,
    confirm_return: () => this.#refund?.confirm() ?? false,
    enter_staff_number: ({ staffNumber }) => this.#asksStaff()?.enterStaffNumber(staffNumber.trim()) ?? false,
    enter_password: ({ password }) => this.#asksStaff()?.enterPassword(password) ?? false,
    choose_password: ({ password, repeated }) => this.#asksStaff()?.choosePassword(password, repeated) ?? false,
    change_mode: () => this.#changeMode(),
    report_screen_fault: ({ sequence, fault }) => {
      this.#ports.log.error({ sequence, fault }, 'the screen could not be shown');
      return true;
    },
    back: () => this.#back(),
  };

  #asksStaff(): RefundFlow | ModeChange | undefined {
    return this.#refund ?? (this.#sale ? undefined : this.#modeChange);
  }

  /** Requires a manager's authorisation for entering or leaving kiosk mode. */
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

  /** Closes the current screen, unless money may be moving; false if it must stay. */
  #leave(): boolean {
    if (this.#place.name === 'enrolment' || this.#place.name === 'starting') return false;
    if (this.#sale) {
      if (!this.#sale.isOver()) return false;
      this.#current.dismiss();
    }
    if (this.#refund) {
      if (!this.#refund.isOver() && !this.#refund.isIdle()) return false;
      this.#dropRefund();
    }
    this.#dropModeChange();
    if (this.#isRevoked) {
      this.#leaveBusiness();
      return false;
    }
    return true;
  }

  #dropRefund(): void {
    this.#refund?.dismiss();
    this.#refund = undefined;
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

  /** The reader holds a result and accepts no sale before it is confirmed. */
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
      this.#ports.log.info({ terminalId: answer.configuration.terminal.id }, 'the terminal was enrolled');
      if (answer.isOtherBusiness) this.#dropFlows();
      this.#place = { name: 'keypad', notice: null };
      this.#sale?.wake();
      this.#configure(answer.configuration);
      this.#parts.sync.trigger();
      this.#parts.commandChannel.trigger();
    });
    return true;
  }

  #dropFlows(): void {
    this.#current.drop();
    this.#refund?.stop();
    this.#refund = undefined;
  }

  #startSale(amountMinor: number, rail: Rail): boolean {
    if (rail === 'bitcoin' && !this.#configured().business.takesBitcoin) return false;
    if (!this.#isOpen() || this.#current.isCheckingConnection() || !this.#leave()) return false;
    this.#current.keyIn(amountMinor, rail);
    return true;
  }

  /** The keypad is open, or the result of a sale. */
  #isOpen(): boolean {
    return this.#sale ? this.#sale.isOver() : !this.#refund && this.#place.name === 'keypad';
  }

  #mayShowRemoteSale(): boolean {
    // A sale may replace the list of sales and the result of a void or refund, but not one in progress.
    const isOverOrLookingUp = this.#refund ? this.#refund.isOver() : this.#place.name === 'browsing';
    const isChecking = this.#current.isCheckingConnection() || this.#modeChange?.isInUse() === true;
    return (this.#isOpen() || (!this.#sale && isOverOrLookingUp)) && !isChecking && !this.#isRevoked;
  }

  /** What keeps the terminal from a sale that software starts, other than one before. */
  #activity(): TerminalActivity | null {
    if (this.#parts.remoteSales.isUnderWay() || this.#mayShowRemoteSale()) return null;
    if (this.#sale) return activityOfSale(this.#sale.screen());
    return this.#refund ? 'refund' : 'staff_work';
  }

  #beginRemote(command: StartCommand): void {
    const { saleId, amountInCents: amountMinor, currency } = command;
    if (command.kind === 'start_sale') {
      this.#dropRefund();
      this.#current.beginRequested({ saleId, amountMinor, currency }, command.rails);
      return;
    }
    this.#leave();
    const { original: sale, operation: kind } = command;
    this.#openRefund({ sale, kind, requested: { requestId: saleId, amountMinor } });
  }

  #openRefund(request: Omit<Parameters<typeof newRefund>[0], 'isProtected'>): void {
    const isProtected = this.#configured().business.passwordProtectRefundsAndVoids;
    this.#refund = openRefundFlow(this.#parts.refundPorts, newRefund({ ...request, isProtected }));
    // The setting may have been changed over the API a moment ago.
    this.#parts.sync.trigger();
    this.#publish();
  }

  #leaveForSale(): void {
    this.#dropModeChange();
    this.#parts.browsing.close();
    this.#place = { name: 'keypad', notice: null };
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
    // Only a reader that authorises by itself can return it, and it must be connected.
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
      if (!this.#closed) this.#ports.log.error({ error: String(error) }, 'work of the terminal failed');
    });
  }
}
