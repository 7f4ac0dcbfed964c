import type { Mutant } from './mutant.ts';

const refundStore = 'backend/refunds/store.ts';
const settlement = 'backend/refunds/outcome.ts';
const paymentStore = 'backend/payments/store.ts';
const outcomePolling = 'backend/jobs/outcome-polling.ts';
const paymentModule = 'backend/payments/module.ts';

/** Taking over an outcome, from wherever it becomes known. */
export const settling: readonly Mutant[] = [
  {
    name: 'an event is skipped',
    file: 'backend/events/dispatcher.ts',
    find: 'const rows = await tx.all(eventsAfter, { after: before, limit: batch });',
    replace: 'const rows = await tx.all(eventsAfter, { after: before + 1, limit: batch });',
    why: 'a webhook that never comes',
  },
  {
    name: 'final refund overwritten',
    file: refundStore,
    find: "        'resolutionJson',\n      ]),\n    )\n    .where('id', '=', arg('id'))\n    .where('status', '=', 'pending'),",
    replace: "        'resolutionJson',\n      ]),\n    )\n    .where('id', '=', arg('id')),",
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
    find: 'const voided = await tx.first(voidPayment, { id, heldMinor, annulledAt: clock.now() });',
    replace: 'const voided = await tx.first(releaseMinor, { id, heldMinor, refundedMinor: heldMinor });',
    why: 'a voided payment looks paid',
  },
  {
    name: 'told twice',
    file: settlement,
    find: 'return { refund, payment, changed: true };',
    replace:
      // biome-ignore lint/suspicious/noTemplateCurlyInString: what is planted is source text.
      'await timeline.announce(tx, { businessId, type: `refund.${status}`, subjectId: id, payload: {} });\n      return { refund, payment, changed: true };',
    why: 'the merchant books it twice',
  },
  {
    name: 'told although nothing changed',
    file: settlement,
    find: 'await contradict(tx, final, outcome, knownBy);',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what is planted is source text.
    replace: 'await timeline.announce(tx, { businessId, type: `refund.${final.status}`, subjectId: id, payload: {} });',
    why: 'the merchant books it twice',
    flow: 'refundSale',
  },
  ...(['refundSale', 'sale'] as const).map(flow => ({
    name: `rejected callback about a ${flow} believed`,
    file: 'backend/gateways/callbacks.ts',
    find: '        await reject(accountId, reading);\n',
    replace: `        await reject(accountId, reading);
        if (found && reading.claimed.approved && reading.claimed.uniqueReference !== undefined)
          await found.owner.takeOutcome(reading.claimed.uniqueReference, {
            kind: 'approved', gatewayReference: reading.claimed.gatewayReference ?? '', message: '',
          });
`,
    why: 'an approval of another amount taken for ours',
    flow,
  })),
  {
    name: 'decided by hand while it may still leave',
    file: 'backend/jobs/polling.ts',
    find: 'return leftMs <= 0 || from <= now ? undefined : from;',
    replace: 'return leftMs <= now ? undefined : from;',
    why: 'freed by a manager and sent a moment later',
  },
  {
    name: 'settled under a void',
    file: paymentStore,
    find: `      })
      .where('id', '=', arg('id'))
      .where('status', '=', 'unsettled')
      .where('reservedMinor', '=', 0)`,
    replace: `      })
      .where('id', '=', arg('id'))
      .where('status', '=', 'unsettled')
  `,
    why: 'a void of a settled payment',
    flow: 'voidMeetsSettlement',
  },
  {
    name: 'not found believed at once',
    file: 'backend/jobs/polling.ts',
    find: '>= settings.notFoundIsFinalAfterMs;',
    replace: '>= 30_000;',
    why: 'given up while still on its way',
    flow: 'refundSale',
  },
  {
    name: 'no answer taken for not found',
    file: outcomePolling,
    find: "case 'unanswered':\n        break;",
    replace: "case 'unanswered':\n        await operations.failNotReceived(row);\n        return;",
    why: 'given up because the gateway was busy',
  },
  {
    name: 'no answer about a sale taken for not found',
    file: outcomePolling,
    find: "case 'unanswered':\n        break;",
    replace:
      "case 'unanswered':\n        if (operations.what === 'an authorisation') await operations.failNotReceived(row);\n        return;",
    why: 'charged, and no record of it',
  },
  {
    name: 'nobody asks after refunds',
    file: 'backend/refunds/module.ts',
    find: 'run: () => recovery.recover()',
    replace: 'run: async () => 0',
    why: 'pending for ever',
  },
  {
    name: 'nobody asks after sales',
    file: paymentModule,
    find: 'run: () => recover()',
    replace: 'run: async () => 0',
    why: 'pending for ever',
  },
  {
    name: 'sales given up are not taken back',
    file: paymentModule,
    find: 'run: () => reversals.run(polling.batch)',
    replace: 'run: async () => 0',
    why: 'charged for a sale that failed',
    flow: 'reverseMeanwhile',
  },
  {
    name: 'a reversal that meets the settlement is dropped',
    file: 'backend/payments/reversal.ts',
    find: "const kind = payment.status === 'settled' ? 'REFUND_SALE' : 'CANCEL';",
    replace: "const kind = 'CANCEL';",
    why: 'the customer pays for a sale that was given up',
  },
];
