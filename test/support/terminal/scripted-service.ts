import { randomBytes } from 'node:crypto';
import { deriveStaffKey } from '@florin/device/core/staff/keys.ts';
import type { RefundRecord } from '@florin/shared/contracts/api-v1/refunds.ts';
import type { StaffMember, TerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import type { StaffAuthorisation } from '@florin/shared/contracts/device-v1/refunds.ts';
import type { SaleRecord, SaleReversal } from '@florin/shared/contracts/device-v1/sales.ts';
import { outboxEntry } from '@florin/shared/contracts/device-v1/sync.ts';
import {
  type ApprovalAuthorisation,
  canonicalAuthorisation,
  canonicalOutboxEntry,
  type OperationAuthorisation,
  type PasswordAuthorisation,
} from '@florin/shared/signing/canonical.ts';
import { verifyText } from '@florin/shared/signing/ed25519.ts';
import { type RefundRequest, ScriptedApprovals, signedSubject } from './scripted-approvals.ts';
import { ScriptedReaderDays } from './scripted-reader-days.ts';
import { type Answer, type Call, Refusal, ScriptedServer } from './scripted-server.ts';
import {
  acting,
  authorisedRecord,
  type BankAnswer,
  corner,
  dayTotalsOf,
  decidedRecord,
  earlyReversal,
  pendingRefund,
  returnOf,
  reversedRecord,
  salesFound,
} from './service-records.ts';
import { refuseByState, staffRefusal } from './service-refusals.ts';

const costs = { memoryKibibytes: 19_456, passes: 2, parallelism: 1 };

type Sale = { record: SaleRecord; completed: boolean };
/**
 * The payments service as the device contracts describe it, over real HTTP, with a ledger of every request that reached
 * the bank. Each answer is checked against its contract. Tests choose the bank's answers and which messages are lost.
 */
export class ScriptedService extends ScriptedServer {
  readonly readerDays = new ScriptedReaderDays();
  readonly sales = new Map<string, Sale>();
  /** The tokens of receipts by the id of their sale. */
  readonly receiptTokens = new Map<string, string>();
  readonly #records = () => [...this.sales.values()].map(sale => sale.record);
  readonly refunds = new Map<string, { refund: RefundRecord; saleId: string }>();
  readonly withdrawn = new Set<string>();
  /** Authorisations that reached the bank, by sale: never more than one. */
  readonly bankCalls = new Map<string, number>();
  /** Refunds and voids that moved money, by request: never more than one. */
  readonly moneyMoves = new Map<string, number>();
  readonly entries: unknown[] = [];
  readonly acknowledgements: { entryId: string; outcome: string }[] = [];
  bankOutcome: BankAnswer = 'approved';
  refundOutcome: RefundRecord['status'] = 'approved';
  /** The state of a reversal right after it was requested. */
  reversalBecomes: SaleReversal['status'] = 'voided';
  enrolmentCode = 'ABCD-EFGH-JKMN';
  now: () => number;
  configuration!: TerminalConfiguration;
  readonly #staff = new Map<string, StaffMember>();
  readonly approvals = new ScriptedApprovals(() => this.now());
  readonly #nonces = new Map<string, { staffId: string; expiresAt: number }>();
  /** Ids of entries that it refuses. */
  readonly refusesEntries = new Set<string>();
  /** The id of an entry that makes a sync fail. */
  failsOver: string | undefined;
  #version = 1;
  #mode: 'staff' | 'kiosk' = 'staff';
  #enrolments = 1;
  #token = '';
  #terminalKey = '';

  constructor(options: { now: () => number }) {
    super();
    this.now = options.now;
  }

  override async start(): Promise<void> {
    await super.start();
    this.#configure();
  }

  protected isEnrolled(authorization: string | undefined): boolean {
    return authorization === `Bearer ${this.#token}`;
  }

  protected handle(operation: string, call: Call): Answer {
    const handler = this.#handlers[operation];
    if (!handler) throw new Error(`no handler for ${operation}`);
    return handler(call);
  }

  async addStaff(options: {
    staffNumber: string;
    password: string;
    temporary?: boolean;
    may?: boolean;
    perTransaction?: number;
    daily?: number;
  }): Promise<string> {
    const salt = randomBytes(16);
    const id = `staff_${options.staffNumber.padStart(8, '0')}`;
    const publicKey = await publicKeyOf(options.password, salt);
    this.#staff.set(id, {
      id,
      staffNumber: options.staffNumber,
      name: `Staff ${options.staffNumber}`,
      mayRefundAndVoid: options.may ?? true,
      isDisabled: false,
      perTransactionLimitMinor: options.perTransaction ?? null,
      dailyLimitMinor: options.daily ?? null,
      refundedTodayMinor: 0,
      publicKey,
      salt: salt.toString('base64'),
      argon2: costs,
      passwordIsTemporary: options.temporary ?? false,
      failedAttempts: 0,
      lockoutRound: 0,
      lockedUntil: null,
    });
    this.#configure();
    return id;
  }

  setProtection(isOn: boolean): void {
    this.#configure({ passwordProtectRefundsAndVoids: isOn });
  }

  setLocale(locale: string): void {
    this.#configure({ locale });
  }

  enterKioskMode(): void {
    this.#mode = 'kiosk';
    this.#configure();
  }

  settleAll(): void {
    for (const sale of this.sales.values()) {
      if (sale.record.status === 'unsettled') sale.record = acting({ ...sale.record, status: 'settled' });
    }
  }

  /** Marks the sale as being settled, or as rejected at settlement: it can be neither voided nor refunded. */
  block(saleId: string, reason: 'payment_settling' | 'settlement_rejected', retryAfter: string | null = null): void {
    const sale = this.#sale(saleId);
    sale.record = {
      ...sale.record,
      action: 'none',
      blocked: { reason, retryAfter },
      ...(reason === 'settlement_rejected' ? { status: 'settlement_rejected' as const, remainingInCents: 0 } : {}),
    };
  }

  /** Voids the sale as the portal does. */
  cancelElsewhere(saleId: string): void {
    const sale = this.#sale(saleId);
    sale.record = acting({ ...sale.record, status: 'cancelled' });
  }

  /** Changes the state of a reversal. */
  reversalTurns(saleId: string, status: SaleReversal['status']): void {
    const sale = this.#sale(saleId);
    sale.record = reversedRecord(sale.record, sale.record.reversal?.reason ?? 'card_refused', status);
  }

  /** Completes the sale at the service without the terminal. */
  completeElsewhere(saleId: string): void {
    this.#sale(saleId).completed = true;
  }

  /** Adds a sale of another terminal of the business. */
  addSale(amountInCents: number): void {
    this.#authorise(`sale_${randomBytes(8).toString('hex')}`, { amountInCents, currency: 'GBP' });
  }

  /** Delivers an authorisation request that was delayed. */
  deliverLate(saleId: string, amountInCents: number): void {
    this.#authorise(saleId, { amountInCents, currency: 'GBP' });
  }

  /** Decides a pending sale. */
  bankDecides(saleId: string, status: 'unsettled' | 'declined'): void {
    const sale = this.#sale(saleId);
    sale.record = decidedRecord(sale.record, status, this.reversalBecomes);
  }

  decideRefunds(status: 'approved' | 'declined'): void {
    for (const held of this.refunds.values()) if (held.refund.status === 'pending') this.#decide(held, status);
  }

  staff(staffNumber: string): StaffMember {
    const member = [...this.#staff.values()].find(each => each.staffNumber === staffNumber);
    if (!member) throw new Error(`no staff ${staffNumber}`);
    return member;
  }

  changeStaff(staffNumber: string, change: Partial<StaffMember>): void {
    Object.assign(this.staff(staffNumber), change);
    this.#configure();
  }

  /** When the lockout of this terminal ends. */
  terminalLockedUntil = 0;

  /** Locks a staff member out, as wrong passwords on another terminal do. */
  lock(staffNumber: string, durationMs: number): void {
    const lockedUntil = new Date(this.now() + durationMs).toISOString();
    this.changeStaff(staffNumber, { failedAttempts: 0, lockoutRound: 1, lockedUntil });
  }

  revokeToken(): void {
    this.#token = 'revoked';
  }

  /** Creates the terminal again, at this business or at another one. */
  issueEnrolment(businessId?: string): void {
    this.#enrolments += 1;
    this.enrolmentCode = `CODE-${String(this.#enrolments).padStart(4, '0')}`;
    this.#configure(businessId === undefined ? {} : { id: businessId });
  }

  #configure(change: Partial<TerminalConfiguration['business']> = {}): void {
    this.#version += 1;
    const before = this.configuration?.business;
    this.configuration = {
      version: String(this.#version),
      business: { ...corner, ...before, ...change },
      terminal: { id: `dev_${String(this.#enrolments).padStart(10, '0')}`, name: 'Till 1', mode: this.#mode },
      lockout: { attemptsPerRound: 5, durationsMs: [300_000, 1_800_000, 7_200_000, 43_200_000, 86_400_000] },
      staff: [...this.#staff.values()],
    };
  }

  readonly #handlers: Record<string, (call: Call) => Answer> = {
    enrolTerminal: ({ body }) => {
      const { code, publicKey } = body as { code: string; publicKey: string };
      if (code !== this.enrolmentCode)
        throw new Refusal(409, 'The code is not valid', { reason: 'enrolment_code_invalid' });
      this.enrolmentCode = 'USED';
      this.#terminalKey = publicKey;
      this.#token = randomBytes(16).toString('hex');
      return { status: 201, body: { deviceToken: this.#token, configuration: this.configuration } };
    },
    reportTerminalStatus: () => ({ status: 200, body: { serverTime: new Date(this.now()).toISOString() } }),
    sendDiagnostics: () => ({ status: 200, body: { received: true } }),
    getTerminalConfiguration: () => ({ status: 200, body: this.configuration }),
    authoriseSale: ({ params, body }) =>
      this.#authorise(params.saleId ?? '', body as { amountInCents: number; currency: string }),
    withdrawBitcoinSale: ({ params }) => ({ status: 200, body: this.#sale(params.saleId ?? '').record }),
    getSale: ({ params }) => ({ status: 200, body: this.#sale(params.saleId ?? '').record }),
    completeSale: ({ params }) => {
      const sale = this.#sale(params.saleId ?? '');
      sale.completed = true;
      return { status: 200, body: sale.record };
    },
    reverseSale: ({ params, body }) => {
      const sale = this.#sale(params.saleId ?? '');
      if (sale.completed) throw new Refusal(409, 'The sale was completed', { reason: 'sale_completed' });
      const { reason } = body as { reason: SaleReversal['reason'] };
      const { status, reversal } = sale.record;
      const becomes = earlyReversal[status] ?? this.reversalBecomes;
      if (reversal === null && status !== 'cancelled') sale.record = reversedRecord(sale.record, reason, becomes);
      return { status: 200, body: sale.record };
    },
    listSales: ({ query }) => ({ status: 200, body: salesFound(this.#records(), query, this.receiptTokens) }),
    getDayTotals: ({ query }) => ({ status: 200, body: dayTotalsOf(this.#records(), query, this.now()) }),
    recordReaderClosing: call => this.readerDays.record(call),
    createStaffChallenge: ({ body }) => this.#challenge((body as { staffNumber: string }).staffNumber),
    changeStaffPassword: ({ params, body }) => this.#changePassword(params.staffId ?? '', body as PasswordChange),
    createTerminalRefund: ({ body }) => this.#refund(body as RefundRequest),
    getTerminalRefund: ({ params }) => {
      const held = this.refunds.get(params.requestId ?? '');
      if (!held) throw new Refusal(404, 'There is no such refund');
      return { status: 200, body: { refund: held.refund, sale: this.#sale(held.saleId).record } };
    },
    withdrawTerminalRefund: ({ params }) => {
      const requestId = params.requestId ?? '';
      const held = this.refunds.get(requestId);
      if (held) return { status: 200, body: { refund: held.refund, sale: this.#sale(held.saleId).record } };
      this.withdrawn.add(requestId);
      throw new Refusal(404, 'There is no such refund');
    },
    pingTerminal: () => ({ status: 200, body: { serverTime: new Date(this.now()).toISOString() } }),
    syncTerminal: ({ body }) => this.#sync(body as { configurationVersion: string | null; entries: unknown[] }),
  };

  #sale(saleId: string): Sale {
    const sale = this.sales.get(saleId);
    if (!sale) throw new Refusal(404, 'There is no such sale');
    return sale;
  }

  #authorise(saleId: string, { amountInCents, currency }: { amountInCents: number; currency: string }): Answer {
    const known = this.sales.get(saleId);
    if (known) return { status: 200, body: known.record };
    this.bankCalls.set(saleId, (this.bankCalls.get(saleId) ?? 0) + 1);
    const record = authorisedRecord({
      saleId,
      invoiceNumber: `INV-${String(this.sales.size + 1).padStart(6, '0')}`,
      amountInCents,
      currency,
      bankOutcome: this.bankOutcome,
      at: new Date(this.now()).toISOString(),
    });
    this.sales.set(saleId, { record, completed: false });
    return { status: 200, body: record };
  }

  #challenge(staffNumber: string): Answer {
    const member = [...this.#staff.values()].find(each => each.staffNumber === staffNumber);
    if (!member) throw staffRefusal(404, 'staff_unknown');
    this.#refuseLocked(member, 'staff_locked');
    const nonce = randomBytes(12).toString('hex');
    const expiresAt = this.now() + 60_000;
    this.#nonces.set(nonce, { staffId: member.id, expiresAt });
    const { id: staffId, name, salt, argon2, passwordIsTemporary } = member;
    return {
      status: 201,
      body: {
        staffId,
        name,
        salt,
        argon2,
        passwordIsTemporary,
        nonce,
        expiresAt: new Date(expiresAt).toISOString(),
        serverTime: new Date(this.now()).toISOString(),
      },
    };
  }

  #refuseLocked(member: StaffMember, reason: 'staff_locked' | 'too_many_attempts'): void {
    if (this.now() < this.terminalLockedUntil) {
      const lockedUntil = new Date(this.terminalLockedUntil).toISOString();
      throw staffRefusal(429, 'too_many_attempts', { lockedOut: 'terminal', lockedUntil });
    }
    const until = member.lockedUntil === null ? 0 : Date.parse(member.lockedUntil);
    if (this.now() < until) {
      throw staffRefusal(429, reason, { retryAfterSeconds: Math.ceil((until - this.now()) / 1_000) });
    }
  }

  #prove(
    authorisation: StaffAuthorisation,
    rest: Subject<OperationAuthorisation> | Subject<ApprovalAuthorisation> | Subject<PasswordAuthorisation>,
  ): StaffMember {
    const nonce = this.#nonces.get(authorisation.nonce);
    this.#nonces.delete(authorisation.nonce);
    const member = this.#staff.get(authorisation.staffId);
    if (!nonce || !member || nonce.staffId !== member.id || nonce.expiresAt <= this.now()) {
      throw staffRefusal(409, 'authorisation_expired');
    }
    this.#refuseLocked(member, 'too_many_attempts');
    const { business, terminal } = this.configuration;
    const { staffId, nonce: used, issuedAt, signature } = authorisation;
    const text = canonicalAuthorisation({
      ...rest,
      businessId: business.id,
      deviceId: terminal.id,
      staffId,
      nonce: used,
      issuedAt,
    });
    if (!verifyText(member.publicKey, text, signature)) {
      this.#countFailure(member);
      this.#refuseLocked(member, 'staff_locked');
      throw staffRefusal(403, 'invalid_signature');
    }
    Object.assign(member, { failedAttempts: 0, lockoutRound: 0, lockedUntil: null });
    return member;
  }

  #countFailure(member: StaffMember): void {
    const failedAttempts = member.failedAttempts + 1;
    if (failedAttempts < 5) {
      Object.assign(member, { failedAttempts });
    } else {
      const durationMs = this.configuration.lockout.durationsMs[Math.min(member.lockoutRound, 4)] ?? 0;
      const lockedUntil = new Date(this.now() + durationMs).toISOString();
      Object.assign(member, { failedAttempts: 0, lockoutRound: member.lockoutRound + 1, lockedUntil });
    }
    this.#configure();
  }

  #changePassword(staffId: string, { publicKey, salt, argon2, authorisation }: PasswordChange): Answer {
    const member = this.#prove(authorisation, {
      purpose: 'password',
      newPublicKey: publicKey,
      newSalt: salt,
      newArgon2: argon2,
    });
    if (member.id !== staffId) throw staffRefusal(404, 'staff_unknown');
    Object.assign(member, { publicKey, salt, argon2, passwordIsTemporary: false });
    this.#configure();
    return { status: 200, body: { changed: true } };
  }

  #refund(request: RefundRequest): Answer {
    const { requestId, paymentId, kind, amountInCents = null, authorisation, approval } = request;
    const known = this.refunds.get(requestId);
    if (known) return this.#refundAnswer(requestId);
    if (this.withdrawn.has(requestId))
      throw new Refusal(409, 'The request was withdrawn', { reason: 'refund_withdrawn' });
    const saleId = `sale_${paymentId.slice(4)}`;
    const sale = this.#sale(saleId);
    const isProtected = this.configuration.business.passwordProtectRefundsAndVoids;
    if (isProtected && !authorisation) throw staffRefusal(409, 'authorisation_required');
    const requestedBy = approval ? (this.#staff.get(authorisation?.staffId ?? '') ?? null) : null;
    if (approval) this.approvals.refuseUnknown(authorisation, approval);
    const proofs = isProtected && authorisation ? { authorisation, approval } : undefined;
    const staff = proofs
      ? this.#prove(approval ?? proofs.authorisation, signedSubject(sale.record, request, proofs))
      : null;
    if (proofs && staff) this.approvals.decide(staff, amountInCents, proofs);
    refuseByState(sale.record, kind, amountInCents);
    if (staff) staff.refundedTodayMinor += amountInCents ?? 0;
    const held = {
      refund: pendingRefund({
        sale: sale.record,
        kind,
        amountInCents,
        staff,
        requestedBy,
        at: new Date(this.now()).toISOString(),
      }),
      saleId,
    };
    this.refunds.set(requestId, held);
    this.moneyMoves.set(requestId, (this.moneyMoves.get(requestId) ?? 0) + 1);
    sale.record = { ...sale.record, pendingInCents: amountInCents ?? sale.record.amountInCents, action: 'none' };
    if (this.refundOutcome !== 'pending')
      this.#decide(held, this.refundOutcome === 'declined' ? 'declined' : 'approved');
    return this.#refundAnswer(requestId);
  }

  #decide(held: { refund: RefundRecord; saleId: string }, status: 'approved' | 'declined'): void {
    const sale = this.#sale(held.saleId);
    const amount = held.refund.amountInCents ?? 0;
    const isApproved = status === 'approved';
    held.refund = { ...held.refund, status, pendingDetail: null, settledAt: new Date(this.now()).toISOString() };
    const refundedInCents = sale.record.refundedInCents + (isApproved ? amount : 0);
    const after = { ...sale.record, pendingInCents: 0, refundedInCents };
    const partly = refundedInCents === after.amountInCents ? 'refunded' : 'partly_refunded';
    const next = held.refund.kind === 'CANCEL' ? 'cancelled' : partly;
    sale.record = acting({
      ...after,
      returns: isApproved ? [...after.returns, returnOf(held.refund)] : after.returns,
      remainingInCents: after.amountInCents - refundedInCents,
      status: isApproved ? next : after.status,
    });
  }

  #refundAnswer(requestId: string): Answer {
    const held = this.refunds.get(requestId);
    if (!held) throw new Error('no refund');
    const status = held.refund.status === 'pending' ? 202 : 201;
    return { status, body: { refund: held.refund, sale: this.#sale(held.saleId).record } };
  }

  #sync({ configurationVersion, entries }: { configurationVersion: string | null; entries: unknown[] }): Answer {
    if (entries.some(entry => (entry as { entryId?: string }).entryId === this.failsOver && this.failsOver))
      throw new Error('a sync with this entry fails');
    const acknowledged = entries.map(given => {
      const entry = outboxEntry.parse(given);
      if (this.refusesEntries.has(entry.entryId))
        return { entryId: entry.entryId, outcome: 'refused' as const, message: 'the entry is not accepted' };
      const { signature, ...signed } = entry;
      const text = canonicalOutboxEntry(signed);
      if (!verifyText(this.#terminalKey, text, signature)) {
        return {
          entryId: entry.entryId,
          outcome: 'refused' as const,
          reason: 'signature_invalid' as const,
          message: 'The signature of the entry is not by this terminal',
        };
      }
      const isKnown = this.entries.some(each => (each as { entryId: string }).entryId === entry.entryId);
      if (isKnown) return { entryId: entry.entryId, outcome: 'known' as const };
      this.entries.push(entry);
      if (entry.kind !== 'staff_check') return { entryId: entry.entryId, outcome: 'accepted' as const };
      const member = this.#staff.get(entry.staffId);
      if (member && entry.reason === 'invalid_signature') this.#countFailure(member);
      return { entryId: entry.entryId, outcome: 'accepted' as const };
    });
    this.acknowledgements.push(...acknowledged);
    const configuration = configurationVersion === this.configuration.version ? null : this.configuration;
    return { status: 200, body: { acknowledged, configuration, serverTime: new Date(this.now()).toISOString() } };
  }
}

type Subject<Request> = Omit<Request, 'nonce' | 'issuedAt' | 'businessId' | 'deviceId' | 'staffId'>;
type PasswordChange = { publicKey: string; salt: string; argon2: typeof costs; authorisation: StaffAuthorisation };
async function publicKeyOf(password: string, salt: Buffer): Promise<string> {
  return (await deriveStaffKey({ password, salt: salt.toString('base64'), argon2: costs })).publicKey;
}
