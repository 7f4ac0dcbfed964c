import type { ActionInput } from '@florin/hardware-sim/actions.ts';
import { declineCodes, isBankDecline } from '@florin/hardware-sim/actions.ts';
import { afterEach, expect, test } from 'vitest';
import { ready } from './suite.ts';
import { aZvtWorld, type ZvtWorld } from './zvt-world.ts';

/** What testers make the bank of a ZVT reader do with the next sale. */
let world: ZvtWorld;
afterEach(() => world.close());

async function sellAfter(...actions: ActionInput[]) {
  world = await aZvtWorld();
  await ready(world.reader);
  for (const action of actions) await world.act(action);
  return sell('sale_1');
}

function sell(transactionId: string) {
  return world.reader.sale({
    transactionId,
    amount: { amountMinor: 1250, currency: 'EUR' },
    timeoutMs: 60_000,
    onStage: stage => stage === 'present_card' && void world.act({ do: 'tap', card: 'mastercard' }),
    authorise: () => Promise.reject(new Error('this reader authorises with its own processor')),
  });
}

test.each(Object.keys(declineCodes).filter(isBankDecline))('%s declines once, with its own code', async fault => {
  const outcome = await sellAfter({ do: 'bank', fault });
  const code = String(declineCodes[fault]).padStart(2, '0');
  expect(outcome).toEqual({ kind: 'declined', by: 'host', code });
  expect(world.ledger.chargesOf('sale_1')).toBe(0);
  await world.reader.confirm('sale_1');
  expect(await sell('sale_2')).toMatchObject({ kind: 'approved' });
});

test('a late answer is the one that the amount decides', async () => {
  expect(await sellAfter({ do: 'bank', fault: 'delay', delayMs: 5_000 })).toMatchObject({ kind: 'approved' });
  expect(world.ledger.chargesOf('sale_1')).toBe(1);
});

test('without an answer the reader approves nothing', async () => {
  const outcome = await sellAfter({ do: 'host_timeout', ms: 2_000 }, { do: 'bank', fault: 'hang' });
  expect(outcome).toMatchObject({ kind: 'declined' });
  expect(world.ledger.chargesOf('sale_1')).toBe(0);
});

test('what it does not know is refused in words', async () => {
  world = await aZvtWorld();
  const { simulator } = world;
  expect(await simulator.act({ do: 'bank', fault: 'loseReply' })).toMatchObject({ kind: 'not_supported' });
  expect(await simulator.act({ do: 'bank', fault: 'refer', request: 'refund' })).toMatchObject({
    kind: 'not_supported',
    message: 'a refund of a ZVT reader cannot be decided',
  });
});
