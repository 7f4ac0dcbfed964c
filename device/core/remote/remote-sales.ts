import type { BodyInputOf } from '@florin/shared/contracts/contract.ts';
import {
  acknowledgeCommand,
  reportSaleProgress,
  type TerminalCommand,
} from '@florin/shared/contracts/device-v1/commands.ts';
import type { Clock, Instant, Log, Timers } from '@florin/shared/ports.ts';
import { z } from 'zod';
import type { Screen } from '../../ipc/view.ts';
import type { Publish, StartCommand } from '../facts.ts';
import { Waiting } from '../flows/waiting.ts';
import type { ShownResult } from '../kiosk/shown-result.ts';
import type { RefundFlow } from '../refunds/flow.ts';
import type { SaleFlow } from '../sales/flow.ts';
import type { TrustedTime } from '../staff/time.ts';
import type { TerminalState } from '../state.ts';
import type { Store } from '../store/store.ts';
import type { Connection } from '../sync/connection.ts';
import type { DisplaySettings } from '../words.ts';
import { endReasonOf, reportOfRefund, stageOfScreen } from './words.ts';

type SaleResult = Extract<Screen, { name: 'sale_result' }>;
export type Rail = StartCommand['rails'][number];
type Progress = BodyInputOf<typeof reportSaleProgress>;
type Report = Progress['report'];

/** Sales that software starts on this terminal: accepts them from the service and reports on them until they end. */
export interface RemoteSales {
  received(command: TerminalCommand): void;
  /** After a restart: ends a sale that was accepted and never started, and resumes reporting on one that was. */
  resume(): void;
  /** The state of the terminal changed. */
  look(): void;
  /** The payment methods of this sale; undefined if it was keyed in on this terminal. */
  rails(saleId: string): readonly Rail[] | undefined;
  /** The software that started this sale; null if it was keyed in on this terminal. */
  readonly requestedBy: (saleId: string) => string | null;
  /** What that software calls it; null if it was keyed in on this terminal. */
  readonly reference: (saleId: string) => string | null;
  /** The language tag that software named for the sale on the screen; null if it named none. */
  language(): string | null;
  /** The software whose sale is about to start; null if none is. */
  startingFor(): string | null;
  /** The result that a sale waits for was read. False if no sale waits. */
  skipResult(): boolean;
  /** A software sale or refund is in progress on this terminal, or its result still shows. */
  isUnderWay(): boolean;
  screen(screen: Screen): Screen;
  /** The sale or refund on the screen if its software asked for a printed receipt; otherwise null. */
  printsFor(): string | null;
  stop(): void;
}

export type RemoteSalesPorts = {
  readonly store: Store;
  readonly connection: Connection;
  readonly clock: Clock;
  readonly time: Pick<TrustedTime, 'now'>;
  readonly timers: Timers;
  readonly log: Log;
  readonly enrolled: () => boolean;
  readonly state: TerminalState;
  /** What names and formats everything on the screen that is shown, and what staff read. */
  readonly displaySettings: () => DisplaySettings;
  readonly staffDisplay: () => DisplaySettings;
  /** The language tag that the customer chose; undefined without a choice. */
  readonly chosenByCustomer: () => string | undefined;
  readonly result: Pick<ShownResult, 'heldUntil'>;
  readonly changed: () => void;
  readonly publish: Publish;
};

const remoteContext = z.object({
  saleId: z.string(),
  commandId: z.string(),
  requestedBy: z.string(),
  reference: z.string().nullable(),
  language: z.string().nullable(),
  shouldPrint: z.boolean(),
  rails: z.array(z.enum(['card', 'bitcoin'])).default(['card']),
  expiresAt: z.number(),
  /** The service ended it: the software cancelled it, or its time was over. */
  isEndedByService: z.boolean().default(false),
  /** The number of program starts since the sale was accepted: reports of a later run replace those of an earlier one. */
  runs: z.int(),
});
type Remote = z.infer<typeof remoteContext>;

