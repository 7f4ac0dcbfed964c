import type { FlowName } from '../enumeration.ts';

/** A money bug, planted by replacing one piece of source text. */
export type Mutant = {
  readonly name: string;
  readonly file: string;
  /** Matches exactly once. */
  readonly find: string;
  readonly replace: string;
  /** What the bug would do to somebody. */
  readonly why: string;
  /** The flow that meets it soonest; sweeping finds most of them sooner than anything else. */
  readonly flow?: FlowName;
};

const refund = 'backend/refunds/refund.ts';
const refundStore = 'backend/refunds/store.ts';
const refundService = 'backend/refunds/service.ts';
const reservation = 'backend/refunds/reservation.ts';
const settlement = 'backend/refunds/settlement.ts';
const refundJobs = 'backend/refunds/jobs.ts';
const paymentStore = 'backend/payments/store.ts';
const paymentService = 'backend/payments/service.ts';
const paymentJobs = 'backend/payments/jobs.ts';
const staffChecks = 'backend/staff/authorisation.ts';
const staffStore = 'backend/staff/store.ts';
const lockout = 'backend/staff/lockout.ts';
const idempotency = 'backend/idempotency/service.ts';

const reserving: Mutant[] = [
  {
    name: 'headroom not checked',
    file: refund,
    find: 'return amountMinor > remaining ? {',
    replace: 'return amountMinor < 0 ? {',
    why: 'a refund above what is left',
  },
  {
    name: 'reserved amounts not counted',
    file: 'backend/payments/payment.ts',
    find: 'payment.amountMinor - payment.refundedMinor - heldMinor(payment)',
    replace: 'payment.amountMinor - payment.refundedMinor',
    why: 'two refunds at once exceed the payment',
  },
  {
    name: 'nothing reserved',
    file: reservation,
    find: 'const held = isCapped(kind) ?',
    replace: 'const held = isCapped(kind) && kind !== kind ?',
    why: 'two refunds at once exceed the payment',
  },
  {
    name: 'uncapped credit reserved',
    file: refund,
    find: "return kind === 'CANCEL' || kind === 'REFUND_SALE';",
    replace: "return kind === 'CANCEL' || kind === 'REFUND_SALE' || kind === 'REFUND';",
    why: 'a credit takes headroom that refunds need',
  },
  {
    name: 'void beside a pending refund',
    file: refund,
    find: 'if (payment.reservedMinor > 0 || payment.contestedMinor > 0 || others.pending)',
    replace: 'if (payment.contestedMinor > 0)',
    why: 'the money goes back twice',
  },
  {
    name: 'void after a refund',
    file: refund,
    find: 'if (payment.refundedMinor > 0 || others.final)',
    replace: 'if (payment.refundedMinor > payment.amountMinor)',
    why: 'the money goes back twice',
  },
  {
    name: 'void after settlement',
    file: refund,
    find: 'return isSettled || isSettling ?',
    replace: 'return !isSettled && isSettling ?',
    why: 'a void the bank cannot carry out',
  },
  {
    name: 'refund before settlement',
    file: refund,
    find: 'if (!isSettled) return { kind: payment.reservedMinor',
    replace: 'if (!isSettled && isSettling) return { kind: payment.reservedMinor',
    why: 'a refund beside a void',
  },
  {
    name: 'bitcoin cap not checked',
    file: refund,
    find: 'return amountSats > remaining ? {',
    replace: 'return amountSats < 0 ? {',
    why: 'more bitcoin recorded than was received',
  },
  {
    name: 'intent not saved',
    file: reservation,
    find: "await save(tx, refund, payment);\n      return { kind: 'reserved', view: { refund, payment: held",
    replace: "return { kind: 'reserved', view: { refund, payment: held",
    why: 'a crash loses a refund that was sent',
  },
  {
    name: 'request id not looked up',
    file: reservation,
    find: "request.clientRequestId !== null && begun !== 'first' ? await",
    replace: "request.clientRequestId === '' && begun !== 'first' ? await",
    why: 'a repeated request fails instead of telling what became of it',
  },
  {
    name: 'payment of another business',
    file: paymentStore,
    find: `    .where('id', '=', arg('id'))
    .where('businessId', '=', arg('businessId'))
    .$if(isPostgres, query => query.forUpdate()),`,
    replace: `    .where('id', '=', arg('id'))
    .$if(isPostgres, query => query.forUpdate()),`,
    why: 'a merchant refunds from another merchant',
  },
  {
    name: 'payment read by another business',
    file: paymentStore,
    find: `db.selectFrom('payments').selectAll().where('id', '=', arg('id')).where('businessId', '=', arg('businessId')),`,
    replace: `db.selectFrom('payments').selectAll().where('id', '=', arg('id')),`,
    why: 'a merchant reads another merchant',
  },
  {
    name: 'invoice number given twice',
    file: paymentStore,
    find: `"counters"."value" + 1`,
    replace: `"counters"."value" + 0`,
    why: 'two sales under one number',
  },
];

