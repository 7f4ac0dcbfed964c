import type { Mutant } from './mutant.ts';

const reservation = 'backend/money/refunds/reservation.ts';
const idempotency = 'backend/foundation/idempotency/service.ts';

/** Bugs in Idempotency-Keys. */
export const repeating: readonly Mutant[] = [
  {
    name: 'a key is stored outside the transaction',
    file: reservation,
    find: 'const begun = await request.write?.begin(tx);',
    replace: "const begun = 'new' as string;",
    why: 'two calls with one key both proceed',
    flow: 'sameKeyTwice',
  },
  {
    name: 'a key is accepted with another body',
    file: idempotency,
    find: "if (record.requestHash !== request.requestHash) return { kind: 'reused' };",
    replace: '',
    why: 'a call gets the answer to another request',
  },
  {
    name: 'the first response is overwritten',
    file: 'backend/foundation/idempotency/store.ts',
    find: `    .where('createdAt', '=', arg('createdAt'))
    .where('responseStatus', 'is', null),
);

/** A lease is only`,
    replace: `    .where('createdAt', '=', arg('createdAt')),
);

/** A lease is only`,
    why: 'the same key gets two responses',
    flow: 'sameKeyElsewhere',
  },
  {
    name: 'a refusal is stored',
    file: idempotency,
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
    why: 'a temporary fault is repeated for three days',
  },
  {
    name: 'the lease of a key is not checked',
    file: 'backend/foundation/idempotency/store.ts',
    find: `
    .where('responseStatus', 'is', null)
    .where('leaseUntil', '<=', arg('now')),`,
    replace: `
    .where('responseStatus', 'is', null),`,
    why: 'another process finishes a call that is still running',
    flow: 'sameKeyElsewhere',
  },
];
