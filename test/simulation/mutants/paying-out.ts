import { bugsIn } from './mutant.ts';

/** Bugs in withdrawals from a shop's node. */
export const payingOut = bugsIn({
  'backend/bitcoin/withdrawals/service.ts': [
    {
      name: 'a withdrawal is sent again after an unknown outcome',
      find: 'const answer = await lookup(row);',
      replace:
        "const found = await lookup(row);\n    const answer = found.kind === 'notFound' ? await send({ ...row, nextPollAt: clock.now() + 1 }, await backends.ofBackend(row.backendId)) : found;",
      flow: 'payOutOnChain',
    },
    {
      name: 'a withdrawal in progress is not reserved',
      find: 'const remaining = Math.max(0, balance.sats - Number(reserved?.sats ?? 0) - due);',
      replace: 'const remaining = Math.max(0, balance.sats - due);',
      flow: 'payOutRace',
    },
    {
      name: 'the balance is not checked',
      find: "if (row.amountSats + (row.maxFeeSats ?? 0) > remaining) return { kind: 'insufficient_balance', remaining };",
      replace: '',
      flow: 'payOutRace',
    },
    {
      name: 'a withdrawal of a crashed process is sent again',
      find: 'if (earlier) return { row: earlier, isNew: false };',
      replace: 'if (earlier) return { row: { ...earlier, nextPollAt: clock.now() + 60_000 }, isNew: true };',
      flow: 'payOutOnChain',
    },
    {
      name: 'a withdrawal is sent before it is recorded',
      find: 'const reserved = await reserve(request, row, {',
      replace: 'await send(row, node);\n      const reserved = await reserve(request, row, {',
      flow: 'payOutOnChain',
    },
    {
      name: 'money that must be returned to customers can be withdrawn',
      find: 'const due = await options.dueSats(tx, businessId);',
      replace: 'const due = 0;',
      flow: 'payOutDue',
    },
    {
      name: 'a repeated call makes another withdrawal',
      find: 'clientRequestId: request.write.clientRequestId,',
      replace: 'clientRequestId: null,',
      flow: 'payOutOnChain',
    },
    {
      name: 'a withdrawal is sent after its lease',
      find: "if (row.nextPollAt === null || clock.now() >= row.nextPollAt) return { kind: 'unknown', cause: 'timeout' };",
      replace: '',
      flow: 'payOutHeldUp',
    },
  ],
  'backend/bitcoin/withdrawals/outcome.ts': [
    {
      name: 'an unknown withdrawal is treated as failed',
      find: "case 'unknown':\n      return undefined;",
      replace: "case 'unknown':\n      return failed(row, 'other', now);",
      flow: 'payOutLightning',
    },
    {
      name: 'a withdrawal in flight is treated as failed',
      find: "case 'inFlight':\n      return { ...underWay, status: 'pending' };",
      replace: "case 'inFlight':\n      return failed(row, 'other', now);",
      flow: 'payOutLightning',
    },
    {
      name: 'an unconfirmed withdrawal is treated as failed',
      find: ": { ...known, status: 'pending' };",
      replace: ": failed(row, 'other', now);",
      flow: 'payOutOnChain',
    },
  ],
  'backend/bitcoin/withdrawals/store.ts': [
    {
      name: 'a final withdrawal can change',
      find: ".set(columnsOf(arg, outcomeColumns))\n    .where('id', '=', arg('id'))\n    .where('finalAt', 'is', null)",
      replace: ".set(columnsOf(arg, outcomeColumns))\n    .where('id', '=', arg('id'))",
      flow: 'payOutHeldUp',
    },
  ],
});