/** Staff see the same as of a sale that they keyed in. A kiosk shows it where its software leaves the receipt to this terminal. */
function receiptFor(
  { shouldPrint, reference }: Remote,
  receipt: SaleResult['receipt'],
  { label, isKiosk }: { readonly label: string; readonly isKiosk: boolean },
): SaleResult['receipt'] {
  if (receipt.length === 0 || (isKiosk && !shouldPrint)) return [];
  return reference === null ? receipt : [...receipt, { label, value: reference }];
}

const retryMs = 500;
/** How long the keypad stays closed for a sale whose command was acknowledged. */
const acceptWithinMs = 10_000;
/** decisions: Terminal sales and the kiosk API. */
const refundWaitsMs = 5 * 60_000;
const reportsPerRun = 1_000_000;

/** Accepts one sale or refund of software at a time. A second is refused as busy, or waits while the first ends. */
export function createRemoteSales(ports: RemoteSalesPorts): RemoteSales {
  return new Remotes(ports);
}

class Remotes implements RemoteSales {
  readonly #ports: RemoteSalesPorts;
  #waiting: Waiting;
  #remote: Remote | undefined;
  /** The previous sale, whose result may still show. */
  #previous: Remote | undefined;
  /** When the service ended the sale, by its time. */
  #endedAt: Instant = 0;
  #isAccepting = false;
  /** The sale that starts once the previous one has ended on this terminal too. */
  #queued: StartCommand | undefined;
  /** Cancels the timer that keeps the previous result on the screen. */
  #begin: (() => void) | undefined;
  #reports = 0;
  #reported = '';
  #next: Omit<Progress, 'sequence'> | undefined;
  #isReporting = false;
  #hasRefund = false;
  /** When the refund on the screen cancels itself. */
  #cancelsAt: Instant | null = null;
  /** Its end was reported, or is about to be. */
  #hasEnded = false;
  #isStopped = false;

  constructor(ports: RemoteSalesPorts) {
    this.#ports = ports;
    this.#waiting = new Waiting(ports.timers);
  }

  startingFor(): string | null {
    return this.#isAccepting ? (this.#remote?.requestedBy ?? null) : null;
  }

  rails(saleId: string): readonly Rail[] | undefined {
    return this.#remote?.saleId === saleId ? this.#remote.rails : undefined;
  }

  readonly requestedBy = (saleId: string): string | null => this.#of(saleId)?.requestedBy ?? null;

  readonly reference = (saleId: string): string | null => this.#of(saleId)?.reference ?? null;

  #of(saleId: string): Remote | undefined {
    return [this.#remote, this.#previous].find(remote => remote?.saleId === saleId);
  }

  language(): string | null {
    return this.#shown()?.language ?? null;
  }

  isUnderWay(): boolean {
    return this.#isAccepting || this.#flow() !== undefined || this.#refund() !== undefined;
  }

