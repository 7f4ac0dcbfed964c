import type { TerminalSaleRow } from '../../backend/channels/terminal-sales/rows.ts';
import type { Tables, Transaction } from '../../backend/foundation/database/database.ts';
import type { EventRow } from '../../backend/foundation/events/rows.ts';
import type { DiscrepancyRow } from '../../backend/money/discrepancies/rows.ts';
import { faultsAtRest } from './audit-at-rest.ts';
import type { BitcoinAudit } from './audit-bitcoin.ts';
import { saleFaults } from './audit-terminal-sales.ts';
import { disputedSums, disputeFaults, endingFaults } from './disputes.ts';
import { type BankRow, Ledger } from './ledger.ts';
import { after, isLocked, type Lockout, noLockout, type TerminalLockout, unlocked } from './lockouts.ts';
import {
  type AuditedShop,
  allDiscrepancies,
  allSales,
  changesSoFar,
  consumersBehind,
  eventCount,
  newAuditEntries,
  type OfflineAttempt,
  openDeliveries,
  type SeenEntry,
  type SeenKey,
  type SeenPayment,
  type SeenRefund,
  type SeenStaff,
  seenKeys,
  seenPayments,
  seenRefunds,
  seenStaff,
  usedNonces,
} from './observed.ts';
import type { Received } from './webhook-receiver.ts';

const operations = { CANCEL: 'cancel', REFUND_SALE: 'refundSale', REFUND: 'refund' } as const;
const paymentMoves: Readonly<Record<string, readonly string[]>> = {
  pending: ['declined', 'failed', 'unsettled'],
  unsettled: ['settled', 'cancelled', 'settlement_rejected'],
};

/**
 * Checks every transaction as it commits, and every message to and from the bank, against each other. It takes the rules
 * from the specification and reads tables. It shares no code with the product.
 */
export class Auditor {
  readonly violations: string[] = [];
  readonly ledger: Ledger;
  refunds = new Map<string, SeenRefund>();
  payments = new Map<string, SeenPayment>();
  staff = new Map<string, SeenStaff>();
  discrepancies: ReadonlyMap<string, DiscrepancyRow> = new Map();
  /** Requests that a terminal withdrew and the service confirmed as never received. */
  readonly withdrawn = new Set<string>();
  /** Offline checks that the service acknowledged. */
  readonly delivered = new Map<string, OfflineAttempt>();
  /** The number of password checks without a log entry, by staff member, terminal and purpose. */
  readonly #attempts = new Map<string, number>();
  #keys: ReadonlyMap<string, SeenKey> = new Map();
  /** The events that a durable consumer received, in any process. */
  readonly received = new Set<string>();
  /** Payments whose outcome a manager decided against the bank: their totals follow the decision. */
  readonly wronglyResolved = new Set<string>();
  /** Sales started over the API. */
  sales: ReadonlyMap<string, TerminalSaleRow> = new Map();
  /** Of a shop with a bitcoin node. */
  bitcoin: BitcoinAudit | undefined;
  /** Webhooks that the merchant's server received. */
  webhooks: readonly Received[] = [];
  shop: AuditedShop | undefined;
  /** The number of rows written so far; -1 before the auditor starts. */
  changes = -1;
  #sequence = 0;
  #used = 0;
  readonly #lockouts = new Map<string, Lockout>();
  readonly lockoutCounts = new Map<string, number>();
  readonly #terminals = new Map<string, TerminalLockout>();
  readonly #byReference = new Map<string, SeenRefund>();
  readonly #dayOf = localDays();
  readonly #requested = new Set<string>();

  readonly #takeWritten: () => ReadonlySet<string>;

  /** `takeWritten` gives the tables written since it was last called. */
  constructor(takeWritten: () => ReadonlySet<string>) {
    this.#takeWritten = takeWritten;
    this.ledger = new Ledger({
      onSent: row => this.#checkSending(row),
      onBooked: (row, { amountMinor }) => {
        if (amountMinor !== row.amountMinor) this.report(`${row.uniqueReference} was booked for another amount`);
        for (const overdrawn of this.ledger.overdrawn())
          if (!this.wronglyResolved.has(overdrawn)) this.report(`the bank returned more than ${overdrawn} took`);
      },
    });
  }

  report(what: string): void {
    this.violations.push(what);
  }

