import type { Mutant } from './mutant.ts';

const refundStore = 'backend/money/refunds/store.ts';
const settlement = 'backend/money/refunds/outcome.ts';
const paymentStore = 'backend/money/payments/store.ts';
const outcomePolling = 'backend/gateways/outcome-polling.ts';
const paymentModule = 'backend/money/payments/module.ts';

/** Bugs in recording an outcome from a reply, callback or lookup. */
export const settling: readonly Mutant[] = [
  {
    name: 'an event is skipped',
    file: 'backend/foundation/events/dispatcher.ts',
    find: 'const rows = await tx.all(eventsAfter, { after: before, limit: batch });',
    replace: 'const rows = await tx.all(eventsAfter, { after: before + 1, limit: batch });',
    why: 'a webhook is never sent',
  },
  {
    name: 'a final refund is overwritten',
    file: refundStore,
    find: "        'resolutionJson',\n      ]),\n    )\n    .where('id', '=', arg('id'))\n    .where('status', '=', 'pending'),",
    replace: "        'resolutionJson',\n      ]),\n    )\n    .where('id', '=', arg('id')),",
    why: 'a late answer settles it twice',
    flow: 'refundSale',
  },
  {
    name: 'a refusal keeps the reservation',
    file: settlement,
    find: "if (status !== 'approved') return tx.first(releaseMinor, { id, heldMinor, refundedMinor: 0 });",
    replace: "if (status !== 'approved') return tx.first(paymentById, { businessId, id });",
    why: 'the money can never be refunded',
  },
  {
    name: 'a refusal counts as refunded',
    file: settlement,
    find: "if (status !== 'approved') return tx.first(releaseMinor, { id, heldMinor, refundedMinor: 0 });",
    replace: '',
    why: 'the money can never be refunded',
  },
  {
    name: 'an approval is not counted',
    file: settlement,
    find: 'return tx.first(releaseMinor, { id, heldMinor, refundedMinor: heldMinor });',
    replace: 'return tx.first(releaseMinor, { id, heldMinor, refundedMinor: 0 });',
    why: 'the payment can be refunded again and again',
  },
  {
    name: 'a void leaves the payment taken',
    file: settlement,
    find: 'const voided = await tx.first(voidPayment, { id, heldMinor, voidedOrRejectedAt: clock.now() });',
    replace: 'const voided = await tx.first(releaseMinor, { id, heldMinor, refundedMinor: heldMinor });',
    why: 'a voided payment looks paid',
  },
  {
    name: 'an outcome is announced twice',
    file: settlement,
    find: 'return { refund, payment, changed: true };',
    replace:
      // biome-ignore lint/suspicious/noTemplateCurlyInString: what is planted is source text.
      'await events.announce(tx, { businessId, type: `refund.${status}`, subjectId: id, payload: {} });\n      return { refund, payment, changed: true };',
    why: 'the merchant books it twice',
  },
  {
    name: 'the outcome of a refund is not announced',
    file: settlement,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what is planted is source text.
    find: 'type: `refund.${status}`,',
    replace: "type: 'refund.unknown',",
    why: 'the timeline and the merchant never learn of it',
  },
  {
    name: 'an outcome is announced although nothing changed',
    file: settlement,
    find: 'await contradict(tx, final, outcome, knownBy);',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what is planted is source text.
    replace: 'await events.announce(tx, { businessId, type: `refund.${final.status}`, subjectId: id, payload: {} });',
    why: 'the merchant books it twice',
    flow: 'refundSale',
  },
  ...(['refundSale', 'sale'] as const).map(flow => ({
    name: `a rejected callback about a ${flow} is accepted`,
    file: 'backend/gateways/callbacks.ts',
    find: '        await reject(accountId, reading);\n',
    replace: `        await reject(accountId, reading);
        if (found && reading.claimed.approved && reading.claimed.uniqueReference !== undefined)
          await found.owner.takeOutcome(reading.claimed.uniqueReference, {
            kind: 'approved', gatewayReference: reading.claimed.gatewayReference ?? '', message: '',
          });
`,
    why: 'an approval of another amount is accepted',
    flow,
  })),
  {
    name: 'a person can decide while the refund may still be sent',
    file: 'backend/foundation/jobs/polling.ts',
    find: 'return leftMs <= 0 || from <= now ? undefined : from;',
    replace: 'return leftMs <= now ? undefined : from;',
    why: 'a manager releases the amount and it is sent a moment later',
  },
  {
    name: 'a payment is settled during a void',
    file: paymentStore,
    find: `      })
      .where('id', '=', arg('id'))
      .where('status', '=', 'unsettled')
      .where('reservedMinor', '=', 0)`,
    replace: `      })
      .where('id', '=', arg('id'))
      .where('status', '=', 'unsettled')
  `,
    why: 'a settled payment is voided',
    flow: 'voidMeetsSettlement',
  },
  {
    name: '"not found" is final at once',
    file: 'backend/foundation/jobs/polling.ts',
    find: '>= settings.notFoundIsFinalAfterMs;',
    replace: '>= 30_000;',
    why: 'a refund fails that is still in transit',
    flow: 'refundSale',
  },
  {
    name: 'no answer counts as "not found"',
    file: outcomePolling,
    find: "case 'unanswered':\n        break;",
    replace: "case 'unanswered':\n        await operations.failNotReceived(row);\n        return;",
    why: 'a refund fails because the gateway was busy',
  },
  {
    name: 'no answer about a sale counts as "not found"',
    file: outcomePolling,
    find: "case 'unanswered':\n        break;",
    replace:
      "case 'unanswered':\n        if (operations.what === 'an authorisation') await operations.failNotReceived(row);\n        return;",
    why: 'the customer is charged without a record of it',
  },
  {
    name: 'refunds are not polled',
    file: 'backend/money/refunds/module.ts',
    find: 'run: () => recovery.recover()',
    replace: 'run: async () => 0',
    why: 'a refund stays pending indefinitely',
  },
  {
    name: 'sales are not polled',
    file: paymentModule,
    find: 'run: () => recover()',
    replace: 'run: async () => 0',
    why: 'a sale stays pending indefinitely',
  },
  {
    name: 'reversed sales are not voided',
    file: paymentModule,
    find: 'run: () => reversals.run(polling.batch)',
    replace: 'run: async () => 0',
    why: 'the customer is charged for a sale that failed',
    flow: 'reverseMeanwhile',
  },
  {
    name: 'a reversal during the settlement is dropped',
    file: 'backend/money/payments/reversal.ts',
    find: "const kind = payment.status === 'settled' ? 'REFUND_SALE' : 'CANCEL';",
    replace: "const kind = 'CANCEL';",
    why: 'the customer pays for a sale that was reversed',
  },
];
