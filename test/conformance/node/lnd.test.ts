import { afterAll, beforeAll, expect, test } from 'vitest';
import { anLndWorld } from './world.ts';

let world: Awaited<ReturnType<typeof anLndWorld>>;
beforeAll(async () => {
  world = await anLndWorld();
});
afterAll(() => world.close());

test('an invoice is made, paid by a wallet and found settled with its preimage', async () => {
  const { node, control } = world;
  const made = await node.createInvoice({
    label: 'inv-1',
    amountSats: 1_234,
    description: { memo: 'Tea' },
    expiresInSeconds: 900,
  });
  if (made.kind !== 'created') throw new Error(JSON.stringify(made));
  const { paymentHash } = made.invoice;
  expect(await node.lookupInvoice(paymentHash)).toEqual({ kind: 'open' });
  control.invoices.pay(paymentHash, {});
  expect(await node.lookupInvoice(paymentHash)).toMatchObject({
    kind: 'settled',
    paymentHash,
    receivedMsat: 1_234_000,
  });
});

test('the same label is the same invoice', async () => {
  const request = { label: 'inv-2', amountSats: 5, description: { memo: '' }, expiresInSeconds: 60 };
  const first = await world.node.createInvoice(request);
  expect(first).toMatchObject({ kind: 'created' });
  expect(await world.node.createInvoice(request)).toEqual(first);
  expect(await world.node.createInvoice({ ...request, amountSats: 6 })).toEqual({ kind: 'label_taken' });
});
