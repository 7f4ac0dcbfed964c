import type { BodyInputOf } from '@florin/shared/contracts/contract.ts';
import {
  createTerminalRefund,
  reportReaderRefund,
  type StaffAuthorisation,
  withdrawTerminalRefund,
} from '@florin/shared/contracts/device-v1/refunds.ts';
import { getSale, type SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import type { Cancel, Clock, Ids, Instant, Log, Timers } from '@florin/shared/ports.ts';
import type { ApprovalAuthorisation, OperationAuthorisation } from '@florin/shared/signing/canonical.ts';
import type { Notice, Screen } from '../../ipc/view.ts';
import type { CardReader } from '../../readers/reader.ts';
import { durableFlow, type PendingAction, type Stored } from '../flows/durable.ts';
import { Waiting } from '../flows/waiting.ts';
import type { ServiceResponse } from '../service/client.ts';
import { type CheckSubject, createStaffCheck, type StaffCheck, type StaffCheckPorts } from '../staff/check.ts';
import type { CheckedStaff } from '../staff/responses.ts';
import type { CoreWords } from '../words.ts';
import { recordEvent, whatBecame } from './inquiry.ts';
import {
  lateVoidBy,
  type RefundContext,
  type RefundEffect,
  type RefundEvent,
  refundMachine,
  storedStates,
} from './machine.ts';
import { returnAtReader } from './reader-return.ts';
import { refundScreen } from './screen.ts';

export type RefundFlowPorts = StaffCheckPorts & {
  readonly reader: CardReader;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
  readonly log: Log;
  readonly changed: () => void;
};

export interface RefundFlow {
  /** Continues the stored flow after a restart. */
  resume(): void;
  screen(): Screen;
  /** Each returns whether the current screen accepts it. */
  enterAmount(amountMinor: number): boolean;
  confirm(): boolean;
  enterStaffNumber(staffNumber: string): boolean;
  enterPassword(password: string): boolean;
  choosePassword(password: string, repeated: string): boolean;
  /** `leave` closes the flow and shows the sale again; `home` closes it from a result. */
  back(): 'stay' | 'leave' | 'home' | 'not_now';
  isOver(): boolean;
  /** Whether nothing is in progress, so that another screen may be shown. */
  isIdle(): boolean;
  /** Ends a request of software before anything is sent; false if something is in progress. */
  withdraw(notice: Notice): boolean;
  sale(): SaleRecord;
  /** Of a void that was refused because the sale has settled: who asked for it; undefined of anything else. */
  lateVoidBy(): CheckedStaff | null | undefined;
  /** Whether this is the flow's request: the reader must then keep its result. */
  hasRequest(requestId: string): boolean;
  /** The software request that this flow carries out. */
  givenRequestId(): string | null;
  reconfigured(): void;
  wake(): void;
  dismiss(): void;
  stop(): void;
}

const sendTimeoutMs = 40_000;
/** Longer than a signed request is valid: after it, a request that was lost can no longer take effect. */
const conclusiveAfterMs = 75_000;
const resends = 3;
const checkPausesMs = [500, 1_000, 2_000, 3_000, 5_000, 10_000];
const followEveryMs = 15_000;
/** How long the keys of a password change are kept without input. */
const newPasswordTimeMs = 3 * 60_000;

/** States in which one step back closes the flow. */
const leavable: ReadonlySet<string> = new Set(['choosingAmount', 'confirming', 'staffId']);

type RecordedRefund = Parameters<typeof recordEvent>[0];
type RefundBody = BodyInputOf<typeof createTerminalRefund>;

/** Opens a new void or refund, or a stored one, which `resume` continues. Its id is stored before it is sent. */
export function openRefundFlow(ports: RefundFlowPorts, from: Stored<RefundContext>): RefundFlow {
  return new RunningRefund(ports, from);
}

class RunningRefund implements RefundFlow {
  readonly #ports: RefundFlowPorts;
  readonly #flow;
  readonly #check: StaffCheck;
  #since: Instant;
  /** Incremented by every step back, so that the result of an abandoned effect is ignored. */
  #run = 0;
  #body: RefundBody | undefined;
  /** What the first person signed, while a second one may approve it. */
  #requested: StaffAuthorisation | undefined;
  #resends = 0;
  #checks = 0;
  #wasStored: boolean;
  #idle: Cancel | undefined;
  readonly #waiting: Waiting;
  #isForgottenByReader = false;
  #stopped = false;

  constructor(ports: RefundFlowPorts, from: Stored<RefundContext>) {
    this.#ports = ports;
    this.#waiting = new Waiting(ports.timers);
    this.#since = ports.clock.now();
    this.#wasStored = storedStates.has(from.value);
    this.#check = createStaffCheck(ports, {
      staff: () => this.#context.staff,
      request: parties => this.#signed(parties),
      operation: () => {
        const { sale, kind, amountMinor } = this.#context;
        const requestedBy = this.#requested?.staffId;
        return { paymentId: sale.paymentId ?? '', operation: kind, amountMinor, requestedBy };
      },
    });
    this.#flow = durableFlow({
      machine: refundMachine,
      from,
      commit: next => this.#commit(next),
      perform: action => this.#perform(action),
      changed: ports.changed,
    });
  }

  resume(): void {
    this.#flow.send({ type: 'RESTARTED', notice: this.#notices.restarted });
  }

  get #context(): RefundContext {
    return this.#flow.snapshot().context;
  }

  get #state(): string {
    return this.#flow.snapshot().value;
  }

  /** States on which money depends are persisted; a state that only holds typed input is not written to disk. */
  #commit(next: Stored<RefundContext>): void {
    const stores = storedStates.has(next.value);
    if (stores || this.#wasStored) {
      this.#ports.store.saveFlow({ kind: 'refund', snapshot: stores ? next : null, at: this.#ports.clock.now() });
    }
    this.#wasStored = stores;
    if (next.value !== this.#state) this.#since = this.#ports.clock.now();
    const { requestId, sale } = next.context;
    this.#ports.log.info({ saleId: sale.saleId, requestId, state: next.value }, 'refund state');
  }

  #perform(action: PendingAction): void {
    if (action.type !== 'effect') return;
    this.#run += 1;
    const effects: Record<RefundEffect, () => void> = {
      identify: () => this.#work(post => this.#check.identify(post)),
      verify: () => this.#work(post => this.#verify(post)),
      changePassword: () => this.#work(post => this.#check.changePassword(post)),
      send: () => this.#work(post => this.#send(post)),
      check: () => this.#work(post => this.#ask(post)),
      forgetSecrets: () => this.#forgetSecrets(),
      followResult: () => this.#work(post => this.#followResult(post)),
    };
    effects[(action.params as { name: RefundEffect }).name]();
  }

  #work(effect: (post: (event: RefundEvent) => void) => Promise<void>): void {
    const run = this.#run;
    const post = (event: RefundEvent) => {
      if (run !== this.#run) return;
      this.#flow.send(event);
      this.#afterEvent();
    };
    effect(post).catch((error: unknown) => {
      if (this.#stopped) return;
      // An exception is a bug: if money may have moved the outcome is looked up, otherwise nothing was sent.
      const { requestId, sale } = this.#context;
      const ids = { saleId: sale.saleId, requestId, state: this.#state };
      this.#ports.log.error({ ...ids, error: String(error) }, 'a step of the refund failed');
      try {
        if (storedStates.has(this.#state)) post({ type: 'SILENT', notice: this.#notices.silent });
        else post({ type: 'RETRY', notice: this.#notices.notReached });
      } catch (again) {
        this.#ports.log.error({ ...ids, error: String(again) }, 'the state of the refund could not be stored');
      }
    });
  }

  #afterEvent(): void {
    this.#refuseDisabled();
    const { lockedUntil } = this.#context;
    if (this.#state === 'lockedOut' && lockedUntil !== null) {
      this.#waiting.after(Math.max(0, lockedUntil - this.#ports.time.now()) + 1_000, () =>
        this.#flow.send({ type: 'UNLOCKED' }),
      );
    }
    this.#idle?.();
    if (this.#state === 'newPassword') {
      this.#idle = this.#waiting.after(newPasswordTimeMs, () =>
        this.#flow.send({ type: 'NOT_IDENTIFIED', notice: this.#notices.timeForNewPasswordOver }),
      );
    }
  }

  #signed(parties: Parameters<CheckSubject['request']>[0]): OperationAuthorisation | ApprovalAuthorisation {
    const { sale, kind, amountMinor: amount } = this.#context;
    const operation = { ...parties, paymentId: sale.paymentId ?? '', kind, amount, currency: sale.currency };
    const requested = this.#requested;
    if (!requested) return { purpose: kind === 'CANCEL' ? 'void' : 'refund', ...operation };
    return { purpose: 'approval', ...operation, requestedBy: requested.staffId, requestNonce: requested.nonce };
  }

  #forgetSecrets(): void {
    this.#check.forget();
    this.#body = undefined;
    if (!this.#context.requester || this.#state === 'result') this.#requested = undefined;
    this.#idle?.();
  }

  get #notices(): CoreWords['notices'] {
    return this.#ports.staffDisplay().words.notices;
  }

  /** Signs the request; the signed body stays in memory until the state that sends it is stored. */
  async #verify(post: (event: RefundEvent) => void): Promise<void> {
    if (this.#context.requester && !this.#requested)
      return post({ type: 'APPROVAL_OVER', notice: this.#notices.approvalExpired });
    const signed = await this.#check.sign();
    if (signed.kind === 'event') {
      post(signed.event);
      return;
    }
    const { authorisation } = signed;
    const requested = this.#requested;
    this.#name(requested ? { authorisation: requested, approval: authorisation } : { authorisation }, post, 'SIGNED');
  }

  #name(
    proof: Pick<RefundBody, 'authorisation' | 'approval'>,
    post: (event: RefundEvent) => void,
    type: 'SIGNED' | 'CONFIRM',
  ): void {
    const { sale, kind, amountMinor } = this.#context;
    const requestId = this.#context.givenRequestId ?? this.#ports.ids.next('req');
    this.#resends = 0;
    this.#checks = 0;
    this.#body = {
      requestId,
      paymentId: sale.paymentId ?? '',
      kind,
      ...(amountMinor === null ? {} : { amountInCents: amountMinor }),
      ...proof,
    };
    const readerBootId = this.#ports.reader.status().bootId ?? null;
    post({ type, requestId, conclusiveAt: this.#ports.time.now() + conclusiveAfterMs, readerBootId });
  }

  async #send(post: (event: RefundEvent) => void): Promise<void> {
    const body = this.#body;
    if (!body) return;
    const response = await this.#ports.connection.call(createTerminalRefund, { body, timeoutMs: sendTimeoutMs });
    if (response.kind === 'not_reached') {
      this.#forgetSecrets();
      post({
        type: 'RETRY',
        notice: this.#context.isProtected ? this.#notices.notReached : this.#notices.notReachedUnprotected,
      });
    } else if (response.kind === 'unknown') {
      post({ type: 'SILENT', notice: this.#notices.silent });
    } else {
      await this.#take(response, post);
    }
  }

  async #take(
    response: Extract<ServiceResponse<typeof createTerminalRefund>, { kind: 'answered' | 'refused' }>,
    post: (event: RefundEvent) => void,
  ): Promise<void> {
    if (response.kind === 'answered') {
      await this.#accept(response.body, post);
      return;
    }
    const event = this.#check.refused(response);
    if (event.type === 'APPROVAL_NEEDED') this.#requested = this.#body?.authorisation;
    // The actions available for the sale have changed, so its current record is shown.
    const sale = event.type === 'REFUSED' ? await this.#freshSale() : null;
    post(event.type === 'REFUSED' ? { ...event, sale } : event);
  }

  async #accept(body: RecordedRefund, post: (event: RefundEvent) => void): Promise<void> {
    const { refund, sale } = body;
    this.#ports.store.saveSales([sale]);
    if (this.#context.refund === null) this.#check.succeeded(refund);
    if (refund.status === 'pending' && sale.authorisedBy === 'reader') return this.#returnAtReader(body, post);
    post(recordEvent(body, this.#ports.staffDisplay()));
  }

  /**
   * The service reserves the amount, the reader that took the payment returns it, and the outcome is reported to the
   * service.
   */
  async #returnAtReader(body: RecordedRefund, post: (event: RefundEvent) => void): Promise<void> {
    const { reader, connection, log } = this.#ports;
    const { requestId, readerBootId: bootId } = this.#context;
    const returned = await returnAtReader(reader, { ...body, requestId: requestId ?? '', bootId });
    log.info({ requestId, outcome: returned.kind }, 'the reader ended a refund');
    this.#isForgottenByReader = returned.kind === 'forgotten';
    if (returned.kind === 'not_yet' || returned.kind === 'forgotten')
      return post(recordEvent(body, this.#ports.staffDisplay()));
    const params = { requestId: requestId ?? '' };
    const response = await connection.call(reportReaderRefund, { params, body: returned });
    if (response.kind !== 'answered') return post({ type: 'SILENT', notice: this.#notices.silent });
    await reader.confirm(params.requestId);
    this.#ports.store.saveSales([response.body.sale]);
    post(recordEvent(response.body, this.#ports.staffDisplay()));
  }

  async #freshSale() {
    const { saleId } = this.#context.sale;
    const response = await this.#ports.connection.call(getSale, { params: { saleId } });
    if (response.kind !== 'answered') return null;
    this.#ports.store.saveSales([response.body]);
    return response.body;
  }

  /** Looks up the outcome of the request. Only the identical request is sent again, and its id makes it idempotent. */
  async #ask(post: (event: RefundEvent) => void): Promise<void> {
    await this.#waiting.pause(checkPausesMs[Math.min(this.#checks, checkPausesMs.length - 1)] ?? 0);
    this.#checks += 1;
    const { requestId } = this.#context;
    const { connection } = this.#ports;
    const body = this.#body;
    const silent = { type: 'SILENT', notice: this.#context.notice ?? this.#notices.silent } as const;
    const asked = await whatBecame(connection, requestId);
    if (asked.kind === 'found') return this.#accept(asked.body, post);
    if (asked.kind === 'silent') return post(silent);
    if (this.#ports.time.now() >= this.#context.conclusiveAt) {
      // Without a password the request does not expire; only a withdrawn request can no longer take effect.
      const withdrawn = await whatBecame(connection, requestId, withdrawTerminalRefund);
      if (withdrawn.kind === 'found') return this.#accept(withdrawn.body, post);
      if (withdrawn.kind === 'silent') return post(silent);
      return post({ type: 'NOT_FOUND', notice: this.#notices.notReceived });
    }
    if (!body || this.#resends >= resends) return post(silent);
    this.#resends += 1;
    const response = await connection.call(createTerminalRefund, { body, timeoutMs: sendTimeoutMs });
    if (response.kind === 'answered') return this.#accept(response.body, post);
    if (response.kind !== 'refused') return post({ type: 'SILENT', notice: this.#notices.silent });
    // The first request may have arrived and used the authorisation: its record decides, not this refusal.
    const again = await whatBecame(connection, requestId);
    if (again.kind === 'found') return this.#accept(again.body, post);
    if (again.kind === 'silent') return post({ type: 'SILENT', notice: this.#notices.silent });
    return this.#take(response, post);
  }

  /** It was left undecided: its screen shows the outcome once the service has it. */
  async #followResult(post: (event: RefundEvent) => void): Promise<void> {
    while (this.#context.outcome === 'pending' && !this.#stopped) {
      await this.#waiting.pause(followEveryMs);
      const asked = await whatBecame(this.#ports.connection, this.#context.requestId);
      if (asked.kind !== 'found' || asked.body.refund.status === 'pending') continue;
      this.#ports.store.saveSales([asked.body.sale]);
      return post(recordEvent(asked.body, this.#ports.staffDisplay()));
    }
  }

  enterAmount(amountMinor: number): boolean {
    if (this.#state !== 'choosingAmount') return false;
    if (amountMinor > this.#context.sale.remainingInCents) {
      return this.#flow.send({ type: 'NOTICE', notice: this.#notices.exceeds });
    }
    return this.#flow.send({ type: 'AMOUNT', amountMinor });
  }

  confirm(): boolean {
    if (this.#state !== 'confirming') return false;
    this.#name({}, event => void this.#flow.send(event), 'CONFIRM');
    return true;
  }

  enterStaffNumber(staffNumber: string): boolean {
    if (this.#state !== 'staffId') return false;
    const { requester } = this.#context;
    if (requester && this.#ports.time.now() >= requester.approvableUntil)
      return this.#flow.send({ type: 'APPROVAL_OVER', notice: this.#notices.approvalExpired });
    if (requester?.staff.staffNumber === staffNumber)
      return this.#flow.send({ type: 'NOT_IDENTIFIED', notice: this.#notices.selfApproval });
    this.#check.setStaffNumber(staffNumber);
    return this.#flow.send({ type: 'STAFF_NUMBER' });
  }

  enterPassword(password: string): boolean {
    if (this.#state !== 'password') return false;
    this.#check.setPassword(password);
    return this.#flow.send({ type: 'PASSWORD' });
  }

  choosePassword(password: string, repeated: string): boolean {
    if (this.#state !== 'newPassword') return false;
    const problem = this.#check.setNewPassword(password, repeated);
    return this.#flow.send(problem ? { type: 'NOTICE', notice: problem } : { type: 'NEW_PASSWORD' });
  }

  back(): 'stay' | 'leave' | 'home' | 'not_now' {
    const state = this.#state;
    if (state === 'result') return 'home';
    if (state === 'checking') {
      if (!this.#mayLeave()) return 'not_now';
      // Leaves the screen only: the service resolves whatever arrived.
      this.#run += 1;
      const { leftPending, leftSilent } = this.#notices;
      this.#flow.send({ type: 'LEAVE', notice: this.#context.refund ? leftPending : leftSilent });
      return 'stay';
    }
    if (this.#flow.takes({ type: 'BACK' })) {
      this.#run += 1;
      this.#flow.send({ type: 'BACK' });
      return 'stay';
    }
    return leavable.has(state) ? 'leave' : 'not_now';
  }

  /** As long as it is unknown whether the request arrived, leaving the screen would allow a second refund. */
  #mayLeave(): boolean {
    const { refund, conclusiveAt } = this.#context;
    if (this.#state !== 'checking') return false;
    // Only this terminal can report what the reader returned.
    if (refund !== null && this.#context.sale.authorisedBy === 'reader') return this.#isForgottenByReader;
    return refund !== null || this.#ports.time.now() >= conclusiveAt;
  }

  withdraw(notice: Notice): boolean {
    return this.isIdle() && this.#flow.send({ type: 'WITHDRAWN', notice });
  }

  isIdle(): boolean {
    return leavable.has(this.#state) || ['password', 'newPassword', 'lockedOut'].includes(this.#state);
  }

  reconfigured(): void {
    this.#refuseDisabled();
    const { business } = this.#ports.configuration();
    if (business.passwordProtectRefundsAndVoids || !this.#flow.takes({ type: 'UNPROTECTED' })) return;
    this.#run += 1;
    this.#flow.send({ type: 'UNPROTECTED' });
    this.#forgetSecrets();
  }

  /** No password is asked of a person who may authorise nothing; nothing of theirs was sent yet. */
  #refuseDisabled(): void {
    const notice = this.#check.disabledNotice();
    if (notice && this.isIdle()) this.#flow.send({ type: 'NOT_IDENTIFIED', notice });
  }

  lateVoidBy(): CheckedStaff | null | undefined {
    return lateVoidBy(this.#context);
  }

  hasRequest(requestId: string): boolean {
    return this.#context.requestId === requestId;
  }

  givenRequestId(): string | null {
    return this.#context.givenRequestId ?? null;
  }

  sale(): SaleRecord {
    return this.#context.sale;
  }

  isOver(): boolean {
    return this.#state === 'result';
  }

  wake(): void {
    this.#waiting.wake();
  }

  dismiss(): void {
    this.stop();
    if (this.#wasStored) this.#ports.store.saveFlow({ kind: 'refund', snapshot: null, at: this.#ports.clock.now() });
  }

  stop(): void {
    this.#stopped = true;
    this.#run += 1;
    this.#flow.stop();
    this.#forgetSecrets();
    this.#waiting.stop();
  }

  screen(): Screen {
    const { value, context } = this.#flow.snapshot();
    const displaySettings = this.#ports.staffDisplay();
    return refundScreen({ state: value, context, since: this.#since, mayLeave: this.#mayLeave(), displaySettings });
  }
}
