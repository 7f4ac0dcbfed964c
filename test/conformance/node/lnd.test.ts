import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aLabel, nodeSuite, receivingSuite } from './suite.ts';
import { anLndWorld } from './world.ts';

nodeSuite('lnd', anLndWorld);
receivingSuite('lnd', anLndWorld);

describe('lnd', () => {
  let world: Awaited<ReturnType<typeof anLndWorld>>;
  beforeAll(async () => {
    world = await anLndWorld();
  });
  afterAll(() => world.close());
  beforeEach(() => world.control.clearFaults());

  async function anInvoice() {
    const request = { label: aLabel(), amountSats: 1_000, description: { memo: 'Tea' }, expiresInSeconds: 900 };
    const made = await world.node.createInvoice(request);
    if (made.kind !== 'created') throw new Error(JSON.stringify(made));
    return made.invoice;
  }
  async function anAddress(): Promise<string> {
    const made = await world.node.newAddress();
    if (made.kind !== 'answered') throw new Error(JSON.stringify(made));
    return made.value.address;
  }

  test('is trusted only with its own certificate', async () => {
    const other = await anLndWorld();
    const rejected = { kind: 'unknown', cause: 'certificate_rejected' };
    expect(await world.open({ certificate: other.sandbox.certificate }).info()).toEqual(rejected);
    expect(await world.open({ certificate: undefined }).info()).toEqual(rejected);
    // The certificate is not for that name.
    expect(await world.open({ url: world.sandbox.url.replace('127.0.0.1', '127.0.0.2') }).info()).toMatchObject({
      kind: 'unknown',
    });
    await other.close();
  });

  test('takes a macaroon in hexadecimal or base64', async () => {
    const { admin } = world.sandbox.macaroons;
    for (const macaroon of [admin, admin.toUpperCase(), Buffer.from(admin, 'hex').toString('base64')])
      expect(await world.open({}, macaroon).info()).toMatchObject({ kind: 'answered', value: { network: 'regtest' } });
  });

  test('reports a payment as paid only with its preimage', async () => {
    const { paymentHash } = await anInvoice();
    world.pay(paymentHash);
    const forged = { r_preimage: Buffer.alloc(32, 1).toString('base64') };
    world.control.addFault({ kind: 'wrongFields', call: 'LOOKUP_INVOICE', fields: forged });
    expect(await world.node.lookupInvoice(paymentHash)).toEqual({ kind: 'unknown', cause: 'malformed' });
    const another = { r_hash: Buffer.alloc(32, 2).toString('base64') };
    world.control.addFault({ kind: 'wrongFields', call: 'LOOKUP_INVOICE', fields: another });
    expect(await world.node.lookupInvoice(paymentHash)).toEqual({ kind: 'unknown', cause: 'malformed' });
    const beyond = { amt_paid_msat: '9007199254740993' };
    world.control.addFault({ kind: 'wrongFields', call: 'LOOKUP_INVOICE', fields: beyond });
    expect(await world.node.lookupInvoice(paymentHash)).toEqual({ kind: 'unknown', cause: 'malformed' });
    expect(await world.node.lookupInvoice(paymentHash)).toMatchObject({ kind: 'settled' });
  });

  test('creates no invoice if the reply has one of another amount, hash or network', async () => {
    const genuine = await anInvoice();
    const request = { label: aLabel(), amountSats: 1_000, description: { memo: 'Tea' }, expiresInSeconds: 900 };
    world.control.addFault({
      kind: 'wrongFields',
      call: 'ADD_INVOICE',
      fields: { payment_request: genuine.bolt11 },
    });
    expect(await world.node.createInvoice(request)).toEqual({ kind: 'unknown', cause: 'malformed' });
  });

  test('is not ready while it is locked', async () => {
    world.control.addFault({ kind: 'walletLocked', times: 2 });
    expect(await world.node.info()).toMatchObject({ kind: 'unknown', cause: 'not_ready' });
    expect(await world.node.lookupInvoice('ab'.repeat(32))).toMatchObject({ kind: 'unknown', cause: 'not_ready' });
  });

  test('reports a held invoice, and cancels an unpaid one', async () => {
    const [held, unwanted] = [await anInvoice(), await anInvoice()];
    world.control.invoices.pay(held.paymentHash, { hold: true });
    expect(await world.node.lookupInvoice(held.paymentHash)).toEqual({ kind: 'held' });
    expect(await world.node.cancelInvoice(unwanted.paymentHash)).toEqual({ kind: 'answered', value: null });
    expect(await world.node.lookupInvoice(unwanted.paymentHash)).toEqual({ kind: 'cancelled' });
    world.control.invoices.release(held.paymentHash, 'settle');
    expect(await world.node.cancelInvoice(held.paymentHash)).toEqual({ kind: 'answered', value: null });
    expect(await world.node.lookupInvoice(held.paymentHash)).toMatchObject({ kind: 'settled' });
  });

  test('finds in a lookup what its stream missed, and may report an event twice', async () => {
    const [lost, repeated] = [await anInvoice(), await anInvoice()];
    const abort = new AbortController();
    const reported: string[] = [];
    let open = false;
    const ended = world.node.followInvoices({
      after: null,
      signal: abort.signal,
      onOpen: () => {
        open = true;
      },
      onSettled: async ({ paymentHash }) => void reported.push(paymentHash),
    });
    await expect.poll(() => open).toBe(true);
    world.control.addFault({ kind: 'loseEvent', call: 'SUBSCRIBE_INVOICES' });
    world.pay(lost.paymentHash);
    world.control.addFault({ kind: 'repeatEvent', call: 'SUBSCRIBE_INVOICES' });
    world.pay(repeated.paymentHash);
    await expect.poll(() => reported).toEqual([repeated.paymentHash, repeated.paymentHash]);
    abort.abort();
    expect(await ended).toEqual({ kind: 'aborted' });
    expect(await world.node.lookupInvoice(lost.paymentHash)).toMatchObject({ kind: 'settled' });
  });

  describe('on chain', () => {
    test('payments from before an address was created are not read', async () => {
      const { chain } = world.control;
      const made = await world.node.newAddress();
      if (made.kind !== 'answered') throw new Error(JSON.stringify(made));
      const { address, chainHeight } = made.value;
      expect(chainHeight).toBe(chain.height());
      const { txId } = chain.payTo(address, 5_000);
      chain.mine(300);
      const since = async (height: number | null | undefined) => {
        const answer = await world.node.addressPayments([address], height);
        return answer.kind === 'answered' ? answer.value.map(payment => payment.txId) : answer;
      };
      expect(await since(chainHeight)).toEqual([txId]);
      expect(await since(null)).toEqual([txId]);
      // For an address created now, blocks deeper than any reorganisation are not read.
      expect(await since(chain.height())).toEqual([]);
    });

    test('what the wallet sent is listed by its label, and its change and its channels are no payments', async () => {
      const { chain } = world.control;
      const own = await anAddress();
      chain.payTo(own, 100_000);
      chain.mine(1);
      const label = aLabel();
      const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
      const sent = await world.node.sendOnChain({ label, address, amountSats: 10_000 });
      if (sent.kind !== 'sent') throw new Error(JSON.stringify(sent));
      const ofLnd = '0:openchannel:shortchanid-7';
      const channel = await world.node.sendOnChain({ label: ofLnd, address, amountSats: 20_000 });
      if (channel.kind !== 'sent') throw new Error(JSON.stringify(channel));
      const { receipts, sendings } = await world.node.movements(Date.now() - 60_000);
      if (receipts.kind !== 'answered' || sendings.kind !== 'answered') throw new Error('no list');
      expect(sendings.value).toContainEqual({
        label,
        txId: sent.txId,
        address,
        amountSats: 10_000,
        at: expect.any(Number) as number,
      });
      const txIds = [...sendings.value, ...receipts.value].map(({ txId }) => txId);
      expect(txIds).not.toContain(channel.txId);
      expect(receipts.value.map(({ txId }) => txId)).not.toContain(sent.txId);
    });

    test('a payment on chain is found by its label, and a refusal signs nothing', async () => {
      const { chain } = world.control;
      chain.payTo(await anAddress(), 100_000);
      chain.mine(1);
      const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
      const sends = () => world.control.requests().filter(({ call }) => call === 'SEND_COINS').length;
      const before = sends();
      const send = (changes: { address?: string; amountSats?: number; label?: string } = {}) =>
        world.node.sendOnChain({ label: aLabel(), address, amountSats: 10_000, ...changes });
      expect(await send({ amountSats: 10_000_000 })).toEqual({ kind: 'failed', reason: 'insufficient_balance' });
      expect(await send({ amountSats: 100 })).toEqual({ kind: 'failed', reason: 'below_dust' });
      expect(await send({ address: `${address}q` })).toEqual({ kind: 'failed', reason: 'invalid_address' });
      const label = aLabel();
      expect(await world.node.lookupOnChain(label)).toEqual({ kind: 'notFound' });
      world.control.addFault({ kind: 'loseReply', call: 'SEND_COINS' });
      expect(await send({ label })).toMatchObject({ kind: 'unknown' });
      const found = await world.node.lookupOnChain(label);
      expect(found).toMatchObject({ kind: 'sent', confirmations: 0 });
      chain.mine(1);
      expect(await world.node.lookupOnChain(label)).toMatchObject({ kind: 'sent', confirmations: 1 });
      const balances = await world.node.balances();
      const height = balances.kind === 'answered' ? balances.value.chainHeight : null;
      expect(height).toBe(chain.height());
      chain.mine(300);
      expect(await world.node.lookupOnChain(label, height)).toMatchObject({ kind: 'sent', confirmations: 301 });
      // For a payment sent now, blocks deeper than any reorganisation are not read.
      expect(await world.node.lookupOnChain(label, chain.height())).toEqual({ kind: 'notFound' });
      expect(sends() - before).toBe(4);
    });
  });
});
