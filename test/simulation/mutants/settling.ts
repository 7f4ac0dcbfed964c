import { bugsIn } from './mutant.ts';

/** Bugs in recording an outcome from a reply, callback or lookup. */
export const settling = bugsIn({
  'backend/foundation/events/dispatcher.ts': [
    {
      name: 'an event is skipped',
      find: 'const due = events.filter(({ row }) => row.position > saved);',
      replace: 'const due = events.filter(({ row }) => row.position > saved + 1);',
    },
  ],
  'backend/money/refunds/store.ts': [
    {
      name: 'a final refund is overwritten',
      find: "        'resolutionJson',\n      ]),\n    )\n    .where('id', '=', arg('id'))\n    .where('status', '=', 'pending'),",
      replace: "        'resolutionJson',\n      ]),\n    )\n    .where('id', '=', arg('id')),",
      flow: 'refundSale',
    },
  ],
  'backend/money/refunds/outcome.ts': [
    {
      name: 'a refusal keeps the reservation',
      find: "if (status !== 'approved') return tx.first(releaseMinor, { id, heldMinor, refundedMinor: 0 });",
      replace: "if (status !== 'approved') return tx.first(paymentById, { businessId, id });",
    },
    {
      name: 'a refusal counts as refunded',
      find: "if (status !== 'approved') return tx.first(releaseMinor, { id, heldMinor, refundedMinor: 0 });",
      replace: '',
    },
    {
      name: 'an approval is not counted',
      find: 'return tx.first(releaseMinor, { id, heldMinor, refundedMinor: heldMinor });',
      replace: 'return tx.first(releaseMinor, { id, heldMinor, refundedMinor: 0 });',
    },
    {
      name: 'a void leaves the payment taken',
      find: 'const voided = await tx.first(voidPayment, { id, heldMinor, voidedOrRejectedAt: clock.now() });',
      replace: 'const voided = await tx.first(releaseMinor, { id, heldMinor, refundedMinor: heldMinor });',
    },
    {
      name: 'an outcome is announced twice',
      find: 'return { refund, payment, changed: true };',
      replace:
        // biome-ignore lint/suspicious/noTemplateCurlyInString: what is planted is source text.
        'await events.announce(tx, { businessId, type: `refund.${status}`, subjectId: id, payload: {} });\n      return { refund, payment, changed: true };',
    },
    {
      name: 'the outcome of a refund is not announced',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: what is planted is source text.
      find: 'type: `refund.${status}`,',
      replace: "type: 'refund.unknown',",
    },
    {
      name: 'an outcome is announced although nothing changed',
      find: 'await contradict(tx, final, outcome, knownBy);',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: what is planted is source text.
      replace: 'await events.announce(tx, { businessId, type: `refund.${final.status}`, subjectId: id, payload: {} });',
      flow: 'refundSale',
    },
  ],
  'backend/gateways/callbacks.ts': (['refundSale', 'sale'] as const).map(flow => ({
    name: `a rejected callback about a ${flow} is accepted`,
    find: '        await reject(accountId, reading);\n',
    replace: `        await reject(accountId, reading);
        if (found && reading.claimed.approved && reading.claimed.uniqueReference !== undefined)
          await found.owner.takeOutcome(reading.claimed.uniqueReference, {
            kind: 'approved', gatewayReference: reading.claimed.gatewayReference ?? '', message: '',
          });
`,
    flow,
  })),
  'backend/foundation/jobs/polling.ts': [
    {
      name: 'a person can decide while the refund may still be sent',
      find: 'return leftMs <= 0 || from <= now ? undefined : from;',
      replace: 'return leftMs <= now ? undefined : from;',
    },
    {
      name: '"not found" is final at once',
      find: '>= settings.notFoundIsFinalAfterMs;',
      replace: '>= 30_000;',
      flow: 'refundSale',
    },
  ],
  'backend/money/payments/store.ts': [
    {
      name: 'a payment is settled during a void',
      find: `      })
      .where('id', '=', arg('id'))
      .where('status', '=', 'unsettled')
      .where('reservedMinor', '=', 0)`,
      replace: `      })
      .where('id', '=', arg('id'))
      .where('status', '=', 'unsettled')
  `,
      flow: 'voidMeetsSettlement',
    },
  ],
  'backend/gateways/outcome-polling.ts': [
    {
      name: 'no answer counts as "not found"',
      find: "case 'unanswered':\n        break;",
      replace: "case 'unanswered':\n        await operations.failNotReceived(row);\n        return;",
    },
    {
      name: 'no answer about a sale counts as "not found"',
      find: "case 'unanswered':\n        break;",
      replace:
        "case 'unanswered':\n        if (operations.what === 'an authorisation') await operations.failNotReceived(row);\n        return;",
    },
  ],
  'backend/money/refunds/module.ts': [
    { name: 'refunds are not polled', find: 'run: () => recovery.recover()', replace: 'run: async () => 0' },
  ],
  'backend/money/payments/module.ts': [
    { name: 'sales are not polled', find: 'run: () => recover()', replace: 'run: async () => 0' },
    {
      name: 'reversed sales are not voided',
      find: 'run: () => reversals.run(polling.batch)',
      replace: 'run: async () => 0',
      flow: 'reverseMeanwhile',
    },
  ],
  'backend/money/payments/reversal.ts': [
    {
      name: 'a reversal during the settlement is dropped',
      find: "const kind = payment.status === 'settled' ? 'REFUND_SALE' : 'CANCEL';",
      replace: "const kind = 'CANCEL';",
    },
  ],
});
