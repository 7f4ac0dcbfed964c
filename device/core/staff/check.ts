import type { RefundRecord } from '@florin/shared/contracts/api-v1/refunds.ts';
import type { JsonResponseOf } from '@florin/shared/contracts/contract.ts';
import type { StaffMember, TerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import {
  changeStaffPassword,
  createStaffChallenge,
  type StaffAuthorisation,
} from '@florin/shared/contracts/device-v1/refunds.ts';
import { formatMoney } from '@florin/shared/money.ts';
import { type Instant, type Random, type Timers, wait } from '@florin/shared/ports.ts';
import type { StaffAuthorisationRequest } from '@florin/shared/signing/canonical.ts';
import type { KeyPair } from '@florin/shared/signing/ed25519.ts';
import type { Notice } from '../../ipc/view.ts';
import type { Refused } from '../service/client.ts';
import type { Store } from '../store/store.ts';
import type { Connection } from '../sync/connection.ts';
import type { CoreWords, DisplaySettings } from '../words.ts';
import { deriveStaffKey, passwordProblem, signAuthorisation } from './keys.ts';
import type { Lockouts } from './lockouts.ts';
import type { CheckedOperation, OfflineChecks } from './offline.ts';
import {
  type CheckedStaff,
  isTerminalLocked,
  lockedUntilOf,
  type NoticeContext,
  refusalEvent,
  type StaffEvent,
} from './responses.ts';
import { type TrustedTime, timeAtBusiness } from './time.ts';
import { incorrectPassword, limitNotice, lockedOut } from './words.ts';

type Challenge = JsonResponseOf<typeof createStaffChallenge>['body'];

export type StaffCheckPorts = {
  readonly store: Store;
  readonly connection: Connection;
  readonly configuration: () => TerminalConfiguration;
  /** The language of staff, and how amounts and times beside it are written. */
  readonly staffDisplay: () => DisplaySettings;
  /** Stores the change that this terminal already knows about. */
  readonly configurationChanged: (configuration: TerminalConfiguration) => void;
  readonly lockouts: Lockouts;
  readonly offlineChecks: OfflineChecks;
  readonly time: TrustedTime;
  readonly random: Random;
  readonly timers: Timers;
  /** Delivers pending reports and outbox entries before a new request. */
  readonly flush: () => Promise<boolean>;
  /** Something waits to be synced, or the service changed its staff records. */
  readonly triggerSync: () => void;
};

type Signed =
  | { readonly kind: 'signed'; readonly authorisation: StaffAuthorisation }
  | { readonly kind: 'event'; readonly event: StaffEvent };
/** The credential of one check: the typed password, or the key derived from a password that was just changed. */
type Typed = {
  readonly attempt: number;
  readonly password: string | undefined;
  readonly key: KeyPair | undefined;
};
type Post = (event: StaffEvent) => void;

const challengeTries = 3;
const challengePauseMs = 10_000;

/** At the staff ID step there is no password to type again and no refund to refuse. */
function atStaffId(event: StaffEvent): StaffEvent {
  return event.type === 'RETRY' || event.type === 'REFUSED' ? { type: 'NOT_IDENTIFIED', notice: event.notice } : event;
}

/** A nonce with less time left would expire before the response. */
const nonceSlackMs = 15_000;

/**
 * The authorisation of a staff member: staff ID, password, derived key and count of wrong passwords. The only place
 * that holds a password or a derived key, and only until the request is signed or, for a first password change, until
 * the change has succeeded.
 */
export interface StaffCheck {
  setStaffNumber(staffNumber: string): void;
  setPassword(password: string): void;
  /** Why the new password is not allowed; undefined if it may be sent. */
  setNewPassword(password: string, repeated: string): Notice | undefined;
  identify(post: Post): Promise<void>;
  sign(): Promise<Signed>;
  changePassword(post: Post): Promise<void>;
  /** Counts the service's refusal of the signed content, and says what comes of it. */
  refused(refusal: Refused): StaffEvent;
  succeeded(refund: RefundRecord): void;
  /** The password was correct; no refund was requested yet. */
  passed(): void;
  /** That the identified person is disabled, as of the last sync; undefined if not. */
  disabledNotice(): Notice | undefined;
  forget(): void;
}

/** The operation to be authorised. */
export type CheckSubject = {
  readonly staff: () => CheckedStaff | null;
  /** The content to be signed with the password's key. */
  readonly request: (parties: Parties) => StaffAuthorisationRequest;
  /** What an offline check is recorded for; null if nothing is checked offline. */
  readonly operation: () => CheckedOperation | null;
};
type Parties = Pick<StaffAuthorisationRequest, 'businessId' | 'deviceId' | 'staffId' | 'nonce' | 'issuedAt'>;

/** The staff check of one void, refund or change of mode. Several staff members may try it one after another. */
export function createStaffCheck(ports: StaffCheckPorts, subject: CheckSubject): StaffCheck {
  return new Check(ports, subject);
}

class Check implements StaffCheck {
  readonly #ports: StaffCheckPorts;
  readonly #subject: CheckSubject;
  #staffNumber = '';
  /** Changes with every entry, so that work started for one person or password never affects the next. */
  #attempt = 0;
  #challenge: Challenge | undefined;
  #password: string | undefined;
  #newPassword: string | undefined;
  /** The key derived from the typed password. */
  #key: KeyPair | undefined;

  constructor(ports: StaffCheckPorts, subject: CheckSubject) {
    this.#ports = ports;
    this.#subject = subject;
  }

  setStaffNumber(staffNumber: string): void {
    this.forget();
    this.#staffNumber = staffNumber;
  }

  setPassword(password: string): void {
    this.#attempt += 1;
    this.#password = password;
    this.#key = undefined;
  }

  setNewPassword(password: string, repeated: string): Notice | undefined {
    const staffNumber = this.#subject.staff()?.staffNumber ?? '';
    const problem = passwordProblem({ password, repeated, staffNumber });
    if (problem) return this.#ports.staffDisplay().words.passwords[problem];
    this.#newPassword = password;
    return undefined;
  }

  forget(): void {
    this.#attempt += 1;
    this.#challenge = undefined;
    this.#password = undefined;
    this.#newPassword = undefined;
    this.#key = undefined;
  }

  #member(): StaffMember | undefined {
    const id = this.#subject.staff()?.id;
    return this.#ports.configuration().staff.find(member => member.id === id);
  }

  disabledNotice(): Notice | undefined {
    return this.#member()?.isDisabled ? this.#notices.staffDisabled : undefined;
  }

  #lockedEvent(until: Instant, staffName = this.#staffName()): StaffEvent {
    const { words, clockTime } = this.#noticeContext();
    return { type: 'LOCKED', lockedUntil: until, notice: lockedOut(clockTime(until), { words, staffName }) };
  }

  #incorrectPassword(member: StaffMember | undefined): StaffEvent {
    const triesLeft = member ? this.#ports.lockouts.triesLeft(member) : null;
    return { type: 'RETRY', notice: incorrectPassword(triesLeft, this.#ports.staffDisplay().words) };
  }

  #staffName(): string | null {
    return this.#subject.staff()?.name ?? null;
  }

  #noticeContext(): NoticeContext {
    const { timeZone, currency } = this.#ports.configuration().business;
    const { words, locale } = this.#ports.staffDisplay();
    const now = this.#ports.time.now();
    return {
      words,
      now,
      staffName: this.#staffName(),
      clockTime: at => timeAtBusiness({ at, now, timeZone, locale }),
      money: amountMinor => formatMoney({ amountMinor, currency }, locale),
    };
  }

  get #notices(): CoreWords['notices'] {
    return this.#ports.staffDisplay().words.notices;
  }

  async identify(post: Post): Promise<void> {
    const { configuration, lockouts, store } = this.#ports;
    const staffNumber = this.#staffNumber;
    const known = configuration().staff.find(member => member.staffNumber === staffNumber);
    if (known?.isDisabled) return post({ type: 'NOT_IDENTIFIED', notice: this.#notices.staffDisabled });
    // Failures counted here are reported first, so that the service and the terminal have the same count.
    if (store.outboxSize() > 0) await this.#ports.flush();
    const until = known ? lockouts.lockedUntil(known) : null;
    if (until !== null) return post(this.#lockedEvent(until, known?.name));
    const asked = await this.#newChallenge(staffNumber);
    if (asked.kind === 'event') return post(atStaffId(asked.event));
    if (asked.kind === 'challenge') {
      const { staffId: id, name, passwordIsTemporary: mustChangePassword } = asked.challenge;
      return post({ type: 'IDENTIFIED', staff: { id, name, staffNumber, mustChangePassword } });
    }
    if (!this.#subject.operation()) return post({ type: 'NOT_IDENTIFIED', notice: this.#notices.notReachedAtStaffId });
    if (!known) return post({ type: 'NOT_IDENTIFIED', notice: this.#notices.staffIdNotKnownHere });
    if (lockouts.areSuspect()) return post({ type: 'LOCKED', lockedUntil: null, notice: this.#notices.storageChanged });
    const { id, name, passwordIsTemporary: mustChangePassword } = known;
    post({ type: 'IDENTIFIED', staff: { id, name, staffNumber, mustChangePassword } });
  }

  async #newChallenge(
    staffNumber: string,
  ): Promise<
    { kind: 'challenge'; challenge: Challenge } | { kind: 'event'; event: StaffEvent } | { kind: 'not_reached' }
  > {
    const attempt = this.#attempt;
    const response = await this.#askForChallenge(staffNumber);
    if (response.kind === 'answered') {
      this.#ports.time.learn(Date.parse(response.body.serverTime));
      if (attempt === this.#attempt) this.#challenge = response.body;
      return { kind: 'challenge', challenge: response.body };
    }
    // A challenge moves no money, so a timeout counts as not reached.
    if (response.kind !== 'refused') return { kind: 'not_reached' };
    const event = refusalEvent(response, this.#noticeContext());
    const until = lockedUntilOf(response, this.#ports.time.now());
    const known = this.#ports.configuration().staff.find(member => member.staffNumber === staffNumber);
    if (event.type === 'LOCKED' && until !== null && known && !isTerminalLocked(response))
      this.#ports.lockouts.recordLock(known.id, until);
    return { kind: 'event', event };
  }

  /** Fast typing can exceed the rate limit for challenges; the terminal then waits, not the person. */
  async #askForChallenge(staffNumber: string) {
    for (let tries = 1; ; tries += 1) {
      const response = await this.#ports.connection.call(createStaffChallenge, { body: { staffNumber } });
      const isLimited = response.kind === 'refused' && response.status === 429 && response.reason === null;
      if (!isLimited || tries >= challengeTries) return response;
      const { retryAfterSeconds } = response.metadata;
      const pauseMs = typeof retryAfterSeconds === 'number' ? retryAfterSeconds * 1_000 : challengePauseMs;
      await wait(this.#ports.timers, Math.min(pauseMs, challengePauseMs));
    }
  }

  #challengeInHand(staffId: string): Challenge | undefined {
    const challenge = this.#challenge;
    if (challenge?.staffId !== staffId) return undefined;
    return Date.parse(challenge.expiresAt) - this.#ports.time.now() < nonceSlackMs ? undefined : challenge;
  }

  async sign(): Promise<Signed> {
    const staff = this.#subject.staff();
    const member = this.#member();
    const typed = this.#takeTyped();
    if (!staff) return { kind: 'event', event: { type: 'NOT_IDENTIFIED', notice: this.#notices.expired } };
    const disabled = this.disabledNotice();
    if (disabled) return { kind: 'event', event: { type: 'NOT_IDENTIFIED', notice: disabled } };
    const until = member ? this.#ports.lockouts.lockedUntil(member) : null;
    if (until !== null) return { kind: 'event', event: this.#lockedEvent(until) };
    const inHand = this.#challengeInHand(staff.id);
    const asked = inHand
      ? { kind: 'challenge' as const, challenge: inHand }
      : await this.#newChallenge(staff.staffNumber);
    if (asked.kind === 'event') return asked;
    if (asked.kind === 'not_reached') return { kind: 'event', event: await this.#decideHere(member, typed) };
    const { challenge } = asked;
    // The staff number may have been reassigned since it was typed.
    if (challenge.staffId !== staff.id) {
      return { kind: 'event', event: { type: 'NOT_IDENTIFIED', notice: this.#notices.expired } };
    }
    // A nonce works once, whatever the outcome, so the next signature needs a new one.
    if (this.#challenge === challenge) this.#challenge = undefined;
    const key = await this.#keyOf(typed, challenge);
    if (!key) return { kind: 'event', event: { type: 'RETRY', notice: this.#notices.expired } };
    return {
      kind: 'signed',
      authorisation: signAuthorisation(
        key,
        this.#subject.request({
          ...this.#parties(staff.id),
          nonce: challenge.nonce,
          issuedAt: new Date(this.#ports.time.now()).toISOString(),
        }),
      ),
    };
  }

  #parties(staffId: string) {
    const { business, terminal } = this.#ports.configuration();
    return { businessId: business.id, deviceId: terminal.id, staffId };
  }

  /** The typed password is used for one check and not kept. */
  #takeTyped(): Typed {
    const typed = { attempt: this.#attempt, password: this.#password, key: this.#key };
    this.#password = undefined;
    return typed;
  }

  async #keyOf(typed: Typed, derivation: Pick<Challenge, 'salt' | 'argon2'>): Promise<KeyPair | undefined> {
    const { attempt, password } = typed;
    if (password === undefined) return typed.key;
    const key = await deriveStaffKey({ password, salt: derivation.salt, argon2: derivation.argon2 });
    if (attempt === this.#attempt) this.#key = key;
    return key;
  }

  /**
   * Without a connection the password, the permission and the limits are checked against the last synced data, and the
   * check is recorded. An offline check never authorises anything.
   */
  async #decideHere(member: StaffMember | undefined, typed: Typed): Promise<StaffEvent> {
    const { offlineChecks, lockouts } = this.#ports;
    const operation = this.#subject.operation();
    if (!operation) return { type: 'RETRY', notice: this.#notices.notReached };
    if (lockouts.areSuspect()) return { type: 'LOCKED', lockedUntil: null, notice: this.#notices.storageChanged };
    if (!member) return { type: 'NOT_IDENTIFIED', notice: this.#notices.notReachedAtStaffId };
    const key = await this.#keyOf(typed, member);
    if (typed.attempt === this.#attempt) this.#key = undefined;
    if (key?.publicKey !== member.publicKey) {
      this.#decide(member, { status: 'failed', reason: 'invalid_signature' }, lockouts.afterFailure(member));
      const until = lockouts.lockedUntil(member);
      return until === null ? this.#incorrectPassword(member) : this.#lockedEvent(until, member.name);
    }
    lockouts.recordSuccess(member.id);
    if (!member.mayRefundAndVoid) {
      this.#decide(member, { status: 'failed', reason: 'permission_denied' });
      return { type: 'NOT_IDENTIFIED', notice: this.#notices.permissionDenied };
    }
    if (member.passwordIsTemporary) {
      this.#decide(member, { status: 'failed', reason: 'permission_denied', detail: 'password_change_required' });
      return { type: 'RETRY', notice: this.#notices.notReached };
    }
    const broken = offlineChecks.limitBroken(member, operation);
    if (broken) {
      const { reason } = broken;
      this.#decide(member, { status: reason, reason });
      return { type: 'NOT_IDENTIFIED', notice: limitNotice(broken, this.#noticeContext()) };
    }
    this.#decide(member, { status: 'failed', reason: 'permission_denied', detail: 'service_unreachable' });
    return { type: 'RETRY', notice: this.#notices.notReached };
  }

  #decide(
    member: StaffMember,
    decision: Parameters<OfflineChecks['record']>[2],
    lockout: Parameters<OfflineChecks['record']>[3] = null,
  ): void {
    const operation = this.#subject.operation();
    if (operation) this.#ports.offlineChecks.record(member, operation, decision, lockout);
    this.#ports.triggerSync();
  }

  async changePassword(post: Post): Promise<void> {
    const { connection, random, configuration } = this.#ports;
    const oldKey = this.#key;
    const password = this.#newPassword;
    const staff = this.#subject.staff();
    if (!oldKey || !staff || password === undefined)
      return post({ type: 'NOT_IDENTIFIED', notice: this.#notices.timeForNewPasswordOver });
    const asked = await this.#newChallenge(staff.staffNumber);
    if (asked.kind === 'not_reached') return post({ type: 'NOTICE', notice: this.#notices.passwordNotReached });
    if (asked.kind === 'event') return post(asked.event);
    const { staffId, argon2, nonce } = asked.challenge;
    this.#challenge = undefined;
    // With a new salt the service could not tell that the new password equals the old one.
    const same = await deriveStaffKey({ password, salt: asked.challenge.salt, argon2 });
    if (same.publicKey === oldKey.publicKey) return post({ type: 'NOTICE', notice: this.#notices.passwordUnchanged });
    const salt = Buffer.from(random.bytes(16)).toString('base64');
    const newKey = await deriveStaffKey({ password, salt, argon2 });
    const authorisation = signAuthorisation(oldKey, {
      purpose: 'password',
      ...this.#parties(staffId),
      newPublicKey: newKey.publicKey,
      newSalt: salt,
      newArgon2: argon2,
      nonce,
      issuedAt: new Date(this.#ports.time.now()).toISOString(),
    });
    const response = await connection.call(changeStaffPassword, {
      params: { staffId },
      body: { publicKey: newKey.publicKey, salt, argon2, authorisation },
    });
    const isChanged =
      response.kind === 'answered' ||
      (response.kind === 'unknown' && (await this.#saltInUse(staff.staffNumber)) === salt);
    if (isChanged) {
      this.#newPassword = undefined;
      this.#key = newKey;
      this.#adopt(configuration(), staffId, { publicKey: newKey.publicKey, salt, argon2, passwordIsTemporary: false });
      this.#ports.triggerSync();
      return post({ type: 'CHANGED' });
    }
    if (response.kind === 'refused')
      return post(this.#changeRefused(refusalEvent(response, this.#noticeContext()), response.reason));
    post({ type: 'NOTICE', notice: this.#notices.passwordNotReached });
  }

  #changeRefused(event: StaffEvent, reason: string | null): StaffEvent {
    if (reason === 'password_unchanged') return { type: 'NOTICE', notice: this.#notices.passwordUnchanged };
    if (event.type === 'RETRY' || event.type === 'LOCKED' || event.type === 'NOT_IDENTIFIED') return event;
    return { type: 'NOTICE', notice: event.type === 'REFUSED' ? event.notice : this.#notices.expired };
  }

  /**
   * After a password change without a response: the salt the service now reports shows whether the change was applied.
   */
  async #saltInUse(staffNumber: string): Promise<string | undefined> {
    const asked = await this.#newChallenge(staffNumber);
    return asked.kind === 'challenge' ? asked.challenge.salt : undefined;
  }

  /** The local copy is updated at once, so that the new password also works if the connection is lost right away. */
  #adopt(configuration: TerminalConfiguration, staffId: string, change: Partial<StaffMember>): void {
    const staff = configuration.staff.map(member => (member.id === staffId ? { ...member, ...change } : member));
    this.#ports.configurationChanged({ ...configuration, staff });
  }

  refused(refusal: Refused): StaffEvent {
    const { reason } = refusal;
    const event = refusalEvent(refusal, this.#noticeContext());
    // If a new password must still be chosen, the old key signs the new one; otherwise the old key is dropped.
    if (reason !== 'password_change_required') this.#key = undefined;
    else this.#clearCount();
    this.#ports.triggerSync();
    const { lockouts } = this.#ports;
    const member = this.#member();
    if (event.type === 'RETRY' && reason === 'invalid_signature') {
      const until = member ? lockouts.recordFailure(member) : null;
      return until === null ? this.#incorrectPassword(member) : this.#lockedEvent(until);
    }
    if (event.type === 'LOCKED' && event.lockedUntil !== null && member && !isTerminalLocked(refusal))
      lockouts.recordLock(member.id, event.lockedUntil);
    return event;
  }

  succeeded(refund: RefundRecord): void {
    this.#clearCount();
    const member = this.#member();
    const counts = refund.status === 'approved' || refund.status === 'pending';
    if (member && counts && refund.kind === 'REFUND_SALE') {
      this.#ports.offlineChecks.count(member, refund.amountInCents ?? 0);
    }
  }

  passed(): void {
    this.#clearCount();
  }

  #clearCount(): void {
    const member = this.#member();
    if (member) this.#ports.lockouts.recordSuccess(member.id);
  }
}