const sending: Mutant[] = [
  {
    name: 'sent again after a timeout',
    file: refundService,
    find: 'const outcome = await send(view.refund, view.payment);',
    replace:
      "let outcome = await send(view.refund, view.payment);\n      if (outcome.kind === 'unknown') outcome = await send(view.refund, view.payment);",
    why: 'paid twice',
  },
  {
    name: 'unknown taken for failed',
    file: refundService,
    find: 'const outcome = await send(view.refund, view.payment);',
    replace:
      "let outcome = await send(view.refund, view.payment);\n      if (outcome.kind === 'unknown') outcome = { kind: 'notSent', cause: outcome.cause };",
    why: 'refunded again although the first went through',
  },
  {
    name: 'unknown taken for declined',
    file: refundService,
    find: 'const outcome = await send(view.refund, view.payment);',
    replace:
      "let outcome = await send(view.refund, view.payment);\n      if (outcome.kind === 'unknown') outcome = { kind: 'declined', code: '5', message: '' };",
    why: 'refunded again although the first went through',
  },
  {
    name: 'unknown taken for approved',
    file: refundService,
    find: 'const outcome = await send(view.refund, view.payment);',
    replace:
      "let outcome = await send(view.refund, view.payment);\n      if (outcome.kind === 'unknown') outcome = { kind: 'approved', gatewayReference: '', message: '' };",
    why: 'the customer never gets the money',
  },
  {
    name: 'not sent taken for unknown',
    file: refundService,
    find: 'const outcome = await send(view.refund, view.payment);',
    replace:
      "let outcome = await send(view.refund, view.payment);\n      if (outcome.kind === 'notSent') outcome = { kind: 'unknown', cause: 'timeout' };",
    why: 'an amount held for ten minutes for nothing',
    flow: 'refund',
  },
  {
    name: 'lease not looked at before sending',
    file: refundService,
    find: 'if (refund.leaseUntil === null || clock.now() >= refund.leaseUntil)',
    replace: 'if (refund.leaseUntil === null)',
    why: 'sent after it was given up',
  },
  {
    name: 'lease of a sale not looked at before sending',
    file: paymentService,
    find: 'if (payment.leaseUntil === null || clock.now() >= payment.leaseUntil)',
    replace: 'if (payment.leaseUntil === null)',
    why: 'charged after the sale was given up',
  },
  {
    name: 'void sent as credit',
    file: refundService,
    find: 'return await gateway.cancel(cancelRequest);',
    replace: 'return await gateway.refund(refundRequest);',
    why: 'two lines on the statement instead of none',
  },
  {
    name: 'refund sent uncapped',
    file: refundService,
    find: 'return await gateway.refundSale(refundRequest);',
    replace: 'return await gateway.refund(refundRequest);',
    why: 'the gateway no longer caps it',
  },
  {
    name: 'whole payment sent for a part',
    file: refundService,
    find: 'amount: refundAmount(refund),',
    replace: 'amount: { amountMinor: payment.amountMinor, currency: payment.currency },',
    why: 'more goes back than was recorded',
  },
  {
    name: 'sale sent twice',
    file: paymentService,
    find: 'return isSame ? ok({ payment: known, isNew: false })',
    replace: 'return isSame ? ok({ payment: known, isNew: true })',
    why: 'charged twice',
    flow: 'sale',
  },
  {
    name: 'sale given up and charged',
    file: paymentService,
    find: "if (await tx.first(givenUpSale, { terminalId, saleId })) return err({ kind: 'sale_given_up' });",
    replace: '',
    why: 'charged although the terminal had given up',
  },
  {
    name: 'sale unknown taken for failed',
    file: 'backend/payments/authorisation.ts',
    find: 'return { open: outcome.cause };',
    replace: "return { kind: 'failed', message: outcome.cause };",
    why: 'charged, and no record of it',
  },
];