  screen(screen: Screen): Screen {
    const remote = this.#shown();
    if (!remote) return screen;
    const { requestedBy: name, reference, language } = remote;
    const requestedBy = { name, reference, language };
    const label = this.#ports.displaySettings().words.receipt.reference;
    const shownIn = { label, isKiosk: this.#ports.state.isKiosk() };
    if (screen.name === 'sale' || screen.name === 'bitcoin_sale') return { ...screen, requestedBy };
    if ('returning' in screen) {
      const cancelsAt = screen.name === 'confirm_return' ? this.#cancelsAt : null;
      const returning = { ...screen.returning, requestedBy, cancelsAt };
      return screen.name === 'return_result'
        ? { ...screen, returning, receipt: receiptFor(remote, screen.receipt, shownIn) }
        : { ...screen, returning };
    }
    if ('authorised' in screen && 'sale' in screen.authorised)
      return { ...screen, authorised: { ...screen.authorised, requestedBy, cancelsAt: this.#cancelsAt } };
    if (screen.name !== 'sale_result') return screen;
    const ended = remote.isEndedByService ? this.#endedByService(screen, remote) : {};
    return { ...screen, ...ended, requestedBy, receipt: receiptFor(remote, screen.receipt, shownIn) };
  }

  printsFor(): string | null {
    const shown = this.#shown();
    return shown?.shouldPrint === true ? shown.saleId : null;
  }

  /** The outcome of a sale that ended at the service while nothing was charged, which is why it ended here. */
  #endedByService({ customerOutcome }: SaleResult, remote: Remote): Partial<SaleResult> {
    if (customerOutcome !== 'cancelled' && customerOutcome !== 'not_charged') return {};
    const { timedOut, cancelledBySoftware } = this.#ports.displaySettings().words.results;
    if (this.#endedAt >= remote.expiresAt)
      return { outcome: 'timed_out', customerOutcome: 'no_card', isEndedBySoftware: true, notice: timedOut };
    const notice = { message: cancelledBySoftware.message, detail: cancelledBySoftware.detail(remote.requestedBy) };
    return { outcome: 'cancelled', customerOutcome: 'cancelled', isEndedBySoftware: true, notice };
  }

  /**
   * Refers to the sale or refund on the screen: while the next sale is being accepted, that is still the previous one.
   */
  #shown(): Remote | undefined {
    const { sale, refund } = this.#ports.state;
    return [this.#remote, this.#previous].find(
      remote => remote && (sale?.hasTransaction(remote.saleId) || refund?.givenRequestId() === remote.saleId),
    );
  }

  resume(): void {
    const stored = this.#ports.store.flow('remote');
    const remote = remoteContext.safeParse(stored?.context).data;
    if (!remote) return;
    this.#remote = { ...remote, runs: remote.runs + 1 };
    if (stored?.value === 'reported') {
      this.#hasEnded = true;
      return;
    }
    this.#save(this.#remote, 'taken');
    if (this.#flow() || this.#refund()) this.look();
    else this.#report({ kind: 'ended', reason: 'interrupted' });
  }

  received(command: TerminalCommand): void {
    if (command.kind === 'end_sale') this.#end(command);
    else this.#start(command);
  }

  #start(command: StartCommand): void {
    const { commandId, saleId, requestedBy, reference, language, shouldPrint, rails } = command;
    if (this.#remote?.saleId === saleId) {
      // The command arrived before, and the connection broke before it was acknowledged.
      if (!this.#isAccepting) this.#run(this.#acknowledge(commandId, 'taken'));
      return;
    }
    if (this.#isAccepting || !this.#ports.state.isFree()) {
      if (this.#isEnding()) this.#queue(command);
      else this.#run(this.#acknowledge(commandId, 'busy'));
      return;
    }
    this.#isAccepting = true;
    this.#reports = 0;
    this.#reported = '';
    this.#hasRefund = false;
    this.#hasEnded = false;
    this.#next = undefined;
    this.#previous = this.#remote;
    const expiresAt = Date.parse(command.expiresAt);
    const shown = { requestedBy, reference, language, shouldPrint };
    this.#remote = { saleId, commandId, ...shown, rails, expiresAt, isEndedByService: false, runs: 1 };
    // Stored before the acknowledgement: once the service counts the sale as accepted, this terminal must know it.
    this.#save(this.#remote, 'taken');
    this.#run(this.#accept(command));
  }

  /**
   * The service sends no second sale while the first is in progress, so the first has ended there and is about to end
   * here.
   */
  #isEnding(): boolean {
    return this.#isAccepting || this.#flow()?.isOver() === false || this.#refund()?.isOver() === false;
  }

  #queue(command: StartCommand): void {
    this.#queued = command;
    this.#dropRequest();
    this.#waiting.after(acceptWithinMs, () => {
      if (this.#queued !== command) return;
      this.#queued = undefined;
      this.#run(this.#acknowledge(command.commandId, 'busy'));
    });
  }

  #startQueued(): void {
    const command = this.#queued;
    if (!command || this.#isAccepting || !this.#ports.state.isFree()) return;
    this.#queued = undefined;
    this.#start(command);
  }

  /** The service ended the sale that was accepted last. */
  #dropRequest(): void {
    if (this.#remote && !this.#hasEnded) {
      this.#remote.isEndedByService = true;
      this.#save(this.#remote, 'taken');
    }
    this.#endedAt = this.#ports.time.now();
    this.#begin?.();
    this.#flow()?.cancel();
    this.#withdrawRefund(this.#remote, 'cancelled');
  }

