import type { TerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import type { ActionResult, UserAction } from '../ipc/user-action.ts';
import type { Header, Screen, UnchargedSale, View } from '../ipc/view.ts';
import { type ActionHandlers, isForCustomers, performAction } from './actions.ts';
import type { KeyedIn } from './current-sale.ts';
import { type Decisions, decide, type StartCommand } from './facts.ts';
import { restored } from './flows/durable.ts';
import { headerOf } from './header.ts';
import { ModeChange } from './kiosk/mode-change.ts';
import { type TerminalParts, type TerminalPorts, terminalParts } from './parts.ts';
import { openRefundFlow, type RefundFlow } from './refunds/flow.ts';
import { newRefund, type RefundContext, refundContextKeys, refundMachine } from './refunds/machine.ts';
import { mayReturnAt } from './refunds/reader-return.ts';
import type { Rail } from './remote/remote-sales.ts';
import { releaseTransaction } from './sales/reader-memory.ts';
import { saleCodeIn } from './sales/receipt-code.ts';
import type { Place, TerminalState } from './state.ts';
import { damaged } from './store/store.ts';
import type { TerminalNotice } from './words.ts';

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

const accepted: ActionResult = { kind: 'accepted' };
const notNow: ActionResult = { kind: 'not_now' };

class RunningTerminal implements Terminal {
  readonly #ports: TerminalPorts;
  readonly #parts: TerminalParts;
  readonly #state: TerminalState;
  readonly #listeners = new Set<(view: View) => void>();
  #sequence = 0;
  #stopReader: (() => void) | undefined;
  #stopPrinter: (() => void) | undefined;
  #released = '';

  constructor(ports: TerminalPorts) {
    this.#ports = ports;
    this.#parts = terminalParts(ports, fact => decide(this.#decisions, fact));
    this.#state = this.#parts.state;
  }

  /** What follows from each thing that happened in a part; `#handlers` has what follows from each user action. */
  readonly #decisions: Decisions = {
    changed: () => this.#draw(),
    connection_changed: ({ isOnline, settleMs }) => this.#connectionChanged(isOnline, settleMs),
    revoked: () => this.#revoked(),
    configuration_changed: ({ configuration }) => this.#configure(configuration),
    stream_opened: () => {
      this.#parts.statusReports.repeat();
      this.#state.sale?.wake();
    },
    settings_changed: ({ settleMs }) => this.#parts.sync.trigger(settleMs),
    command_received: ({ command }) => this.#parts.remoteSales.received(command),
    command_accepted: ({ command }) => this.#beginRequested(command),
    bitcoin_changed: ({ sale }) => this.#state.sale?.bitcoinChanged(sale),
    bank_answered: ({ saleId }) => this.#state.sale?.bankAnswered(saleId),
    record_changed: ({ record }) => this.#recordChanged(record),
    reader_day_compared: ({ closing }) => this.#parts.readerDay.compared(closing),
    reversal_refused: ({ saleId }) => this.#state.sale?.reversalRefused(saleId),
    card_chosen: ({ sale }) => this.#parts.current.goToCard(sale),
    sale_began: () => this.#leaveForSale(),
    sale_waits: () => this.#showKeypad('checkingConnection'),
    sale_not_started: ({ why }) => this.#showKeypad(why),
    mode_changed: () => this.#dropModeChange(),
    result_expired: () => this.#leaveResult(),
  };

  start(): void {
    const { reader } = this.#ports;
    this.#stopReader = reader.onStatus(status => {
      if (status.connection === 'ready') this.#state.sale?.wake();
      if (status.unconfirmedTransactionId) this.#releaseFromReader(status.unconfirmedTransactionId);
      this.#draw();
    });
    this.#stopPrinter = this.#ports.printer.onStatus(() => this.#draw());
    this.#parts.printing.resume();
    this.#state.place = this.#parts.enrolment.isEnrolled()
      ? { name: 'keypad', notice: null }
      : { name: 'enrolment', busy: false, notice: null };
    this.#parts.current.resume();
    this.#parts.readerDay.resume();
    this.#resumeRefund();
    this.#parts.remoteSales.resume();
    for (const part of this.#parts.running) part.start();
    this.#draw();
  }

  #resumeRefund(): void {
    const refund = this.#ports.store.flow('refund');
    if (!refund) return;
    const stored = restored<RefundContext>(refundMachine, refund, refundContextKeys);
    if (!stored) throw damaged('refund');
    this.#state.refund = openRefundFlow(this.#parts.refundPorts, stored);
    this.#state.refund.resume();
  }

  close(): void {
    const { sale, refund, modeChange } = this.#state;
    this.#state.isClosed = true;
    this.#stopReader?.();
    this.#stopPrinter?.();
    this.#parts.printing.stop();
    this.#parts.receiptEmails.stop();
    for (const part of this.#parts.running) part.stop();
    this.#parts.remoteSales.stop();
    this.#parts.result.stop();
    this.#parts.languages.stop();
    for (const flow of [sale, refund, modeChange]) flow?.stop();
    this.#closeBrowsing();
    this.#listeners.clear();
    this.#parts.time.keep();
  }

  view(): View {
    const screen = this.#screen();
    const printed = this.#parts.printing.receiptOn(screen);
    const receipt = printed && { ...printed, email: this.#parts.receiptEmails.on(screen) };
    return { sequence: this.#sequence, header: this.#header(), screen, receipt };
  }

  onView(listener: (view: View) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async send(action: UserAction): Promise<ActionResult> {
    const { remoteSales } = this.#parts;
    if (this.#state.isClosed || !this.#fitsMode(action)) return notNow;
    const requestedBy = remoteSales.startingFor();
    if (requestedBy === null) return performAction(this.#handlers, action) ? accepted : notNow;
    // Nothing else starts while a sale is being accepted; the result it waits for may be closed.
    const isResultRead = action.name === 'show_keypad' && remoteSales.skipResult();
    return isResultRead ? accepted : { kind: 'sale_starting', requestedBy };
  }

  /** Shows the current state to the screen, and to the parts that report on it. */
  #draw(): void {
    if (this.#state.isClosed) return;
    if (this.#parts.current.completeSwitch()) return;
    this.#sequence += 1;
    this.#parts.languages.look();
    this.#parts.remoteSales.look();
    this.#parts.printing.look(this.#screen());
    this.#parts.receiptEmails.look(this.#screen());
    this.#parts.statusReports.look();
    const view = this.view();
    this.#parts.result.look(view.screen, { isKiosk: this.#state.isKiosk(), receipt: view.receipt });
    for (const listener of this.#listeners) listener(view);
  }

  #closeBrowsing(): void {
    for (const part of this.#parts.browsed) part.close();
  }

  #go(place: Place): true {
    this.#closeBrowsing();
    this.#state.place = place;
    this.#draw();
    return true;
  }

  #showKeypad(notice: TerminalNotice | null = null): true {
    return this.#go({ name: 'keypad', notice });
  }

  #header(): Header {
    const { sale, configuration } = this.#state;
    const isCardExpected = sale !== undefined && !sale.isOver() && !sale.isChecking();
    return headerOf({
      ...this.#ports,
      ...this.#parts,
      configuration,
      isCardExpected,
      mayShowStatus: this.#state.mayShowStatus(),
      screenLanguage: this.#parts.languages.current(),
      customerLanguage: this.#parts.languages.customer(),
    });
  }

  #screen(): Screen {
    const { place, sale, refund, modeChange, tip } = this.#state;
    const { current, remoteSales, browsing, dayReport, readerDay } = this.#parts;
    const words = this.#parts.languages.staffWords();
    if (place.name === 'enrolment') return { ...place, notice: place.notice && words.enrolment[place.notice] };
    if (sale) return remoteSales.screen(current.screen(sale));
    if (refund) return remoteSales.screen(refund.screen());
    if (tip) return tip;
    if (modeChange) return modeChange.screen();
    const browsed = browsing.screen() ?? readerDay.screen() ?? dayReport.screen();
    if (browsed) return browsed;
    if (place.name === 'status') return this.#parts.statusPage.screen();
    if (place.name === 'browsing') throw new Error('nothing is shown');
    if (place.name === 'starting') return place;
    if (this.#state.isKiosk()) return { name: 'kiosk_idle' };
    return { ...place, notice: place.notice && words.terminal[place.notice] };
  }

  /** A customer-facing terminal carries out software requests, and accepts only the customer's choices for them. */
  #fitsMode(action: UserAction): boolean {
    return !this.#state.isKiosk() || this.#state.place.name === 'enrolment' || isForCustomers(action);
  }

  #leaveResult(): void {
    if (this.#parts.remoteSales.startingFor() !== null) return;
    if (this.#state.refund?.isOver() === false) this.#back();
    else if (this.#leave()) this.#showKeypad();
  }

  #configure(configuration: TerminalConfiguration): void {
    this.#state.configuration = configuration;
    this.#asksStaff()?.reconfigured();
    if (this.#state.isKiosk() && ['browsing', 'status'].includes(this.#state.place.name)) this.#showKeypad();
    else this.#draw();
  }

  #connectionChanged(isOnline: boolean, settleMs: number): void {
    if (isOnline) {
      const { place, sale, refund, modeChange } = this.#state;
      if (place.name === 'keypad' && place.notice === 'saleNotStarted')
        this.#state.place = { name: 'keypad', notice: null };
      sale?.wake();
      refund?.wake();
      modeChange?.reconnected();
      this.#parts.browsing.reconnected();
      this.#parts.dayReport.reconnected();
      this.#parts.sync.trigger(settleMs);
      this.#parts.commandChannel.trigger(settleMs);
    }
    this.#draw();
  }

  /** Shown only when nothing is in progress. A sale that only the service can resolve needs an enrolment first. */
  #revoked(): void {
    this.#state.isRevoked = true;
    if (!this.#state.refund && this.#state.sale?.isChecking() !== false) this.#leaveBusiness();
  }

  #leaveBusiness(): void {
    this.#ports.log.warn({}, 'the terminal was removed');
    this.#state.isRevoked = false;
    this.#parts.current.cancelTip();
    this.#parts.enrolment.forget();
    this.#go({ name: 'enrolment', busy: false, notice: this.#state.sale ? 'removedWithSale' : 'removed' });
  }

  #recordChanged(record: SaleRecord): void {
    this.#ports.store.saveSales([record]);
    this.#state.sale?.recordChanged(record);
    this.#parts.browsing.recordChanged(record);
  }

  readonly #handlers: ActionHandlers = {
    enrol: ({ code }) => this.#enrol(code),
    start_sale: sale => this.#startSale(sale, 'card'),
    start_bitcoin_sale: sale => this.#startSale(sale, 'bitcoin'),
    cancel_sale: () => this.#parts.current.cancel(),
    skip_tip: () => this.#parts.current.skipTip(),
    pay_in_bitcoin: () => this.#parts.current.payInBitcoin(),
    pay_by_card: () => this.#state.sale?.payByCard() ?? false,
    show_keypad: () => this.#leave() && this.#showKeypad(),
    show_recent_sales: () => this.#leave() && this.#browse(({ browsing }) => browsing.showRecent()),
    load_more_sales: () => !this.#state.sale && !this.#state.refund && this.#parts.browsing.loadMore(),
    show_find_sale: () => this.#state.mayBrowse() && this.#browse(({ browsing }) => browsing.showFind()),
    search_sales: ({ text }) => this.#state.mayBrowse() && this.#browse(({ browsing }) => browsing.search(text)),
    scan_code: ({ code }) => this.#scanCode(code),
    print_day_report: () => this.#parts.dayReport.print(),
    show_day_report: report => this.#state.mayBrowse() && this.#browse(({ dayReport }) => dayReport.show(report)),
    show_reader_day: () =>
      this.#state.mayBrowse() && this.#parts.readerDay.isOffered() && this.#browse(({ readerDay }) => readerDay.open()),
    close_reader_day: () => this.#parts.readerDay.closeDay(),
    show_sale: ({ saleId }) => this.#showSale(saleId),
    show_return_receipt: ({ url }) => this.#state.mayBrowse() && this.#parts.browsing.showReturnReceipt(url),
    return_money: ({ saleId }) => this.#returnMoney(saleId),
    enter_refund_amount: ({ amountMinor }) => this.#state.refund?.enterAmount(amountMinor) ?? false,
    confirm_return: () => this.#state.refund?.confirm() ?? false,
    enter_staff_number: ({ staffNumber }) => this.#asksStaff()?.enterStaffNumber(staffNumber.trim()) ?? false,
    enter_password: ({ password }) => this.#asksStaff()?.enterPassword(password) ?? false,
    choose_password: ({ password, repeated }) => this.#asksStaff()?.choosePassword(password, repeated) ?? false,
    print_receipt: ({ copyFor }) => this.#parts.printing.print(this.#screen(), copyFor),
    show_receipt_code: () => this.#parts.printing.showCode(this.#screen()),
    hide_receipt_code: () => this.#parts.printing.hideCode(),
    show_receipt_email: () => this.#parts.receiptEmails.open(this.#screen()),
    hide_receipt_email: () => this.#parts.receiptEmails.close(),
    email_receipt: ({ address }) => this.#parts.receiptEmails.send(this.#screen(), address),
    show_status: () => this.#showStatus(),
    test_reader: () => this.#state.place.name === 'status' && this.#parts.statusPage.testReader(),
    change_mode: () => this.#changeMode(),
    choose_language: ({ language }) => this.#parts.languages.choose(language),
    report_screen_fault: ({ sequence, fault }) => {
      this.#ports.log.error({ sequence, fault }, 'the screen could not be shown');
      return true;
    },
    back: () => this.#back(),
  };

  #asksStaff(): RefundFlow | ModeChange | undefined {
    const { sale, refund, modeChange } = this.#state;
    return refund ?? (sale ? undefined : modeChange);
  }

  /** Requires a manager's authorisation for entering or leaving kiosk mode. */
  #changeMode(): boolean {
    if (!this.#state.mayBrowse() || this.#state.place.name !== 'keypad') return false;
    this.#state.modeChange = new ModeChange(this.#parts.refundPorts, this.#state.isKiosk() ? 'staff' : 'kiosk');
    this.#draw();
    return true;
  }

  #dropModeChange(): void {
    this.#state.modeChange?.stop();
    this.#state.modeChange = undefined;
  }

  /** Closes the current screen, unless money may be moving; false if it must stay. */
  #leave(): boolean {
    const { place, sale, refund, tip, isReaderClosing } = this.#state;
    if (place.name === 'enrolment' || place.name === 'starting' || tip || isReaderClosing) return false;
    if (sale) {
      if (!sale.isOver()) return false;
      this.#parts.current.dismiss();
    }
    if (refund) {
      if (!refund.isOver() && !refund.isIdle()) return false;
      this.#dropRefund();
    }
    this.#dropModeChange();
    if (this.#state.isRevoked) {
      this.#leaveBusiness();
      return false;
    }
    return true;
  }

  #dropRefund(): void {
    this.#state.refund?.dismiss();
    this.#state.refund = undefined;
  }

  #back(): boolean {
    const { place, sale, refund, modeChange } = this.#state;
    const { browsing, dayReport, readerDay } = this.#parts;
    if (refund) {
      const returned = refund.sale();
      const isRequested = refund.givenRequestId() !== null;
      const step = refund.back();
      if (step === 'stay') return true;
      if (step === 'not_now') return false;
      if (!this.#leave()) return false;
      return step === 'leave' && !isRequested && !this.#state.isKiosk()
        ? this.#showDetail(returned)
        : this.#showKeypad();
    }
    if (!sale && modeChange?.back()) return true;
    if (!sale && !modeChange && browsing.back()) return true;
    if (readerDay.screen())
      return !this.#state.isReaderClosing && this.#browse(parts => parts.dayReport.show({ scope: 'terminal' }));
    if (!sale && !modeChange && dayReport.screen()) return this.#browse(({ browsing }) => browsing.showRecent());
    if (!sale && !modeChange && place.name === 'keypad') return false;
    return this.#leave() && this.#showKeypad();
  }

  /** The reader holds a result and accepts no sale before it is confirmed. */
  #releaseFromReader(transactionId: string): void {
    const { sale, refund } = this.#state;
    if (refund?.hasRequest(transactionId) || sale?.hasTransaction(transactionId)) return;
    if (this.#released === transactionId) return;
    this.#released = transactionId;
    this.#parts.background(async () => {
      await releaseTransaction({ ...this.#ports, transactionId });
    });
  }

  #enrol(code: string): boolean {
    if (this.#state.place.name !== 'enrolment' || this.#state.place.busy) return false;
    this.#go({ name: 'enrolment', busy: true, notice: null });
    this.#parts.background(async () => {
      const answer = await this.#parts.enrolment.enrol(code, () => this.#state.sale?.unresolved());
      if (this.#state.isClosed) return;
      if ('notice' in answer) {
        this.#go({ name: 'enrolment', busy: false, notice: answer.notice });
        return;
      }
      this.#ports.log.info({ terminalId: answer.configuration.terminal.id }, 'the terminal was enrolled');
      if (answer.isOtherBusiness) this.#dropFlows();
      this.#state.place = { name: 'keypad', notice: null };
      this.#state.sale?.wake();
      this.#configure(answer.configuration);
      this.#parts.sync.trigger();
      this.#parts.commandChannel.trigger();
    });
    return true;
  }

  #dropFlows(): void {
    this.#parts.current.drop();
    this.#state.refund?.stop();
    this.#state.refund = undefined;
  }

  #startSale({ amountMinor, tipMinor, reference }: KeyedIn, rail: Rail): boolean {
    if (rail === 'bitcoin' && !this.#state.configured().business.takesBitcoin) return false;
    if (!this.#state.isOpen() || this.#state.isCheckingConnection || !this.#leave()) return false;
    this.#parts.current.keyIn({ amountMinor, tipMinor, reference }, rail);
    return true;
  }

  #beginRequested(command: StartCommand): void {
    const { saleId, amountInCents: amountMinor, currency } = command;
    if (command.kind === 'start_sale') {
      this.#dropRefund();
      this.#parts.current.beginRequested({ saleId, amountMinor, currency }, command.rails);
      return;
    }
    this.#leave();
    const { original: sale, operation: kind } = command;
    this.#openRefund({ sale, kind, requested: { requestId: saleId, amountMinor } });
  }

  #openRefund(request: Omit<Parameters<typeof newRefund>[0], 'isProtected'>): void {
    const isProtected = this.#state.configured().business.passwordProtectRefundsAndVoids;
    this.#state.refund = openRefundFlow(this.#parts.refundPorts, newRefund({ ...request, isProtected }));
    // The setting may have been changed over the API a moment ago.
    this.#parts.sync.trigger();
    this.#draw();
  }

  #leaveForSale(): void {
    this.#dropModeChange();
    this.#closeBrowsing();
    this.#state.place = { name: 'keypad', notice: null };
  }

  /** Opens one of the screens among the sales, which replaces the open one. */
  #browse(open: (parts: Pick<TerminalParts, 'browsing' | 'dayReport' | 'readerDay'>) => void): true {
    this.#closeBrowsing();
    this.#state.place = { name: 'browsing' };
    open(this.#parts);
    return true;
  }

  /** On the keypad only the code of a sale is followed: a scanned article must not leave a typed amount. */
  #scanCode(code: string): boolean {
    if (!this.#state.mayBrowse()) return false;
    if (this.#state.place.name === 'keypad' && saleCodeIn(code) === undefined) return this.#showKeypad('notOfASale');
    return this.#browse(({ browsing }) => browsing.search(code));
  }

  #showStatus(): boolean {
    if (!this.#state.mayShowStatus() || !this.#leave()) return false;
    this.#parts.statusPage.open();
    return this.#go({ name: 'status' });
  }

  #showSale(saleId: string): boolean {
    const sale = this.#parts.browsing.find(saleId);
    return sale !== undefined && this.#leave() && this.#showDetail(sale);
  }

  #showDetail(sale: SaleRecord | UnchargedSale): true {
    this.#parts.dayReport.close();
    this.#state.place = { name: 'browsing' };
    this.#parts.browsing.showSale(sale);
    return true;
  }

  #returnMoney(saleId: string): boolean {
    const { refund } = this.#state;
    const ended = refund?.isOver() && !refund.givenRequestId() ? refund.sale() : undefined;
    const sale = ended ?? this.#parts.browsing.sale();
    if (this.#state.sale || (refund && !ended) || sale?.saleId !== saleId) return false;
    if (sale.action === 'none' || sale.paymentId === null || sale.remainingInCents <= 0) return false;
    if (!mayReturnAt(this.#ports.reader, sale)) return false;
    const lateVoidBy = ended && refund?.lateVoidBy();
    if (ended) {
      this.#leave();
      this.#showDetail(sale);
    }
    const kind = sale.action === 'void' ? 'CANCEL' : 'REFUND_SALE';
    this.#openRefund({ sale, kind, ...(lateVoidBy === undefined ? {} : { insteadOfVoidBy: lateVoidBy }) });
    return true;
  }
}
