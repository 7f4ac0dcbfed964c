import type { Mutant } from './mutant.ts';

const service = 'backend/withdrawals/service.ts';
const outcome = 'backend/withdrawals/outcome.ts';

/** Money that leaves a shop's node. */
export const payingOut: readonly Mutant[] = [
  {
    name: 'withdrawal sent again after an unknown outcome',
    file: service,
    find: 'const said = await lookup(row);',
    replace:
      "const found = await lookup(row);\n    const said = found.kind === 'notFound' ? await send({ ...row, nextPollAt: clock.now() + 1 }, await backends.ofBackend(row.backendId)) : found;",
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
    find: 'const remaining = Math.max(0, balance.sats - Number(reserved?.sats ?? 0) - owed);',
    replace: 'const remaining = Math.max(0, balance.sats - owed);',
    why: 'the same satoshis are promised twice',
  },
  {
    name: 'balance not looked at',
    file: service,
    find: "if (row.amountSats + (row.maxFeeSats ?? 0) > remaining) return { kind: 'insufficient_balance', remaining };",
    replace: '',
    why: 'more is promised than there is',
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
];