  /** Records a password check, which allows one log entry. */
  attempted(attempt: Attempt): void {
    const name = nameOfAttempt(attempt);
    this.#attempts.set(name, (this.#attempts.get(name) ?? 0) + 1);
  }

  /** Called at the end of each transaction: checks what depends on the tables that it wrote. */
  async look(tx: Transaction): Promise<void> {
    if (!this.shop) return;
    const isFirst = this.changes === -1;
    const written = this.#takeWritten();
    if (written.size === 0 && !isFirst) return;
    if (isFirst) await this.#readInitialRows(tx);
    const wrote = (...tables: readonly (keyof Tables)[]) => isFirst || tables.some(table => written.has(table));
    this.changes = (await tx.first(changesSoFar, {}))?.changes ?? 0;
    const { businessId } = this.shop;
    const isLogged = wrote('auditEntries');
    const entries = isLogged ? await tx.all(newAuditEntries, { businessId, after: this.#sequence }) : [];
    if (isLogged || wrote('staff', 'staffNonces')) await this.#lookAtChecks(tx, entries);
    if (wrote('idempotencyRecords')) this.#lookAtKeys(await tx.all(seenKeys, {}));
    const known = new Set(this.payments.keys());
    if (wrote('payments')) this.#lookAtPayments(await tx.all(seenPayments, {}));
    if (this.shop.isDriven && wrote('terminalSales', 'payments')) await this.#lookAtSales(tx, known);
    await this.bitcoin?.look(tx, this.payments, wrote);
    if (isLogged || wrote('refunds'))
      this.#lookAtRefunds(wrote('refunds') ? await tx.all(seenRefunds, {}) : [...this.refunds.values()], entries);
    if (wrote('discrepancies')) await this.#lookAtDiscrepancies(tx);
    if (wrote('refunds', 'payments', 'discrepancies')) this.#lookAtSums();
  }

  async #lookAtDiscrepancies(tx: Transaction): Promise<void> {
    const discrepancies = new Map((await tx.all(allDiscrepancies, {})).map(row => [row.id, row]));
    for (const fault of disputeFaults(this.discrepancies, discrepancies, this)) this.report(fault);
    this.discrepancies = discrepancies;
  }

  /** A consumer receives every event at least once, and the events of one refund in order. */
  receive({ id, type, subjectId }: Pick<EventRow, 'id' | 'type' | 'subjectId'>): void {
    this.received.add(id);
    if (type === 'refund.requested') this.#requested.add(subjectId);
    const isOutcome = type === 'refund.approved' || type === 'refund.declined' || type === 'refund.failed';
    if (isOutcome && !this.#requested.has(subjectId))
      this.report(`a consumer received ${type} of ${subjectId} before the request`);
  }

  /** Operations that are still pending although they could be decided. */
  undecided(): string[] {
    const refunds = [...this.refunds.values()].filter(({ status }) => status === 'pending');
    const payments = [...this.payments.values()].filter(
      ({ status, reversalDueAt }) => status === 'pending' || reversalDueAt !== null,
    );
    const sales = [...this.sales.values()].filter(({ endedAt }) => endedAt === null);
    return [...[...refunds, ...payments, ...sales].map(({ id }) => id), ...(this.bitcoin?.undecided() ?? [])];
  }

  async hasReceivedAll(tx: Transaction): Promise<boolean> {
    if (((await tx.first(eventCount, {}))?.count ?? 0) > this.received.size) return false;
    const left = [await tx.first(consumersBehind, {}), await tx.first(openDeliveries, {})];
    return left.every(found => found?.count === 0);
  }

  async atRest(tx: Transaction): Promise<void> {
    for (const fault of await faultsAtRest(tx, this)) this.report(fault);
  }

  /** Records the rows that exist before the auditor starts. */
  async #readInitialRows(tx: Transaction): Promise<void> {
    for (const row of await tx.all(seenPayments, {})) this.payments.set(row.id, row);
    this.staff = new Map((await tx.all(seenStaff, {})).map(one => [one.id, one]));
  }

  /** Invariants 3 and 5: an operation is sent once, and only after it was recorded with the same content. */
  #checkSending({ uniqueReference, operation, amountMinor, currency, paymentReference, sends }: BankRow): void {
    if (!this.shop) return;
    if (sends > 1) {
      this.report(`${uniqueReference} was sent ${sends} times`);
      return;
    }
    const payment = operation === 'authorise' ? this.payments.get(uniqueReference) : undefined;
    if (operation === 'authorise') {
      if (payment?.status !== 'pending') {
        this.report(`${uniqueReference} was sent without a pending payment`);
        return;
      }
      if (payment.amountMinor !== amountMinor || payment.currency !== currency)
        this.report(`${uniqueReference} was sent with another amount than recorded`);
      return;
    }
    const refund = this.#byReference.get(uniqueReference);
    if (!refund) {
      this.report(`${uniqueReference} was sent without a record`);
      return;
    }
    if (refund.status !== 'pending') this.report(`${uniqueReference} was sent although it was ${refund.status}`);
    if (refund.amountMinor !== amountMinor || refund.currency !== currency)
      this.report(`${uniqueReference} was sent with another amount than recorded`);
    if (operations[refund.kind as keyof typeof operations] !== operation)
      this.report(`${uniqueReference}, a ${refund.kind}, was sent as ${operation}`);
    if (this.payments.get(refund.paymentId)?.gatewayReference !== paymentReference)
      this.report(`${uniqueReference} was sent against another payment`);
  }

