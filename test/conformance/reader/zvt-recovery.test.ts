import { afterEach, expect, test } from 'vitest';
import { ready } from './suite.ts';
import { aZvtWorld, type ZvtWorld } from './zvt-world.ts';

let world: ZvtWorld;
afterEach(() => world.close());

function sell(id = 'sale_1') {
  return world.reader.sale({
    transactionId: id,
    amount: { amountMinor: 1250, currency: 'EUR' },
    timeoutMs: 60_000,
    onStage: stage => stage === 'present_card' && void world.simulator.act({ do: 'tap', card: 'mastercard' }),
    authorise: () => Promise.reject(new Error('this reader authorises with its own processor')),
  });
}

test('an approval that was lost and that the reader reversed by itself is not an approval', async () => {
  world = await aZvtWorld({ supportsSynchronisation: false });
  await ready(world.reader);
  await world.act({ do: 'approve_then_unplug' });
  expect(await sell()).toEqual({ kind: 'unknown' });
  expect(await world.reader.last('sale_1')).toEqual({ kind: 'unreachable' });
  const reversed = () => world.zvt.processor.movements.some(({ kind }) => kind === 'reversal');
  await expect.poll(reversed).toBe(true);
  await world.act({ do: 'replug' });
  await ready(world.reader);
  await expect.poll(async () => (await world.reader.last('sale_1')).kind).toBe('done');
  const memory = await world.reader.last('sale_1');
  expect(memory.kind === 'done' && ['cancelled', 'declined']).toContain(memory.kind === 'done' && memory.outcome.kind);
  expect(world.ledger.chargesOf('sale_1')).toBe(0);
});

test('an approval is in the terminal’s storage before the reader is told so', async () => {
  world = await aZvtWorld();
  await ready(world.reader);
  const outcome = sell();
  let storedAtAnswer: string | undefined;
  world.simulator.onChange(() => {
    const { events } = world.simulator.timeline;
    const told = events.findIndex(({ frame }) => frame?.name === '04 0F');
    const answered =
      told >= 0 && events.slice(told).some(({ lane, frame }) => lane === 'terminal' && frame?.name.includes('80 00'));
    if (answered) storedAtAnswer ??= world.storage.read();
  });
  expect(await outcome).toMatchObject({ kind: 'approved', card: { scheme: 'Mastercard', lastFour: '0191' } });
  expect(storedAtAnswer).toContain('"trace":"000001"');
});

test('receipts that the reader prints come with the approval, by whom they are for', async () => {
  world = await aZvtWorld();
  await ready(world.reader);
  const approved = await sell();
  const receipts = (approved.kind === 'approved' && approved.receipts) || [];
  expect(receipts.map(({ copy }) => copy)).toEqual(['merchant', 'customer']);
  expect(receipts[0]?.lines.map(line => line.trim())).toContain('Händlerbeleg');
});

test('a transaction of a terminal that lost its storage is forgotten, never started again', async () => {
  world = await aZvtWorld();
  const { bootId = '' } = await ready(world.reader);
  await world.act({ do: 'approve_then_unplug' });
  await sell();
  await world.reader.close();
  world.storage.write('');
  await world.act({ do: 'replug' });
  const reader = world.open([world.simulator.path]);
  await ready(reader);
  expect(await reader.last('sale_1', { underBootId: bootId })).toEqual({ kind: 'forgotten' });
  await reader.close();
});