  /** A refund waits for a staff member only as long as the service does. */
  #expireRefund(command: StartCommand): void {
    const leftMs = Date.parse(command.expiresAt) - this.#ports.time.now();
    const waitsMs = Math.min(Math.max(leftMs, 0), refundWaitsMs);
    const remote = this.#remote;
    this.#cancelsAt = this.#ports.clock.now() + waitsMs;
    this.#waiting.after(waitsMs, () => this.#withdrawRefund(remote, 'expired'));
  }

  /** Only after the check has finished: the service decides what was authorised. */
  #withdrawRefund(remote: Remote | undefined, why: 'expired' | 'cancelled'): void {
    const refund = remote === this.#remote ? this.#refund() : undefined;
    if (!remote || !refund || refund.isOver()) return;
    if (!refund.isIdle()) {
      this.#waiting.after(retryMs, () => this.#withdrawRefund(remote, why));
      return;
    }
    this.#report({ kind: 'ended', reason: why === 'expired' ? 'expired' : 'staff_cancelled' });
    refund.withdraw(this.#ports.staffDisplay().words.withdrawn[why](remote.requestedBy));
    this.#ports.changed();
  }

  async #accept(command: StartCommand): Promise<void> {
    const until = this.#ports.clock.now() + acceptWithinMs;
    const mayProceed = await this.#acknowledge(command.commandId, 'taken', until);
    const remote = this.#remote;
    if (mayProceed === true) await this.#resultRead(remote);
    if (this.#isStopped) return;
    this.#isAccepting = false;
    if (mayProceed === 'unknown') this.#report({ kind: 'ended', reason: 'interrupted' });
    else if (mayProceed && !remote?.isEndedByService) this.#beginNow(command);
    else this.#forget();
    this.#ports.changed();
  }

  #beginNow(command: StartCommand): void {
    this.#ports.publish({ kind: 'command_accepted', command });
    if (command.kind === 'start_refund') this.#expireRefund(command);
  }

  /** The result on the screen stays long enough to be read, unless this sale was withdrawn. */
  async #resultRead(remote: Remote | undefined): Promise<void> {
    const leftMs = this.#ports.result.heldUntil() - this.#ports.clock.now();
    if (leftMs <= 0 || remote?.isEndedByService) return;
    await new Promise<void>(resolve => {
      const cancel = this.#waiting.after(leftMs, resolve);
      this.#begin = () => {
        cancel();
        resolve();
      };
    });
    this.#begin = undefined;
  }

  skipResult(): boolean {
    this.#begin?.();
    return this.#begin !== undefined;
  }

  /** Whether the sale may start; `unknown` if the service does not respond. */
  async #acknowledge(commandId: string, outcome: 'taken' | 'busy', until = 0): Promise<boolean | 'unknown'> {
    const { connection, clock } = this.#ports;
    for (;;) {
      const response = await connection.call(acknowledgeCommand, { params: { commandId }, body: { outcome } });
      if (response.kind === 'answered') return response.body.proceed;
      if (response.kind === 'refused') return false;
      if (clock.now() >= until || this.#isStopped) return 'unknown';
      await this.#waiting.pause(retryMs);
    }
  }

  #end({ commandId, saleId }: TerminalCommand): void {
    if (this.#remote?.saleId === saleId) {
      this.#dropRequest();
      this.#ports.changed();
    }
    if (this.#queued?.saleId === saleId) this.#queued = undefined;
    this.#run(this.#acknowledge(commandId, 'taken'));
  }

  #flow(): SaleFlow | undefined {
    const { sale } = this.#ports.state;
    return this.#remote && sale?.hasTransaction(this.#remote.saleId) ? sale : undefined;
  }

  #refund(): RefundFlow | undefined {
    const { refund } = this.#ports.state;
    return this.#remote && refund?.givenRequestId() === this.#remote.saleId ? refund : undefined;
  }

  look(): void {
    this.#startQueued();
    if (this.#next && !this.#isReporting && this.#ports.enrolled()) this.#run(this.#deliver());
    const refund = this.#refund();
    if (refund) {
      this.#hasRefund = true;
      const report = reportOfRefund(refund.screen());
      if (report) this.#report(report);
      return;
    }
    if (this.#hasRefund) {
      // The sale was left before anything was requested; otherwise the service knows its outcome.
      this.#hasRefund = false;
      this.#report({ kind: 'ended', reason: 'staff_cancelled' });
    }
    const flow = this.#flow();
    if (!flow) return;
    const ending = flow.ending();
    const screen = flow.screen();
    // The service follows a sale in bitcoin by itself, but not a card payment that replaces it.
    if (screen.name === 'bitcoin_sale') this.#reported = '';
    const stage = stageOfScreen(screen);
    // Only the service withdraws a code; the terminal may learn this before the command that ends the sale.
    if (ending?.why === 'bitcoin_withdrawn' && this.#remote) this.#remote.isEndedByService = true;
    const isCustomers = this.#ports.state.isKiosk() && !this.#remote?.isEndedByService;
    if (ending) this.#report({ kind: 'ended', reason: endReasonOf(ending, { isCustomers }) });
    else if (stage) this.#report({ kind: 'stage', stage });
  }

  #report(report: Report): void {
    const language = this.#ports.chosenByCustomer();
    const next = { report, ...(language === undefined ? {} : { language }) };
    const text = JSON.stringify(next);
    if (text === this.#reported || this.#hasEnded) return;
    this.#hasEnded = report.kind === 'ended';
    this.#reported = text;
    this.#next = next;
    if (!this.#isReporting) this.#run(this.#deliver());
  }

  /** Only the latest report matters: an earlier one that was not delivered is dropped. */
  async #deliver(): Promise<void> {
    this.#isReporting = true;
    try {
      while (this.#next && this.#remote && !this.#isStopped) {
        const next = this.#next;
        const { saleId, runs } = this.#remote;
        this.#reports += 1;
        const body = { sequence: runs * reportsPerRun + this.#reports, ...next };
        const response = await this.#ports.connection.call(reportSaleProgress, { params: { saleId }, body });
        // The terminal was removed from the business: reported once it is enrolled again.
        if (response.kind === 'refused' && response.status === 401) return;
        if (response.kind === 'not_reached' || response.kind === 'unknown') {
          await this.#waiting.pause(retryMs);
          continue;
        }
        if (this.#next === next) this.#next = undefined;
        if (next.report.kind === 'ended' && this.#remote?.saleId === saleId) this.#save(this.#remote, 'reported');
      }
    } finally {
      this.#isReporting = false;
    }
  }

  /** `reported`: the service knows how it ended; the software's name is kept for the result on the screen. */
  #save(remote: Remote | undefined, value: 'taken' | 'reported'): void {
    const snapshot = remote ? { value, context: remote } : null;
    this.#ports.store.saveFlow({ kind: 'remote', snapshot, at: this.#ports.clock.now() });
  }

  #forget(): void {
    this.#remote = this.#previous;
    this.#hasEnded = true;
    this.#save(this.#remote, 'reported');
  }

  #run(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      const saleId = this.#remote?.saleId;
      if (!this.#isStopped)
        this.#ports.log.error({ saleId, error: String(error) }, 'a sale started over the API failed');
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#waiting.stop();
  }
}