  /** Invariants 7 and 8: one log entry per password check, and lockouts that follow from the entries. */
  async #lookAtChecks(tx: Transaction, entries: readonly SeenEntry[]): Promise<void> {
    const staff = await tx.all(seenStaff, {});
    const used = (await tx.first(usedNonces, {}))?.used ?? 0;
    const consumed = Math.max(0, used - this.#used);
    this.#used = used;
    const checks = entries.filter(({ kind, detailJson }) => isCheck(kind) && !detailJson.includes('"offline":true'));
    const changes = entries.filter(({ kind, terminalId }) => kind === 'staff_changed' && terminalId !== null);
    for (const entry of checks) this.#checkLockoutCause(entry);
    for (const entry of entries) {
      this.#sequence = entry.sequence;
      if (entry.staffId === null) continue;
      const terminalId = entry.terminalId ?? '';
      const staffLockout = this.#lockouts.get(entry.staffId) ?? unlocked;
      const terminal = this.#terminals.get(terminalId) ?? noLockout;
      const next = after({ staff: staffLockout, terminal }, entry);
      if (typeof next === 'string') this.report(next);
      else {
        if (next.staff.round > staffLockout.round)
          this.lockoutCounts.set(entry.staffId, (this.lockoutCounts.get(entry.staffId) ?? 0) + 1);
        this.#lockouts.set(entry.staffId, next.staff);
        this.#terminals.set(terminalId, next.terminal);
      }
    }
    const logged = checks.length + changes.length;
    if (logged !== consumed) this.report(`${consumed} checks of a password left ${logged} log entries`);
    for (const { id, failedAttempts, lockoutRound, lockedUntil } of staff) {
      const model = this.#lockouts.get(id) ?? unlocked;
      if (model.failed !== failedAttempts || model.round !== lockoutRound || model.until !== lockedUntil)
        this.report(
          `lockout of ${id}: ${failedAttempts}/${lockoutRound}/${lockedUntil}, by the log ${model.failed}/${model.round}/${model.until}`,
        );
    }
    this.staff = new Map(staff.map(one => [one.id, one]));
  }

