import type { Mutant } from './mutant.ts';

const reservation = 'backend/refunds/reservation.ts';
const idempotency = 'backend/idempotency/service.ts';

/** Idempotency-Keys. */
export const repeating: readonly Mutant[] = [
  {
    name: 'key begun outside the transaction',
    file: reservation,
    find: 'const begun = await request.write?.begin(tx);',
    replace: "const begun = 'new' as string;",
    why: 'two calls with one key both go on',
    flow: 'sameKeyTwice',
  },
  {
    name: 'key serves another body',
    file: idempotency,
    find: "if (record.requestHash !== request.requestHash) return { kind: 'reused' };",
    replace: '',
    why: 'the answer to another question',
  },
  {
    name: 'first response overwritten',
    file: 'backend/idempotency/store.ts',
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
    name: 'refusal stored',
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
    why: 'refused for three days because of one bad moment',
  },
  {
    name: 'lease not looked at',
    file: 'backend/idempotency/store.ts',
    find: `
    .where('responseStatus', 'is', null)
    .where('leaseUntil', '<=', arg('now')),`,
    replace: `
    .where('responseStatus', 'is', null),`,
    why: 'a call is finished by another while its own run is still at it',
    flow: 'sameKeyElsewhere',
  },
];
