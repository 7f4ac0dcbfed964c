import { changeTerminalMode } from '@florin/shared/contracts/device-v1/mode.ts';
import type { TerminalMode } from '@florin/shared/contracts/terminal-mode.ts';
import type { Instant, Log } from '@florin/shared/ports.ts';
import type { Notice, Screen } from '../../ipc/view.ts';
import type { Publish } from '../facts.ts';
import { createStaffCheck, type StaffCheck, type StaffCheckPorts } from '../staff/check.ts';
import type { CheckedStaff, StaffEvent } from '../staff/responses.ts';
import type { CoreWords } from '../words.ts';
import { withoutMoney } from './words.ts';

export type ModeChangePorts = StaffCheckPorts & {
  readonly log: Log;
  readonly changed: () => void;
  readonly publish: Publish;
};

type Step = 'staffId' | 'password' | 'newPassword' | 'lockedOut';

/**
 * A manager switches kiosk mode on or off. The service decides on the manager's signature, so the change needs a
 * connection. Nothing is persisted: after a restart the terminal keeps its previous mode.
 */
export class ModeChange {
  readonly #ports: ModeChangePorts;
  readonly #mode: TerminalMode;
  readonly #check: StaffCheck;
  #step: Step = 'staffId';
  #isBusy = false;
  #entry = 0;
  #staff: CheckedStaff | null = null;
  #notice: Notice | null = null;
  /** Whether the notice says that the service was not reached. */
  #isNotReached = false;
  #lockedUntil: Instant | null = null;
  /** Incremented by every step back, so that the response to an abandoned request is ignored. */
  #run = 0;

  constructor(ports: ModeChangePorts, mode: TerminalMode) {
    this.#ports = ports;
    this.#mode = mode;
    this.#check = createStaffCheck(ports, {
      staff: () => this.#staff,
      request: parties => ({ purpose: 'mode', ...parties, mode: this.#mode }),
      operation: () => null,
    });
  }

  get #words(): CoreWords {
    return this.#ports.staffDisplay().words;
  }

  screen(): Screen {
    const authorised = { kind: this.#mode === 'kiosk' ? ('ENTER_KIOSK' as const) : ('LEAVE_KIOSK' as const) };
    const busy = this.#isBusy;
    const notice = this.#notice;
    const staffName = this.#staff?.name ?? '';
    switch (this.#step) {
      case 'staffId':
        return { name: 'staff_id', authorised, entry: this.#entry, busy, notice };
      case 'password':
        return { name: 'staff_password', authorised, staffName, busy, notice };
      case 'newPassword':
        return { name: 'new_password', authorised, staffName, busy, notice };
      case 'lockedOut': {
        const why = notice ?? this.#words.modes.notReached;
        return { name: 'locked_out', authorised, notice: why, lockedUntil: this.#lockedUntil };
      }
    }
  }

  /** A manager was identified, or is about to be: their password must not be asked for by something else. */
  isInUse(): boolean {
    return this.#isBusy || this.#step !== 'staffId';
  }

  enterStaffNumber(staffNumber: string): boolean {
    if (this.#step !== 'staffId' || this.#isBusy) return false;
    this.#check.setStaffNumber(staffNumber);
    return this.#work(post => this.#check.identify(post));
  }

  enterPassword(password: string): boolean {
    if (this.#step !== 'password' || this.#isBusy) return false;
    this.#check.setPassword(password);
    return this.#work(post => this.#send(post));
  }

  choosePassword(password: string, repeated: string): boolean {
    if (this.#step !== 'newPassword' || this.#isBusy) return false;
    const problem = this.#check.setNewPassword(password, repeated);
    if (problem) {
      this.#show('newPassword', problem);
      return true;
    }
    return this.#work(post => this.#check.changePassword(post));
  }

  /** The business's staff may have been changed: no password is asked of a person who may authorise nothing. */
  reconfigured(): void {
    const notice = this.#check.disabledNotice();
    if (notice && !this.#isBusy) this.#toStaffId(notice);
  }

  /** The service is reached again: a notice that it was not is no longer true. */
  reconnected(): void {
    if (this.#step !== 'lockedOut' && this.#isNotReached) this.#show(this.#step, null);
  }

  /** Returns false if the flow is to be closed. */
  back(): boolean {
    if (this.#step === 'staffId' && !this.#isBusy) return false;
    this.#run += 1;
    this.#toStaffId(null);
    return true;
  }

  stop(): void {
    this.#run += 1;
    this.#check.forget();
  }

  #show(step: Step, notice: Notice | null): void {
    this.#step = step;
    this.#isBusy = false;
    this.#notice = notice && withoutMoney(notice, this.#words);
    this.#isNotReached = notice !== null && this.#notice === this.#words.modes.notReached;
    this.#ports.changed();
  }

  #toStaffId(notice: Notice | null): void {
    this.#check.forget();
    this.#staff = null;
    this.#entry += 1;
    this.#show('staffId', notice);
  }

  #work(effect: (post: (event: StaffEvent) => void) => Promise<void>): true {
    this.#run += 1;
    const run = this.#run;
    this.#isBusy = true;
    this.#notice = null;
    this.#isNotReached = false;
    this.#ports.changed();
    effect(event => {
      if (run === this.#run) this.#take(event);
    }).catch((error: unknown) => {
      if (run !== this.#run) return;
      this.#ports.log.error({ error: String(error) }, 'the change of mode failed');
      this.#toStaffId(this.#words.modes.notReached);
    });
    return true;
  }

  #take(event: StaffEvent): void {
    switch (event.type) {
      case 'IDENTIFIED':
        this.#staff = event.staff;
        this.#show('password', null);
        this.reconfigured();
        return;
      case 'NOT_IDENTIFIED':
      case 'REFUSED':
      case 'APPROVAL_NEEDED':
      case 'APPROVAL_OVER':
        this.#toStaffId(event.notice);
        return;
      case 'LOCKED':
        this.#lockedUntil = event.lockedUntil;
        this.#check.forget();
        this.#show('lockedOut', event.notice);
        return;
      case 'RETRY':
        this.#show('password', event.notice);
        return;
      case 'CHANGE_PASSWORD':
        this.#show('newPassword', null);
        return;
      case 'NOTICE':
        this.#show(this.#step, event.notice);
        return;
      case 'CHANGED':
        this.#staff = this.#staff && { ...this.#staff, mustChangePassword: false };
        this.#work(post => this.#send(post));
        return;
    }
  }

  async #send(post: (event: StaffEvent) => void): Promise<void> {
    const signed = await this.#check.sign();
    if (signed.kind === 'event') return post(signed.event);
    const body = { mode: this.#mode, authorisation: signed.authorisation };
    const response = await this.#ports.connection.call(changeTerminalMode, { body });
    if (response.kind === 'answered') return this.#finish();
    // If the request did arrive, the next sync brings the new mode.
    this.#ports.triggerSync();
    if (response.kind !== 'refused') return post({ type: 'RETRY', notice: this.#words.modes.notReached });
    const event = this.#check.refused(response);
    const isNoManager = response.reason === 'manager_required';
    post(isNoManager ? { type: 'NOT_IDENTIFIED', notice: this.#words.modes.managerRequired } : event);
  }

  #finish(): void {
    const configuration = this.#ports.configuration();
    const terminal = { ...configuration.terminal, mode: this.#mode };
    this.#check.passed();
    this.stop();
    this.#ports.publish({ kind: 'mode_changed' });
    this.#ports.configurationChanged({ ...configuration, terminal });
    this.#ports.triggerSync();
  }
}