const settling: Mutant[] = [
  {
    name: 'final refund overwritten',
    file: refundStore,
    find: "    .where('id', '=', arg('id'))\n    .where('status', '=', 'pending')\n    .returningAll(),",
    replace: "    .where('id', '=', arg('id'))\n    .returningAll(),",
    why: 'a late answer settles it twice',
    flow: 'refundSale',
  },
  {
    name: 'reservation kept after a refusal',
    file: settlement,
    find: "if (status !== 'approved') return tx.first(releaseMinor, { id, heldMinor, refundedMinor: 0 });",
    replace: "if (status !== 'approved') return tx.first(paymentById, { businessId, id });",
    why: 'money that can never be refunded',
  },
  {
    name: 'refusal counted as refunded',
    file: settlement,
    find: "if (status !== 'approved') return tx.first(releaseMinor, { id, heldMinor, refundedMinor: 0 });",
    replace: '',
    why: 'money that can never be refunded',
  },
  {
    name: 'approval not counted',
    file: settlement,
    find: 'return tx.first(releaseMinor, { id, heldMinor, refundedMinor: heldMinor });',
    replace: 'return tx.first(releaseMinor, { id, heldMinor, refundedMinor: 0 });',
    why: 'refunded again and again',
  },
  {
    name: 'void leaves the payment taken',
    file: settlement,
    find: "if (kind === 'CANCEL') return tx.first(voidPayment, { id, heldMinor });",
    replace: '',
    why: 'a voided payment looks paid',
  },
  {
    name: 'told twice',
    file: settlement,
    find: 'return { refund, payment, changed: true };',
    replace:
      // biome-ignore lint/suspicious/noTemplateCurlyInString: what is planted is source text.
      'await journal.announce(tx, { businessId, type: `refund.${status}`, subjectId: id, payload: {} });\n      return { refund, payment, changed: true };',
    why: 'the merchant books it twice',
  },
  {
    name: 'told although nothing changed',
    file: settlement,
    find: 'await contradict(tx, final, verdict, knownBy);',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what is planted is source text.
    replace: 'await journal.announce(tx, { businessId, type: `refund.${final.status}`, subjectId: id, payload: {} });',
    why: 'the merchant books it twice',
    flow: 'refundSale',
  },
  {
    name: 'callback about another amount believed',
    file: refundService,
    find: "verdict.kind === 'approved' && amountMinor !== null && amountMinor !== refund.amountMinor",
    replace: "verdict.kind === 'approved' && amountMinor !== null && amountMinor < 0",
    why: 'somebody else’s approval taken for ours',
    flow: 'refundSale',
  },
  {
    name: 'callback about another sale amount believed',
    file: paymentService,
    find: 'const isOther = namedMinor !== undefined && namedMinor !== payment.amountMinor;',
    replace: 'const isOther = namedMinor !== undefined && namedMinor < 0;',
    why: 'goods leave for less than they cost',
    flow: 'sale',
  },
  {
    name: 'decided by hand while it may still leave',
    file: refundService,
    find: 'return !senderIsDone && now < sentAt + 2 * leaseMs;',
    replace: 'return !senderIsDone && now < sentAt;',
    why: 'freed by a manager and sent a moment later',
  },
  {
    name: 'settled under a void',
    file: paymentStore,
    find: `    .set({ status: 'settled', settledAt: arg('settledAt'), leaseUntil: null })
    .where('id', '=', arg('id'))
    .where('status', '=', 'unsettled')
    .where('reservedMinor', '=', 0)`,
    replace: `    .set({ status: 'settled', settledAt: arg('settledAt'), leaseUntil: null })
    .where('id', '=', arg('id'))
    .where('status', '=', 'unsettled')`,
    why: 'a void of a settled payment',
    flow: 'voidMeetsSettlement',
  },
  {
    name: 'not found believed at once',
    file: 'backend/jobs/asking.ts',
    find: 'return askedAt >= asked.sentAt + settings.notFoundIsFinalAfterMs;',
    replace: 'return askedAt >= asked.sentAt + 30_000;',
    why: 'given up while still on its way',
    flow: 'refundSale',
  },
  {
    name: 'no answer taken for not found',
    file: refundJobs,
    find: "case 'unanswered':\n        break;",
    replace: "case 'unanswered':\n        return refunds.giveUp(refund);",
    why: 'given up because the gateway was busy',
  },
  {
    name: 'no answer about a sale taken for not found',
    file: paymentJobs,
    find: "case 'unanswered':\n        break;",
    replace:
      "case 'unanswered':\n        await payments.takeEvidence({ ...tell, evidence: { kind: 'failed', message: '' } });\n        return;",
    why: 'charged, and no record of it',
  },
  {
    name: 'nobody asks after refunds',
    file: 'backend/engine.ts',
    find: 'run: () => refundAsking.recover()',
    replace: 'run: async () => 0',
    why: 'pending for ever',
  },
  {
    name: 'nobody asks after sales',
    file: 'backend/engine.ts',
    find: 'run: () => paymentAsking.recover()',
    replace: 'run: async () => 0',
    why: 'pending for ever',
  },
  {
    name: 'sales given up are not taken back',
    file: 'backend/engine.ts',
    find: 'run: () => payments.reverseGivenUp(asking.batch)',
    replace: 'run: async () => 0',
    why: 'charged for a sale that failed',
    flow: 'reverseMeanwhile',
  },
];

