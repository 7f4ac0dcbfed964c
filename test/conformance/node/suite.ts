import type { BitcoinNode, CreatedInvoice, InvoiceCursor, SettledInvoice } from '@florin/backend/bitcoin/nodes/node.ts';
import type { Chain } from '@florin/backend/programs/sandbox/lightning-node/chain.ts';
import type { Call, FaultInput } from '@florin/backend/programs/sandbox/lightning-node/faults.ts';
import type { ForeignInvoiceRecord, ForeignOutcome } from '@florin/backend/programs/sandbox/lightning-node/store.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

/** An adapter and its own node, in which faults can be injected. */
export type NodeUnderTest = {
  readonly node: BitcoinNode;
  /** The same node with wrong credentials. */
  readonly nodeWithWrongSecret: BitcoinNode;
  /** Pays the invoice from a customer's wallet. */
  pay(paymentHash: string, amountMsat?: number): void;
  expire(paymentHash: string): void;
  /** The same node, of a service whose records were lost. */
  afterLoss(): BitcoinNode;
  /** So many settled invoices and payments, by payment hash. */
  many(count: number): { readonly received: readonly string[]; readonly sent: readonly string[] };
  foreignInvoice(outcome: ForeignOutcome): ForeignInvoiceRecord;
  resolve(paymentHash: string, outcome: 'succeeds' | 'fails'): void;
  fault(fault: FaultInput): void;
  clearFaults(): void;
  refuseConnections(): Promise<void>;
  acceptConnections(): Promise<void>;
  /** The requests that the node received so far. */
  calls(): readonly Call[];
  /** Ends all waits of the adapter of up to this many milliseconds. */
  pass(milliseconds: number): void;
  close(): Promise<void>;
};

let labels = 0;
export const aLabel = () => `conformance-${++labels}`;