  /** Each log entry corresponds to a check of that staff member, on that terminal and for that purpose. */
  #checkLockoutCause({ staffId, terminalId, paymentId, kind, amountMinor }: SeenEntry): void {
    const of = kind === 'void_check' ? 'CANCEL' : 'REFUND_SALE';
    const name = nameOfAttempt({ staffId, terminalId, paymentId, of, amountMinor });
    const left = this.#attempts.get(name) ?? 0;
    if (left === 0) this.report(`the log names ${staffId} for a check that was not made on ${terminalId}`);
    this.#attempts.set(name, left - 1);
  }

  /** A call holds its idempotency key until its lease expires. */
  #lookAtKeys(rows: readonly SeenKey[]): void {
    const now = this.shop?.now() ?? 0;
    for (const row of rows) {
      const before = this.#keys.get(row.key);
      if (before?.createdAt === row.createdAt && before.runId !== row.runId && before.leaseUntil > now + clocksDifferMs)
        this.report(`key ${row.key} was taken from a run whose lease lasts until ${before.leaseUntil}`);
    }
    this.#keys = new Map(rows.map(row => [row.key, row]));
  }

  #lookAtPayments(rows: readonly SeenPayment[]): void {
    for (const row of rows) {
      const before = this.payments.get(row.id);
      if (before && before.status !== row.status && !paymentMoves[before.status]?.includes(row.status))
        this.report(`payment ${row.id} went from ${before.status} to ${row.status}`);
      if (!before && row.status !== 'pending' && row.method === 'card')
        this.report(`payment ${row.id} began as ${row.status}`);
      if (before?.status === 'pending' && row.status === 'unsettled' && !this.ledger.isApproved(row.uniqueReference))
        this.report(`payment ${row.id} counts as taken, but the bank approved none`);
      if (before?.status === 'unsettled' && row.status === 'settled' && this.#pendingOn(row.id))
        this.report(`payment ${row.id} became settled during a pending void or refund`);
      this.payments.set(row.id, row);
    }
  }

  async #lookAtSales(tx: Transaction, known: ReadonlySet<string>): Promise<void> {
    const after = new Map((await tx.all(allSales, {})).map(row => [row.id, row]));
    for (const fault of saleFaults({ before: this.sales, after, known, payments: this.payments })) this.report(fault);
    this.sales = after;
  }

  #pendingOn(paymentId: string): boolean {
    for (const { paymentId: of, kind, status } of this.refunds.values())
      if (of === paymentId && kind !== 'REFUND' && status === 'pending') return true;
    return false;
  }

  /** Invariants 4 and 9. */
  #lookAtRefunds(rows: readonly SeenRefund[], entries: readonly SeenEntry[]): void {
    const seen = this.refunds;
    this.refunds = new Map(rows.map(row => [row.id, row]));
    for (const before of seen.values()) if (!this.refunds.has(before.id)) this.report(`refund ${before.id} is gone`);
    for (const row of rows) {
      const before = seen.get(row.id);
      if (!before) this.#checkNew(row, entries);
      else if (before.status !== row.status) this.#checkMove(before, row);
      if (row.uniqueReference !== null) this.#byReference.set(row.uniqueReference, row);
    }
    for (const entry of entries) this.#checkRefusal(entry);
  }

  #checkMove(before: SeenRefund, row: SeenRefund): void {
    if (before.status !== 'pending') {
      this.report(`refund ${row.id} went from ${before.status} to ${row.status}`);
      return;
    }
    const { evidenceAfterMs = 0 } = this.shop ?? {};
    for (const fault of endingFaults(row, this.discrepancies.values(), evidenceAfterMs)) this.report(fault);
    if (row.resolutionJson !== null) return;
    const bank = row.uniqueReference === null ? undefined : this.ledger.rows.get(row.uniqueReference);
    const booking = bank?.booking;
    if (row.status === 'approved' && booking?.approved !== true)
      this.report(`refund ${row.id} counts as approved, but the bank approved none`);
    if (row.status === 'declined' && booking?.approved !== false)
      this.report(`refund ${row.id} counts as declined, but the bank did not decline it`);
    if (row.status === 'failed' && (booking?.approved || (bank && this.ledger.isUnderWay(bank.uniqueReference))))
      this.report(`refund ${row.id} failed although the bank has it or may still get it`);
  }

  #checkNew(row: SeenRefund, entries: readonly SeenEntry[]): void {
    const payment = this.payments.get(row.paymentId);
    if (!payment) {
      this.report(`refund ${row.id} is of no payment`);
      return;
    }
    if (this.withdrawn.has(row.clientRequestId ?? '')) this.report(`refund ${row.id} was made after it was withdrawn`);
    if (payment.businessId !== row.businessId) this.report(`refund ${row.id} is of another business's payment`);
    if (payment.currency !== row.currency) this.report(`refund ${row.id} is in another currency than its payment`);
    // A refund fails without being sent when the gateway does not answer about the payment's settlement.
    const isUnsent =
      row.status === 'failed' && row.kind !== 'BITCOIN' && row.kind !== 'REFUND' && !this.ledger.rows.has(row.id);
    if (row.status !== (row.kind === 'BITCOIN' ? 'recorded' : 'pending') && !isUnsent)
      this.report(`refund ${row.id} began as ${row.status}`);
    if (row.kind === 'CANCEL' && payment.status !== 'unsettled')
      this.report(`refund ${row.id} voids a payment that is ${payment.status}`);
    if (row.kind === 'REFUND_SALE' && payment.status !== 'settled' && !isUnsent)
      this.report(`refund ${row.id} refunds a payment that is ${payment.status}`);
    if (row.kind === 'CANCEL') this.#checkAlone(row);
    if (row.kind === 'REFUND_SALE') this.#checkHeadroom(row, payment);
    const staffed = (row.actorKind === 'staff' || row.actorKind === 'terminal') && !row.reason?.startsWith('reversal:');
    if (staffed && this.shop?.isPasswordProtected) this.#checkAuthorised(row, entries);
  }

  /** Credits are not capped, but they reduce what a capped refund may return. */
  #checkHeadroom(row: SeenRefund, payment: SeenPayment): void {
    const { contested = 0, accepted = 0 } = disputedSums(this.discrepancies.values()).get(payment.id) ?? {};
    let returned = row.amountMinor + contested + accepted;
    for (const { id, paymentId, kind, status, amountMinor } of this.refunds.values()) {
      const counts = status === 'approved' || (status === 'pending' && kind !== 'REFUND');
      if (id !== row.id && paymentId === row.paymentId && kind !== 'BITCOIN' && counts) returned += amountMinor;
    }
    if (returned > payment.amountMinor) this.report(`refund ${row.id} returns an amount that a credit has returned`);
  }

  #checkAlone(row: SeenRefund): void {
    for (const other of this.refunds.values()) {
      const stands = other.status === 'pending' || other.status === 'approved';
      if (other.id !== row.id && other.paymentId === row.paymentId && stands)
        this.report(`refund ${row.id} voids a payment that ${other.id} returns`);
    }
  }

  #checkAuthorised(row: SeenRefund, entries: readonly SeenEntry[]): void {
    const staff = this.staff.get(row.actorKind === 'staff' ? (row.actorId ?? '') : '');
    if (!staff) {
      this.report(`refund ${row.id} was not authorised`);
      return;
    }
    const entry = entries.find(({ staffId, status }) => staffId === staff.id && status === 'authorized');
    const wanted = row.kind === 'CANCEL' ? null : row.amountMinor;
    if (entry && (entry.actorKind !== 'staff' || entry.actorId !== staff.id))
      this.report(`the entry that authorises refund ${row.id} names another actor`);
    if (
      entry?.refundId !== row.id ||
      entry.paymentId !== row.paymentId ||
      entry.amountMinor !== wanted ||
      entry.terminalId !== row.terminalId
    )
      this.report(`refund ${row.id} has no log entry that authorises it`);
    const { requestedBy = null } = JSON.parse(entry?.detailJson ?? '{}') as { requestedBy?: { id: string } | null };
    if ((requestedBy?.id ?? null) !== row.requestedByStaffId || requestedBy?.id === staff.id)
      this.report(`refund ${row.id} names another staff member than the one who requested it`);
    if (staff.businessId !== row.businessId) this.report(`refund ${row.id} was authorised by another business's staff`);
    if (staff.mayRefundAndVoid === 0 || staff.disabledAt !== null)
      this.report(`refund ${row.id} was authorised by a staff member who may not`);
    if (staff.passwordIsTemporary === 1) this.report(`refund ${row.id} was authorised with a temporary password`);
    if (row.kind !== 'REFUND_SALE') return;
    const { perTransactionLimitMinor: each, dailyLimitMinor: daily } = staff;
    if (each !== null && row.amountMinor > each) this.report(`refund ${row.id} is over the limit of ${staff.id}`);
    if (daily !== null && this.#usedOnDay(staff.id, row.createdAt) > daily)
      this.report(`refund ${row.id} is over the daily limit of ${staff.id}`);
  }

  #usedOnDay(staffId: string, at: number): number {
    const zone = this.shop?.timeZone ?? 'UTC';
    const day = this.#dayOf(at, zone);
    let used = 0;
    for (const { actorKind, actorId, kind, status, amountMinor, createdAt } of this.refunds.values())
      if (
        actorKind === 'staff' &&
        actorId === staffId &&
        kind === 'REFUND_SALE' &&
        (status === 'pending' || status === 'approved')
      )
        if (this.#dayOf(createdAt, zone) === day) used += amountMinor;
    return used;
  }

  /** A refusal without a reason is a fault as well. */
  #checkRefusal({ status, reason, kind, staffId, amountMinor, recordedAt, detailJson }: SeenEntry): void {
    const staff = this.staff.get(staffId ?? '');
    if (!staff || detailJson.includes('"offline":true')) return;
    if (status === 'limit_exceeded' || status === 'daily_limit_exceeded') {
      const { perTransactionLimitMinor: each, dailyLimitMinor: daily } = staff;
      const amount = amountMinor ?? 0;
      const isOver =
        status === 'limit_exceeded'
          ? each !== null && amount > each
          : daily !== null && this.#usedOnDay(staff.id, recordedAt) + amount > daily;
      if (kind !== 'refund_check' || !isOver) this.report(`${staff.id} was refused by a limit that is not reached`);
    }
    if (status === 'failed' && reason === 'permission_denied') {
      // Lockouts of the terminal are computed in lockouts.ts.
      if (detailJson.includes('"detail":"terminal_locked_out"')) return;
      if (detailJson.includes('"detail":"password_change_required"')) {
        if (staff.passwordIsTemporary === 0) this.report(`${staff.id} was asked to choose a password and has one`);
        return;
      }
      const locked = isLocked({ failed: 0, round: 0, until: staff.lockedUntil }, recordedAt);
      if (!locked && staff.mayRefundAndVoid === 1 && staff.disabledAt === null)
        this.report(`${staff.id} was refused although permitted`);
    }
  }

  /** Invariant 1. */
  #lookAtSums(): void {
    const sums = new Map<string, typeof nothing>();
    for (const { paymentId, kind, status, amountMinor, amountSats } of this.refunds.values()) {
      const sum = sums.get(paymentId) ?? { ...nothing };
      sums.set(paymentId, sum);
      if (kind === 'BITCOIN') {
        sum.sats += amountSats ?? 0;
        sum.approved += amountMinor;
      }
      if (kind === 'REFUND' && status === 'approved') sum.credited += amountMinor;
      if (kind !== 'CANCEL' && kind !== 'REFUND_SALE') continue;
      if (status === 'pending') sum.pending += amountMinor;
      if (status === 'approved') sum.approved += amountMinor;
    }
    const disputed = disputedSums(this.discrepancies.values());
    for (const payment of this.payments.values()) {
      const { pending, approved, credited, sats } = sums.get(payment.id) ?? nothing;
      const { contested, accepted } = disputed.get(payment.id) ?? undisputed;
      if (pending + approved > payment.amountMinor) this.report(`payment ${payment.id} returns more than it took`);
      if (sats > (payment.amountSats ?? 0)) this.report(`payment ${payment.id} returns more bitcoin than it took`);
      if (this.wronglyResolved.has(payment.gatewayReference ?? '')) continue;
      if (approved > 0 && payment.status === 'unsettled')
        this.report(`payment ${payment.id} was voided and still counts as taken`);
      const { reservedMinor, refundedMinor, creditedMinor, refundedSats, contestedMinor } = payment;
      const stored = [reservedMinor, refundedMinor, creditedMinor, refundedSats, contestedMinor].join();
      const expected = [pending, approved, credited + accepted, sats, contested].join();
      if (stored !== expected)
        this.report(
          `payment ${payment.id} has ${stored} held, refunded, credited, in bitcoin, contested; its refunds and discrepancies add up to ${expected}`,
        );
    }
  }
}

/** The largest difference between two processes' clocks. */
export const clocksDifferMs = 4_000;

type Attempt = {
  readonly staffId: string | null;
  readonly terminalId: string | null;
  readonly paymentId: string | null;
  readonly of: 'CANCEL' | 'REFUND_SALE';
  readonly amountMinor: number | null;
};

function nameOfAttempt({ staffId, terminalId, paymentId, of, amountMinor }: Attempt): string {
  return [staffId, terminalId, paymentId, of, of === 'CANCEL' ? '' : amountMinor].join(' ');
}

const undisputed = { contested: 0, accepted: 0 };
const nothing = { pending: 0, approved: 0, credited: 0, sats: 0 };

function isCheck(kind: string): boolean {
  return kind === 'refund_check' || kind === 'void_check';
}

/** The local date of an instant, computed by Intl. */
function localDays(): (at: number, timeZone: string) => string {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (at, timeZone) => {
    const known = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
    formats.set(timeZone, known);
    return known.format(at);
  };
}
