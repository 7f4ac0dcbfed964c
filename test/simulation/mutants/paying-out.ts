import type { Mutant } from './mutant.ts';

const service = 'backend/bitcoin/withdrawals/service.ts';
const outcome = 'backend/bitcoin/withdrawals/outcome.ts';

/** Bugs in withdrawals from a shop's node. */
export const payingOut: readonly Mutant[] = [
  {
    name: 'a withdrawal is sent again after an unknown outcome',
    file: service,
    find: 'const answer = await lookup(row);',
    replace:
      "const found = await lookup(row);\n    const answer = found.kind === 'notFound' ? await send({ ...row, nextPollAt: clock.now() + 1 }, await backends.ofBackend(row.backendId)) : found;",
    why: 'the money is sent twice',
    flow: 'payOutOnChain',
  },
  {
    name: 'an unknown withdrawal is treated as failed',
    file: outcome,
    find: "case 'unknown':\n      return undefined;",
    replace: "case 'unknown':\n      return failed(row, 'other', now);",
    why: 'the merchant sends it again, and both are paid',
    flow: 'payOutLightning',
  },
  {
    name: 'a withdrawal in progress is not reserved',
    file: service,
    find: 'const remaining = Math.max(0, balance.sats - Number(reserved?.sats ?? 0) - due);',
    replace: 'const remaining = Math.max(0, balance.sats - due);',
    why: 'the same satoshis are withdrawn twice',
    flow: 'payOutRace',
  },
  {
    name: 'the balance is not checked',
    file: service,
    find: "if (row.amountSats + (row.maxFeeSats ?? 0) > remaining) return { kind: 'insufficient_balance', remaining };",
    replace: '',
    why: 'more is accepted than the node has',
    flow: 'payOutRace',
  },
  {
    name: 'a withdrawal of a crashed process is sent again',
    file: service,
    find: 'if (earlier) return { row: earlier, isNew: false };',
    replace: 'if (earlier) return { row: { ...earlier, nextPollAt: clock.now() + 60_000 }, isNew: true };',
    why: 'a call that is repeated after a crash sends twice',
    flow: 'payOutOnChain',
  },
  {
    name: 'a withdrawal is sent before it is recorded',
    file: service,
    find: 'const reserved = await reserve(request, row, {',
    replace: 'await send(row, node);\n      const reserved = await reserve(request, row, {',
    why: 'after a crash the money is gone and there is no record of it',
    flow: 'payOutOnChain',
  },
  {
    name: 'a withdrawal in flight is treated as failed',
    file: outcome,
    find: "case 'inFlight':\n      return { ...underWay, status: 'pending' };",
    replace: "case 'inFlight':\n      return failed(row, 'other', now);",
    why: 'the merchant pays again with another invoice, and both arrive',
    flow: 'payOutLightning',
  },
  {
    name: 'an unconfirmed withdrawal is treated as failed',
    file: outcome,
    find: ": { ...known, status: 'pending' };",
    replace: ": failed(row, 'other', now);",
    why: 'the merchant sends it again, and both are mined',
    flow: 'payOutOnChain',
  },
  {
    name: 'money that must be returned to customers can be withdrawn',
    file: service,
    find: 'const due = await options.dueSats(tx, businessId);',
    replace: 'const due = 0;',
    why: 'an excess is gone when the customer claims it',
    flow: 'payOutDue',
  },
  {
    name: 'a repeated call makes another withdrawal',
    file: service,
    find: 'clientRequestId: request.write.clientRequestId,',
    replace: 'clientRequestId: null,',
    why: 'a call that is repeated after a crash makes a second withdrawal',
    flow: 'payOutOnChain',
  },
  {
    name: 'a final withdrawal can change',
    file: 'backend/bitcoin/withdrawals/store.ts',
    find: ".set(columnsOf(arg, outcomeColumns))\n    .where('id', '=', arg('id'))\n    .where('finalAt', 'is', null)",
    replace: ".set(columnsOf(arg, outcomeColumns))\n    .where('id', '=', arg('id'))",
    why: 'a withdrawal that was reported as completed is open again and reserved a second time',
    flow: 'payOutHeldUp',
  },
  {
    name: 'a withdrawal is sent after its lease',
    file: service,
    find: "if (row.nextPollAt === null || clock.now() >= row.nextPollAt) return { kind: 'unknown', cause: 'timeout' };",
    replace: '',
    why: 'it is sent after the node was queried and it may have been recorded as failed',
    flow: 'payOutHeldUp',
  },
];
