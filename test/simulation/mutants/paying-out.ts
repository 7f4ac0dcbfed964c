import type { Mutant } from './mutant.ts';

const service = 'backend/withdrawals/service.ts';
const outcome = 'backend/withdrawals/outcome.ts';

/** Money that leaves a shop's node. */
export const payingOut: readonly Mutant[] = [
  {
    name: 'withdrawal sent again after an unknown outcome',
    file: service,
    find: 'const answer = await lookup(row);',
    replace:
      "const found = await lookup(row);\n    const answer = found.kind === 'notFound' ? await send({ ...row, nextPollAt: clock.now() + 1 }, await backends.ofBackend(row.backendId)) : found;",
    why: 'the money leaves twice',
    flow: 'payOutOnChain',
  },
  {
    name: 'unknown withdrawal taken for failed',
    file: outcome,
    find: "case 'unknown':\n      return undefined;",
    replace: "case 'unknown':\n      return failed(row, 'other', now);",
    why: 'the merchant sends it again, and both leave',
    flow: 'payOutLightning',
  },
  {
    name: 'withdrawal under way not reserved',
    file: service,
    find: 'const remaining = Math.max(0, balance.sats - Number(reserved?.sats ?? 0) - due);',
    replace: 'const remaining = Math.max(0, balance.sats - due);',
    why: 'the same satoshis are promised twice',
    flow: 'payOutRace',
  },
  {
    name: 'balance not looked at',
    file: service,
    find: "if (row.amountSats + (row.maxFeeSats ?? 0) > remaining) return { kind: 'insufficient_balance', remaining };",
    replace: '',
    why: 'more is promised than there is',
    flow: 'payOutRace',
  },
  {
    name: 'withdrawal of a process that crashed sent again',
    file: service,
    find: 'if (earlier) return { row: earlier, isNew: false };',
    replace: 'if (earlier) return { row: { ...earlier, nextPollAt: clock.now() + 60_000 }, isNew: true };',
    why: 'a call that is repeated after a crash sends twice',
    flow: 'payOutOnChain',
  },
  {
    name: 'withdrawal sent before it is written down',
    file: service,
    find: 'const reserved = await reserve(request, row, {',
    replace: 'await send(row, node);\n      const reserved = await reserve(request, row, {',
    why: 'a crash in between leaves money gone and nothing about it',
    flow: 'payOutOnChain',
  },
  {
    name: 'withdrawal on its way taken for failed',
    file: outcome,
    find: "case 'inFlight':\n      return { ...underWay, status: 'pending' };",
    replace: "case 'inFlight':\n      return failed(row, 'other', now);",
    why: 'the merchant pays again with another invoice, and both arrive',
    flow: 'payOutLightning',
  },
  {
    name: 'withdrawal without a block taken for failed',
    file: outcome,
    find: ": { ...known, status: 'pending' };",
    replace: ": failed(row, 'other', now);",
    why: 'the merchant sends it again, and both are mined',
    flow: 'payOutOnChain',
  },
  {
    name: 'withdrawal of what is owed to customers',
    file: service,
    find: 'const due = await options.dueSats(tx, businessId);',
    replace: 'const due = 0;',
    why: 'what came too much is gone when the customer asks for it',
    flow: 'payOutOwed',
  },
  {
    name: 'withdrawal of a repeated call made anew',
    file: service,
    find: 'clientRequestId: request.write.clientRequestId,',
    replace: 'clientRequestId: null,',
    why: 'a call that is repeated after a crash makes a second withdrawal',
    flow: 'payOutOnChain',
  },
  {
    name: 'final withdrawal changed by what is known later',
    file: 'backend/withdrawals/store.ts',
    find: ".set(columnsOf(arg, outcomeColumns))\n    .where('id', '=', arg('id'))\n    .where('finalAt', 'is', null)",
    replace: ".set(columnsOf(arg, outcomeColumns))\n    .where('id', '=', arg('id'))",
    why: 'what was reported completed is open again, and is reserved a second time',
    flow: 'payOutHeldUp',
  },
  {
    name: 'withdrawal sent after its lease',
    file: service,
    find: "if (row.nextPollAt === null || clock.now() >= row.nextPollAt) return { kind: 'unknown', cause: 'timeout' };",
    replace: '',
    why: 'it leaves when the node was asked already, and may have been given up',
    flow: 'payOutHeldUp',
  },
];