const authorising: Mutant[] = [
  {
    name: 'signature not checked',
    file: staffChecks,
    find: 'if (!verifyText(staff.publicKey, proof.text, signature)) {',
    replace: 'if (signature === text(verifyText)) {',
    why: 'any password will do',
  },
  {
    name: 'permission not checked',
    file: staffChecks,
    find: 'if (staff.mayRefundAndVoid === 0 || staff.disabledAt !== null) {',
    replace: 'if (staff.disabledAt !== null) {',
    why: 'anybody refunds',
  },
  {
    name: 'temporary password is enough',
    file: staffChecks,
    find: "if (staff.passwordIsTemporary === 1) return err({ kind: 'password_change_required' });",
    replace: '',
    why: 'the manager who made it can refund in their name',
  },
  {
    name: 'nonce used twice',
    file: staffStore,
    find: "    .where('usedAt', 'is', null)\n    .where('expiresAt'",
    replace: "    .where('expiresAt'",
    why: 'a recorded request is replayed',
  },
  {
    name: 'nonce of somebody else',
    file: staffStore,
    find: "    .where('staffId', '=', arg('staffId'))\n    .where('terminalId', '=', arg('terminalId'))",
    replace: "    .where('terminalId', '=', arg('terminalId'))",
    why: 'challenges are traded',
  },
  {
    name: 'nonce of another terminal',
    file: staffStore,
    find: "    .where('terminalId', '=', arg('terminalId'))\n    .where('usedAt'",
    replace: "    .where('usedAt'",
    why: 'challenges are traded',
  },
  {
    name: 'nonce never over',
    file: staffStore,
    find: "    .where('usedAt', 'is', null)\n    .where('expiresAt', '>', arg('now')),",
    replace: "    .where('usedAt', 'is', null),",
    why: 'a request signed yesterday is carried out today',
  },
  {
    name: 'wrong password not counted',
    file: staffChecks,
    find: 'await tx.run(updateLockout, { id: staff.id, ...next });',
    replace: '',
    why: 'guess for ever',
  },
  {
    name: 'lock not looked at',
    file: staffChecks,
    find: 'if (lockedUntil !== undefined) {',
    replace: 'if (lockedUntil === 0) {',
    why: 'guess for ever',
  },
  {
    name: 'each failure counted as the first',
    file: staffChecks,
    find: 'const next = afterFailure(staff, now, lockout);',
    replace: 'const next = afterFailure(notLockedOut, now, lockout);',
    why: 'guess for ever',
  },
  {
    name: 'failures never forgiven',
    file: staffChecks,
    find: 'await tx.run(updateLockout, { id: staff.id, ...notLockedOut });',
    replace: '',
    why: 'locked out by typing errors of a whole month',
  },
  {
    name: 'rounds do not grow',
    file: lockout,
    find: 'lockoutRound: state.lockoutRound + 1,',
    replace: 'lockoutRound: state.lockoutRound,',
    why: 'five guesses every five minutes, for ever',
  },
  {
    name: 'one guess too many',
    file: lockout,
    find: 'if (failedAttempts < settings.attemptsPerRound)',
    replace: 'if (failedAttempts <= settings.attemptsPerRound)',
    why: 'more guesses than promised',
  },
  {
    name: 'limit per transaction not checked',
    file: staffChecks,
    find: 'if (perTransaction !== null && amountMinor > perTransaction)',
    replace: 'if (perTransaction !== null && amountMinor < perTransaction && amountMinor < 0)',
    why: 'more than a staff member may refund at once',
  },
  {
    name: 'daily limit leaves this refund out',
    file: staffChecks,
    find: 'if (used + amountMinor <= staff.dailyLimitMinor) return undefined;',
    replace: 'if (used < staff.dailyLimitMinor) return undefined;',
    why: 'more than a staff member may refund a day',
  },
  {
    name: 'daily limit leaves pending refunds out',
    file: staffStore,
    find: "'in', ['pending', 'approved'])",
    replace: "'in', ['approved'])",
    why: 'two terminals use the last of a limit',
  },
  {
    name: 'daily limit leaves approved refunds out',
    file: staffStore,
    find: "'in', ['pending', 'approved'])",
    replace: "'in', ['pending'])",
    why: 'the limit never fills',
  },
  {
    name: 'daily limit counts what was declined',
    file: staffStore,
    find: "'in', ['pending', 'approved'])",
    replace: "'in', ['pending', 'approved', 'declined', 'failed'])",
    why: 'refused for nothing',
  },
  {
    name: 'daily limit counts voids',
    file: staffStore,
    find: "      .where('kind', '=', 'REFUND_SALE')\n",
    replace: '',
    why: 'refused for nothing',
  },
  {
    name: 'day of Greenwich',
    file: 'backend/staff/business-day.ts',
    find: 'toZonedDateTimeISO(timeZone)',
    replace: "toZonedDateTimeISO('UTC')",
    why: 'a new limit in the middle of the day',
  },
  {
    name: 'day of 24 hours',
    file: 'backend/staff/business-day.ts',
    find: 'start.add({ days: 1 }).startOfDay()',
    replace: 'start.add({ hours: 24 })',
    why: 'no limit in the last hour of the day the clocks go back',
  },
  {
    name: 'limits apply to voids',
    file: staffChecks,
    find: "if (operation.kind === 'CANCEL') return undefined;",
    replace: '',
    why: 'a void refused for nothing',
  },
  {
    name: 'amount not signed',
    file: 'shared/signing/canonical.ts',
    find: "  'kind',\n  'amount',\n",
    replace: "  'kind',\n",
    why: 'the amount is changed on its way',
  },
  {
    name: 'payment not signed',
    file: 'shared/signing/canonical.ts',
    find: "  'paymentId',\n  'kind',\n  'amount',\n",
    replace: "  'kind',\n  'amount',\n",
    why: 'another payment is refunded',
  },
  {
    name: 'authorised without a log entry',
    file: staffChecks,
    find: "await log(staff, { status: 'authorized', reason: null });\n      return ok(staff);",
    replace: 'return ok(staff);',
    why: 'nobody knows who refunded',
  },
  {
    name: 'wrong password without a log entry',
    file: staffChecks,
    find: "await log(staff, { status: 'failed', reason: 'invalid_signature' });",
    replace: '',
    why: 'nobody knows who guessed',
  },
  {
    name: 'chain not linked',
    file: 'backend/audit/store.ts',
    find: 'previousHash: head.hash,',
    replace: 'previousHash: genesisHash,',
    why: 'entries can be removed without a trace',
  },
];

const repeating: Mutant[] = [
  {
    name: 'key begun outside the transaction',
    file: reservation,
    find: 'const begun = await request.once?.begin(tx);',
    replace: "const begun = 'first' as string;",
    why: 'two calls with one key both go on',
    flow: 'sameKeyTwice',
  },
  {
    name: 'key serves another body',
    file: idempotency,
    find: "if (record.requestHash !== call.requestHash) return { kind: 'reused' };",
    replace: '',
    why: 'the answer to another question',
  },
  {
    name: 'first answer overwritten',
    file: 'backend/idempotency/store.ts',
    find: `      .where('createdAt', '=', arg('createdAt'))
      .where('responseStatus', 'is', null),
);

const endLease`,
    replace: `      .where('createdAt', '=', arg('createdAt')),
);

const endLease`,
    why: 'the same key gets two answers',
  },
];

export const mutants: readonly Mutant[] = [...reserving, ...sending, ...settling, ...authorising, ...repeating];
