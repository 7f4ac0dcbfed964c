import type { IdempotencyRecordRow } from '@florin/backend/foundation/idempotency/rows.ts';
import type { PaymentRow } from '@florin/backend/money/payments/rows.ts';
import type { RefundRow } from '@florin/backend/money/refunds/rows.ts';
import { chainVerifier } from '@florin/backend/people/audit/chain.ts';
import type { CardGatewaySandbox } from '@florin/backend/programs/sandbox/card-gateway/server.ts';
import type { Operation, OperationRow } from './operations.ts';
import type { DatabaseRecords } from './records.ts';

type Ledger = ReturnType<CardGatewaySandbox['control']['ledger']>;

export type Evidence = {
  readonly records: DatabaseRecords;
  /** The gateway's own records, to compare with ours. */
  readonly ledger: Ledger;
  readonly sent: ReadonlyMap<string, number>;
  readonly operations: readonly Operation[];
};

/** Compares both sides once nothing is pending; returns a line for each violation. */
export function violationsIn(evidence: Evidence): string[] {
  return [
    ...money(evidence),
    ...sales(evidence),
    ...singleSends(evidence),
    ...answers(evidence),
    ...auditChain(evidence.records),
    ...passwordChecks(evidence),
    ...events(evidence.records),
  ];
}

const capped = (refund: RefundRow) => refund.kind === 'CANCEL' || refund.kind === 'REFUND_SALE';
const sum = (refunds: readonly RefundRow[]) => refunds.reduce((total, { amountMinor }) => total + amountMinor, 0);

/** For each sale, the refunds at the gateway equal the refunds in our records. */
function money({ records, ledger }: Evidence): string[] {
  const found: string[] = [];
  const bySale = new Map(ledger.map(sale => [sale.xref, sale]));
  for (const payment of records.payments) {
    const approved = records.refunds.filter(
      ({ paymentId, status }) => paymentId === payment.id && status === 'approved',
    );
    const report = (what: string) => found.push(`payment ${payment.id}: ${what}`);
    if (payment.reservedMinor !== 0) report(`${payment.reservedMinor} still reserved`);
    if (payment.contestedMinor !== 0) report(`${payment.contestedMinor} contested`);
    const refunded = sum(approved.filter(capped));
    if (payment.refundedMinor !== refunded) report(`refundedMinor ${payment.refundedMinor}, refunds ${refunded}`);
    if (payment.refundedMinor > payment.amountMinor) report('more was refunded than was taken');
    const sale = bySale.get(payment.gatewayReference ?? '');
    if (!sale) {
      if (approved.length > 0) report('refunded without a sale at the gateway');
      continue;
    }
    const cancels = approved.filter(({ kind }) => kind === 'CANCEL').length;
    const isCancelled = sale.state === 'canceled';
    if (cancels !== (isCancelled ? 1 : 0)) report(`${cancels} approved voids, gateway state ${sale.state}`);
    if (isCancelled !== (payment.status === 'cancelled'))
      report(`status ${payment.status}, gateway state ${sale.state}`);
    const returned = sum(approved.filter(({ kind }) => kind !== 'CANCEL'));
    if (sale.returnedMinor !== returned)
      report(`the gateway returned ${sale.returnedMinor}, our records have ${returned}`);
    for (const refund of approved.filter(({ kind }) => kind !== 'CANCEL')) {
      const there = sale.refunds.filter(({ transactionUnique }) => transactionUnique === refund.uniqueReference);
      const isSame = there[0]?.amountMinor === refund.amountMinor && there[0].action === refund.kind;
      if (there.length !== 1 || !isSame) report(`refund ${refund.id} is recorded ${there.length} times at the gateway`);
    }
  }
  const pending = records.refunds.filter(({ status }) => status === 'pending').length;
  if (pending > 0) found.push(`${pending} refunds are still pending`);
  for (const { kind, paymentId, recordedJson, gatewayJson } of records.discrepancies)
    found.push(`discrepancy ${kind} of ${paymentId}: ${recordedJson}, but ${gatewayJson}`);
  return found;
}

