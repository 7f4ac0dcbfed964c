import { bugsIn } from './mutant.ts';

/** Bugs in Idempotency-Keys. */
export const repeating = bugsIn({
  'backend/money/refunds/reservation.ts': [
    {
      name: 'a key is stored outside the transaction',
      find: 'const begun = await request.write?.begin(tx);',
      replace: "const begun = 'new' as string;",
      flow: 'sameKeyTwice',
    },
  ],
  'backend/foundation/idempotency/service.ts': [
    {
      name: 'a key is accepted with another body',
      find: "if (record.requestHash !== request.requestHash) return { kind: 'reused' };",
      replace: '',
    },
    {
      name: 'a refusal is stored',
      find: 'if (!call.isFinished) await giveBack(request, call.begun);',
      replace: `if (!call.isFinished && call.begun)
        await database.write(tx =>
          tx.run(storeResponse, {
            businessId: request.businessId,
            key: request.key,
            createdAt,
            responseStatus: 409,
            responseBody: JSON.stringify(response),
          }),
        );`,
    },
  ],
  'backend/foundation/idempotency/store.ts': [
    {
      name: 'the first response is overwritten',
      find: `    .where('createdAt', '=', arg('createdAt'))
    .where('responseStatus', 'is', null),
);

/** Renews the leases`,
      replace: `    .where('createdAt', '=', arg('createdAt')),
);

/** Renews the leases`,
      flow: 'sameKeyElsewhere',
    },
    {
      name: 'the lease of a key is not checked',
      find: `
    .where('responseStatus', 'is', null)
    .where('leaseUntil', '<=', arg('now')),`,
      replace: `
    .where('responseStatus', 'is', null),`,
      flow: 'sameKeyElsewhere',
    },
  ],
});