/** The rules of the port, tested on one adapter. */
export function nodeSuite(name: string, open: () => Promise<NodeUnderTest>): void {
  describe(`${name} as a bitcoin node`, () => {
    let world: NodeUnderTest;
    let node: BitcoinNode;
    beforeAll(async () => {
      world = await open();
      node = world.node;
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      world.clearFaults();
      await world.acceptConnections();
    });

    async function anInvoice(changes: { label?: string; amountSats?: number } = {}): Promise<CreatedInvoice> {
      const request = { label: aLabel(), amountSats: 1_000, description: { memo: 'Tea' }, expiresInSeconds: 900 };
      const made = await node.createInvoice({ ...request, ...changes });
      if (made.kind !== 'created') throw new Error(JSON.stringify(made));
      return made.invoice;
    }
    const payOf = ({ bolt11, paymentHash, amountMsat }: ForeignInvoiceRecord) => ({
      bolt11,
      paymentHash,
      amountSats: amountMsat / 1000,
      feeLimitSats: 100,
    });

    /** Follows settled invoices from a cursor; collects the reports and how it ended. */
    function following(after: InvoiceCursor | null, onSettled: (one: SettledInvoice) => void = () => undefined) {
      const abort = new AbortController();
      const received: { readonly hash: string; readonly cursor: InvoiceCursor }[] = [];
      let open = false;
      const ended = node.followInvoices({
        after,
        signal: abort.signal,
        onOpen: () => {
          open = true;
        },
        async onSettled(one, cursor) {
          received.push({ hash: one.paymentHash, cursor });
          onSettled(one);
        },
      });
      const eventually = (check: () => void) =>
        vi.waitFor(
          () => {
            // Waits between two polls, but not for a reply.
            world.pass(2_000);
            check();
          },
          { interval: 10, timeout: 30_000 },
        );
      return {
        received,
        opened: () => vi.waitFor(() => expect(open).toBe(true)),
        reports: (...hashes: string[]) =>
          eventually(() => expect(received.map(({ hash }) => hash)).toEqual(expect.arrayContaining(hashes))),
        async stop() {
          abort.abort();
          return ended;
        },
        ended,
      };
    }

    describe('an invoice', () => {
      test('is open, then settled with the preimage of its hash and the amount received', async () => {
        const { paymentHash, bolt11 } = await anInvoice();
        expect(bolt11).toMatch(/^lnbcrt/);
        expect(await node.lookupInvoice(paymentHash)).toEqual({ kind: 'open' });
        world.pay(paymentHash);
        expect(await node.lookupInvoice(paymentHash)).toEqual({
          kind: 'settled',
          paymentHash,
          preimage: expect.stringMatching(/^[0-9a-f]{64}$/),
          receivedMsat: 1_000_000,
          settledAt: expect.any(Number),
        });
      });

      test('can be settled with more than its amount', async () => {
        const { paymentHash } = await anInvoice();
        world.pay(paymentHash, 2_500_000);
        expect(await node.lookupInvoice(paymentHash)).toMatchObject({ kind: 'settled', receivedMsat: 2_500_000 });
      });

      test('that expired is cancelled, and one that never existed is not found', async () => {
        const { paymentHash } = await anInvoice();
        world.expire(paymentHash);
        expect(await node.lookupInvoice(paymentHash)).toEqual({ kind: 'cancelled' });
        expect(await node.lookupInvoice('ab'.repeat(32))).toEqual({ kind: 'notFound' });
      });

      test('is created once per label, also after a lost reply and once it is paid', async () => {
        const label = aLabel();
        world.fault({ kind: 'loseReply', call: 'ADD_INVOICE' });
        const request = { label, amountSats: 70, description: { memo: 'Bun' }, expiresInSeconds: 60 };
        expect(await node.createInvoice(request)).toMatchObject({ kind: 'unknown', cause: 'connection_lost' });
        const again = await node.createInvoice(request);
        if (again.kind !== 'created') throw new Error(JSON.stringify(again));
        world.pay(again.invoice.paymentHash);
        expect(await node.createInvoice(request)).toEqual(again);
        expect(await node.createInvoice({ ...request, amountSats: 71 })).toEqual({ kind: 'label_taken' });
      });

      test('can have the hash of a description', async () => {
        const sha256 = '11'.repeat(32);
        const request = { label: aLabel(), amountSats: 5, description: { sha256 }, expiresInSeconds: 60 };
        expect(await node.createInvoice(request)).toMatchObject({ kind: 'created' });
      });
    });

    describe('the stream of settled invoices', () => {
      test('reports each invoice, and resumes after a disconnection', async () => {
        const first = following(null);
        await first.opened();
        const paid = await anInvoice();
        world.pay(paid.paymentHash);
        await first.reports(paid.paymentHash);
        expect(await first.stop()).toEqual({ kind: 'aborted' });
        const cursor = first.received.at(-1)?.cursor ?? null;
        const [away, alsoAway] = [await anInvoice(), await anInvoice()];
        world.pay(alsoAway.paymentHash);
        world.pay(away.paymentHash);
        const second = following(cursor);
        await second.reports(away.paymentHash, alsoAway.paymentHash);
        await second.stop();
        // Events may be repeated after a cursor, and are equal then.
        const third = following(cursor);
        await third.reports(away.paymentHash, alsoAway.paymentHash);
        await third.stop();
      });

      test('ends with a reason if the node disconnects', async () => {
        const follower = following(null);
        await follower.opened();
        await world.refuseConnections();
        world.pass(2_000);
        expect(await follower.ended).toMatchObject({ kind: 'unknown' });
      });

      test('throws the error that its reader throws', async () => {
        const { paymentHash } = await anInvoice();
        const follower = following(null, () => {
          throw new Error('planted');
        });
        follower.ended.catch(() => undefined);
        await follower.opened();
        world.pay(paymentHash);
        await follower.reports(paymentHash);
        await expect(follower.ended).rejects.toThrow('planted');
      });
    });

    describe('an outgoing payment', () => {
      test('succeeds with the proof of payment', async () => {
        const invoice = world.foreignInvoice('succeeds');
        expect(await node.payInvoice(payOf(invoice))).toEqual({
          kind: 'succeeded',
          preimage: invoice.preimage,
          feeMsat: expect.any(Number),
        });
        expect(await node.lookupPayment(invoice.paymentHash)).toMatchObject({ kind: 'succeeded' });
      });

      test('fails with the reason', async () => {
        const [noRoute, refused] = [world.foreignInvoice('noRoute'), world.foreignInvoice('refused')];
        expect(await node.payInvoice(payOf(noRoute))).toEqual({ kind: 'failed', reason: 'no_route' });
        expect(await node.payInvoice(payOf(refused))).toEqual({ kind: 'failed', reason: 'rejected_by_receiver' });
        expect(await node.lookupPayment(noRoute.paymentHash)).toMatchObject({ kind: 'failed' });
        const dear = world.foreignInvoice('succeeds');
        expect(await node.payInvoice({ ...payOf(dear), feeLimitSats: 0 })).toEqual({
          kind: 'failed',
          reason: 'no_route',
        });
      });

      test('whose reply is lost is found by its hash, and is sent once', async () => {
        const invoice = world.foreignInvoice('succeeds');
        const before = world.calls().filter(call => call === 'SEND_PAYMENT').length;
        world.fault({ kind: 'loseReply', call: 'SEND_PAYMENT' });
        expect(await node.payInvoice(payOf(invoice))).toMatchObject({ kind: 'unknown' });
        expect(await node.lookupPayment(invoice.paymentHash)).toMatchObject({ kind: 'succeeded' });
        await vi.waitFor(() => expect(world.calls().filter(call => call === 'SEND_PAYMENT')).toHaveLength(before + 1));
      });

      test('that never arrived is not found', async () => {
        const invoice = world.foreignInvoice('succeeds');
        world.fault({ kind: 'dropRequest', call: 'SEND_PAYMENT' });
        expect(await node.payInvoice(payOf(invoice))).toMatchObject({ kind: 'unknown' });
        expect(await node.lookupPayment(invoice.paymentHash)).toEqual({ kind: 'notFound' });
      });

      test('is in flight until the node knows its outcome', async () => {
        const invoice = world.foreignInvoice('stuck');
        const paying = node.payInvoice(payOf(invoice));
        await vi.waitFor(async () =>
          expect(await node.lookupPayment(invoice.paymentHash)).toEqual({ kind: 'inFlight' }),
        );
        world.pass(60_000);
        expect((await paying).kind).toMatch(/^(inFlight|unknown)$/);
        world.resolve(invoice.paymentHash, 'fails');
        expect(await node.lookupPayment(invoice.paymentHash)).toMatchObject({ kind: 'failed' });
      });

      test('is not sent if the connection is refused', async () => {
        await world.refuseConnections();
        expect(await node.payInvoice(payOf(world.foreignInvoice('succeeds')))).toEqual({
          kind: 'notSent',
          cause: 'connection_refused',
        });
      });
    });

    describe('the movements since a time', () => {
      test('are every settled invoice and every payment that has not failed, however many', async () => {
        const from = Date.now() - 1_000;
        const [paid, unpaid] = [await anInvoice(), await anInvoice()];
        world.pay(paid.paymentHash);
        const [sent, stuck] = [world.foreignInvoice('succeeds'), world.foreignInvoice('stuck')];
        await node.payInvoice(payOf(sent));
        const many = world.many(101);
        const failed = world.foreignInvoice('noRoute');
        await node.payInvoice(payOf(failed));
        void node.payInvoice(payOf(stuck));
        await vi.waitFor(async () => expect(await node.lookupPayment(stuck.paymentHash)).toEqual({ kind: 'inFlight' }));
        const { settledInvoices, payments } = await world.afterLoss().movements(from);
        if (settledInvoices.kind !== 'answered' || payments.kind !== 'answered') throw new Error('no list');
        const received = settledInvoices.value.map(one => one.paymentHash);
        expect(received).toEqual(expect.arrayContaining([...many.received, paid.paymentHash]));
        expect(received).not.toContain(unpaid.paymentHash);
        expect(settledInvoices.value.find(one => one.paymentHash === paid.paymentHash)).toEqual(
          await node.lookupInvoice(paid.paymentHash),
        );
        const listed = payments.value.map(one => one.paymentHash);
        expect(listed).toEqual(expect.arrayContaining([...many.sent, sent.paymentHash, stuck.paymentHash]));
        expect(listed).not.toContain(failed.paymentHash);
        expect(new Set(listed).size).toBe(listed.length);
        const { amountSats, at } = payments.value.find(one => one.paymentHash === sent.paymentHash) ?? {};
        expect([amountSats, at]).toEqual([1_000, expect.any(Number)]);
        world.resolve(stuck.paymentHash, 'fails');
      });

      test('from before it are not listed', async () => {
        const { paymentHash } = await anInvoice();
        world.pay(paymentHash);
        expect(await node.movements(Date.now() + 3_600_000)).toMatchObject({
          settledInvoices: { kind: 'answered', value: [] },
          payments: { kind: 'answered', value: [] },
        });
      });

      test('are unknown if the node does not list all of them', async () => {
        for (const fault of [{ kind: 'serverError' }, { kind: 'garbage', body: '{}' }] as const) {
          world.fault({ ...fault, times: 50 });
          expect(await node.movements(0)).toMatchObject({
            settledInvoices: { kind: 'unknown' },
            payments: { kind: 'unknown' },
          });
          world.clearFaults();
        }
      });
    });

    describe('an outcome is unknown after', () => {
      const questions = (invoice: CreatedInvoice): readonly (readonly [Call, () => Promise<{ kind: string }>])[] => [
        ['GET_INFO', () => node.info()],
        ['ADD_INVOICE', () => node.createInvoice(anyRequest())],
        ['LOOKUP_INVOICE', () => node.lookupInvoice(invoice.paymentHash)],
        ['BALANCE', () => node.balances()],
        ['TRACK_PAYMENT', () => node.lookupPayment('cd'.repeat(32))],
        ['SEND_PAYMENT', () => node.payInvoice(payOf(world.foreignInvoice('succeeds')))],
      ];
      const anyRequest = () => ({
        label: aLabel(),
        amountSats: 3,
        description: { memo: '' },
        expiresInSeconds: 60,
      });

      test.each([
        { kind: 'dropRequest' },
        { kind: 'serverError', status: 502 },
        { kind: 'serverError', status: 503, applied: true },
        { kind: 'garbage' },
        { kind: 'garbage', body: '{}' },
        { kind: 'garbage', body: '[{"result":null}]' },
      ] as const)('%j', async fault => {
        for (const [call, ask] of questions(await anInvoice())) {
          world.fault({ ...fault, call, times: 2 });
          expect([call, await ask()]).toMatchObject([call, { kind: 'unknown' }]);
          world.clearFaults();
        }
      });

      test('a reply that never comes', async () => {
        for (const [call, ask] of questions(await anInvoice())) {
          world.fault({ kind: 'hang', call });
          let result: unknown;
          void ask().then(answer => {
            result = answer;
          });
          await vi.waitFor(() => {
            world.pass(60_000);
            expect([call, result]).toEqual([call, { kind: 'unknown', cause: 'timeout' }]);
          });
          world.clearFaults();
        }
      });

      test('a refusal of the credentials', async () => {
        const { nodeWithWrongSecret } = world;
        expect(await nodeWithWrongSecret.info()).toMatchObject({ kind: 'unknown', cause: 'permission_denied' });
        expect(await nodeWithWrongSecret.createInvoice(anyRequest())).toMatchObject({ cause: 'permission_denied' });
        const invoice = world.foreignInvoice('succeeds');
        expect(await nodeWithWrongSecret.payInvoice(payOf(invoice))).toMatchObject({
          kind: 'unknown',
          cause: 'permission_denied',
        });
        expect(await node.lookupPayment(invoice.paymentHash)).toEqual({ kind: 'notFound' });
        expect((await nodeWithWrongSecret.testConnection()).every(({ ok }) => !ok)).toBe(true);
        expect((await node.testConnection()).every(({ ok }) => ok)).toBe(true);
      });
    });

    test('declares what it does not support', async () => {
      const { onChain, onChainWithdrawals, channelBackup } = node.capabilities;
      const unsupported = { cause: 'not_supported' };
      const sending = { label: aLabel(), address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', amountSats: 1_000 };
      if (!onChain) expect(await node.newAddress()).toMatchObject(unsupported);
      if (!onChainWithdrawals)
        expect(await node.sendOnChain(sending)).toMatchObject({ kind: 'notSent', ...unsupported });
      if (!channelBackup) expect(await node.channelBackup()).toMatchObject(unsupported);
      if (onChain) expect(await node.newAddress()).toMatchObject({ kind: 'answered' });
      if (channelBackup) expect(await node.channelBackup()).toMatchObject({ kind: 'answered' });
    });
  });
}

/** An adapter with receiving addresses, on a chain that the test controls. */
export type ReceivingUnderTest = Pick<NodeUnderTest, 'node' | 'afterLoss' | 'close'> & {
  readonly control: { readonly chain: Pick<Chain, 'payTo' | 'mine' | 'replace' | 'drop' | 'reorganise'> };
};

/** The rules of the port for payments on chain. */
export function receivingSuite(name: string, open: () => Promise<ReceivingUnderTest>): void {
  describe(`${name} on chain`, () => {
    let world: ReceivingUnderTest;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    async function anAddress(): Promise<string> {
      const made = await world.node.newAddress();
      if (made.kind !== 'answered') throw new Error(JSON.stringify(made));
      return made.value.address;
    }
    const seen = async (...addresses: string[]) => {
      const answer = await world.node.addressPayments(addresses);
      if (answer.kind !== 'answered') throw new Error(JSON.stringify(answer));
      return answer.value;
    };

    test('a payment is unconfirmed, then confirmed, and unconfirmed again after a reorganisation', async () => {
      const { chain } = world.control;
      const address = await anAddress();
      expect(await seen(address)).toEqual([]);
      const { txId } = chain.payTo(address, 5_000);
      const payment = { address, txId, vout: 0, amountSats: 5_000 };
      expect(await seen(address)).toEqual([{ ...payment, confirmations: 0 }]);
      chain.mine(3);
      expect(await seen(address)).toEqual([{ ...payment, confirmations: 3 }]);
      chain.reorganise(3);
      expect(await seen(address)).toEqual([{ ...payment, confirmations: 0 }]);
    });

    test('a payment that is replaced or dropped is no longer listed', async () => {
      const { chain } = world.control;
      const [address, other] = [await anAddress(), await anAddress()];
      const first = chain.payTo(address, 5_000);
      const replacement = chain.replace(first.txId, 4_000);
      const dropped = chain.payTo(other, 700);
      expect(await seen(address, other)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ address, txId: replacement?.txId, amountSats: 4_000 }),
          expect.objectContaining({ address: other, txId: dropped.txId }),
        ]),
      );
      chain.drop(dropped.txId);
      expect(await seen(other)).toEqual([]);
    });

    test('payments to addresses that lost records issued are listed', async () => {
      const { chain } = world.control;
      const [early, , late] = [await anAddress(), await anAddress(), await anAddress()];
      const payments = [chain.payTo(early, 5_001), chain.payTo(late, 5_002)];
      chain.mine(1);
      payments.push(chain.payTo(late, 5_003));
      const { receipts } = await world.afterLoss().movements(Date.now() - 60_000);
      if (receipts.kind !== 'answered') throw new Error(JSON.stringify(receipts));
      const listed = receipts.value.filter(({ amountSats }) => amountSats > 5_000 && amountSats < 5_010);
      expect(listed.map(({ txId, vout, address }) => `${txId}:${vout} ${address}`).toSorted()).toEqual(
        payments.map(({ txId, outputs }) => `${txId}:0 ${outputs[0]?.address}`).toSorted(),
      );
    });

    test('an address is never given twice, and many payments to one are all listed', async () => {
      const { chain } = world.control;
      const addresses = await Promise.all(Array.from({ length: 20 }, anAddress));
      expect(new Set(addresses).size).toBe(20);
      const [address = ''] = addresses;
      for (let number = 1; number <= 60; number += 1) {
        chain.payTo(address, 1_000 + number);
        chain.mine(1);
      }
      const payments = await seen(address);
      expect(payments.map(({ amountSats }) => amountSats).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 60 }, (_, at) => 1_001 + at),
      );
      expect(payments.find(({ amountSats }) => amountSats === 1_001)?.confirmations).toBe(60);
    });
  });
}