/** Sales at the gateway and payments in our records correspond one to one. */
function sales({ records, ledger }: Evidence): string[] {
  const found: string[] = [];
  const took = (payment: PaymentRow) => ['unsettled', 'settled', 'cancelled'].includes(payment.status);
  for (const sale of ledger) {
    const payments = records.payments.filter(({ uniqueReference }) => uniqueReference === sale.transactionUnique);
    const [payment] = payments;
    if (payments.length !== 1 || !payment) {
      found.push(`sale ${sale.xref} of the gateway has ${payments.length} payments`);
      continue;
    }
    if (took(payment) !== (sale.takenMinor > 0 || sale.state === 'canceled'))
      found.push(`payment ${payment.id} is ${payment.status}, the gateway's sale ${sale.state}`);
    if (sale.takenMinor > 0 && sale.takenMinor !== payment.amountMinor)
      found.push(`payment ${payment.id} took ${payment.amountMinor}, the gateway ${sale.takenMinor}`);
  }
  const known = new Set(ledger.map(({ transactionUnique }) => transactionUnique));
  for (const payment of records.payments) {
    if (payment.status === 'pending') found.push(`payment ${payment.id} is still pending`);
    if (took(payment) && !known.has(payment.uniqueReference ?? '')) found.push(`payment ${payment.id} was never taken`);
  }
  return found;
}

function singleSends({ sent }: Evidence): string[] {
  return [...sent].flatMap(([reference, times]) => (times > 1 ? [`${reference} was sent ${times} times`] : []));
}

/** One operation per call, and answers that agree with it however often the call is repeated. */
function answers({ operations, records }: Evidence): string[] {
  const found: string[] = [];
  for (const operation of operations) {
    const report = (what: string) => found.push(`${operation.kind} ${operation.id}: ${what}`);
    const rows = operation.rowsIn(records);
    if (rows.length > 1) report(`made ${rows.length} operations`);
    const accepted = operation.answers.filter(({ status }) => status < 300);
    const [row] = rows;
    if (accepted.length > 0 && !row) report('was accepted and is not recorded');
    if (operation.answers.length === 0) report('has no answer');
    const ids = new Set(accepted.map(({ body }) => idIn(body)));
    if (row && ids.size > 0 && (ids.size > 1 || !ids.has(row.id)))
      report(`answered ${[...ids].join(' and ')}, recorded ${row.id}`);
    const statuses = accepted.map(({ body }) => statusIn(body)).filter(status => status !== 'pending');
    if (row && !operation.kind.startsWith('sale') && statuses.some(status => status !== row.status))
      report(`answered ${statuses.join(' and ')}, recorded ${row.status}`);
    const stored = records.idempotencyRecords.find(({ key }) => key === operation.id);
    if (operation.isKeyed) for (const fault of keyFaults(operation, row, stored)) report(fault);
  }
  // A process killed before it released the key of a refused call leaves only the key behind.
  const refused = new Set(
    operations.flatMap(({ id, answers: got, rowsIn }) =>
      (got.at(-1)?.status ?? 0) >= 400 && rowsIn(records).length === 0 ? [id] : [],
    ),
  );
  for (const { key, responseStatus } of records.idempotencyRecords)
    if (responseStatus === null && !refused.has(key)) found.push(`Idempotency-Key ${key} has no answer`);
  return found;
}

/** Fields of the refund record that describe the payment: other refunds change them. */
const ofPayment = ['remainingInCents', 'paymentStatus'];
/** Fields that the outcome fills in. */
const ofOutcome = [
  'status',
  'gatewayReference',
  'gatewayMessage',
  'failureCause',
  'pendingDetail',
  'receipt',
  'settledAt',
];

/**
 * The guarantees of an Idempotency-Key. A refusal wrote nothing and is not stored. A final answer never changes; one that was
 * pending is replayed with the record as it is now, and never returns to an earlier state. Which of the two it was is read
 * from the database: the caller may have died before it received the first answer. decisions: Conventions.
 */
function* keyFaults(
  { answers }: Operation,
  row: OperationRow | undefined,
  stored: IdempotencyRecordRow | undefined,
): Generator<string> {
  const received = answers.map(answer => JSON.stringify(answer)).join(' then ');
  if (received.includes('"idempotency_key_reused"')) yield `was answered as another request: ${received}`;
  if (row && answers.length > 0 && (answers.at(-1)?.status ?? 0) >= 300)
    yield `is recorded and was refused: ${received}`;
  const kept = answers.slice(answers.findIndex(({ status }) => status < 300));
  const [first] = kept;
  if (!first || first.status >= 300) return;
  if (stored?.responseStatus !== 202 && first.status === 202)
    yield `was answered as pending and stored as final: ${received}`;
  for (const [index, answer] of kept.entries()) {
    const before = kept[index - 1] ?? first;
    const mayChange = before.status === 201 ? ofPayment : [...ofPayment, ...ofOutcome];
    const isAgreed =
      stored?.responseStatus !== 202
        ? JSON.stringify(answer) === JSON.stringify(first)
        : answer.status < 300 && answer.status <= before.status && agree(answer.body, before.body, mayChange);
    const isPendingInResponse = statusIn(answer.body) === 'pending';
    if (!isAgreed || isPendingInResponse !== (answer.status === 202)) yield `was answered differently: ${received}`;
  }
}

function agree(one: unknown, other: unknown, mayChange: readonly string[]): boolean {
  const fixed = (body: unknown) => JSON.stringify(body, (name, value) => (mayChange.includes(name) ? null : value));
  return fixed(one) === fixed(other);
}

function recordIn(body: unknown): { id?: string; status?: string; paymentId?: string } {
  const record = body as { refund?: { id: string; status: string }; id?: string; status?: string; paymentId?: string };
  return record.refund ?? record;
}
const idIn = (body: unknown) => recordIn(body).id ?? recordIn(body).paymentId;
const statusIn = (body: unknown) => recordIn(body).status;

function auditChain(records: DatabaseRecords): string[] {
  return records.auditChains.flatMap(head => {
    const verifier = chainVerifier();
    for (const entry of records.auditEntries) if (entry.businessId === head.businessId) verifier.add(entry);
    const check = verifier.check();
    if (check.kind === 'broken') return [`audit chain broken at ${check.sequence}: ${check.why}`];
    return check.head === head.hash ? [] : ['the audit chain does not reach its head'];
  });
}

/** Each password check is one log entry: an authorised one with its refund, a wrong one with its refusal. */
function passwordChecks({ records, operations }: Evidence): string[] {
  const found: string[] = [];
  const checks = records.auditEntries.filter(({ kind }) => kind === 'refund_check' || kind === 'void_check');
  const granted = checks.filter(({ status }) => status === 'authorized');
  const byStaff = records.refunds.filter(({ actorKind }) => actorKind === 'staff');
  if (granted.length !== byStaff.length)
    found.push(`${granted.length} granted checks in the log, ${byStaff.length} refunds by staff`);
  const wrong = operations.filter(({ kind }) => kind === 'wrong password');
  const refused = checks.filter(({ reason }) => reason === 'invalid_signature');
  if (refused.length !== wrong.length)
    found.push(`${refused.length} wrong passwords in the log, ${wrong.length} were tried`);
  return found;
}

/** Each change has one event. */
function events(records: DatabaseRecords): string[] {
  const found: string[] = [];
  const announced = new Map<string, string[]>();
  for (const { subjectId, type } of records.events)
    announced.set(subjectId, [...(announced.get(subjectId) ?? []), type]);
  const expect = (what: string, list: readonly string[], type: string) => {
    const times = list.filter(other => other === type).length;
    if (times !== 1) found.push(`${what}: ${type} ${times} times`);
  };
  for (const { id, status } of records.refunds) {
    const types = (announced.get(id) ?? []).filter(type => type !== 'refund.unknown');
    expect(id, types, 'refund.requested');
    expect(id, types, `refund.${status}`);
    if (types.length !== 2) found.push(`${id}: events ${types.join(' and ')}`);
  }
  for (const { id, status } of records.payments) {
    const types = announced.get(id) ?? [];
    const outcome = status === 'declined' || status === 'failed' ? status : 'approved';
    expect(id, types, 'payment.started');
    expect(id, types, `payment.${outcome}`);
    if (new Set(types).size !== types.length) found.push(`${id}: events ${types.join(' and ')}`);
  }
  return found;
}
