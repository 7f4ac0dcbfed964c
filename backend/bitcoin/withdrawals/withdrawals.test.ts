import {
  createWithdrawal,
  getWithdrawal,
  listWithdrawals,
  resolveWithdrawal,
} from '@florin/shared/contracts/api-v1/withdrawals.ts';
import { describe, expect, test, vi } from 'vitest';
import { aBackend, type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aLightningNode, lndSettings, nodesOnThisMachine, paidThrough } from '../../../test/support/lightning-node.ts';

async function aMerchant(database: DatabaseKind = 'sqlite', env: Readonly<Record<string, string>> = {}) {
  const world = await aBackend({ database, env: { ...nodesOnThisMachine, ...env } });
  const business = await world.aBusiness();
  const key = await business.key('withdraw:write', 'bitcoin-backend:write');
  const node = await aLightningNode(world.clock);
  await paidThrough(world, business, node);
  const { control } = node;
  const anInvoice = (invoice: Parameters<typeof control.foreignInvoice>[0] = {}) =>
    control.foreignInvoice({ amountSats: 1_000, ...invoice });
  const withdraw = (body: object, idempotencyKey?: string) =>
    world.client.call(
      createWithdrawal,
      { body: body as never },
      { key, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) },
    );
  const read = (id: string) => world.client.call(getWithdrawal, { params: { id } }, { key });
  const list = () => world.client.call(listWithdrawals, { query: {} }, { key });
  /** Polls until the withdrawal matches. */
  async function later(id: string, expected: object) {
    await expect
      .poll(
        async () => {
          world.clock.advance({ minutes: 1 });
          return (await read(id)).body;
        },
        { interval: 5, timeout: 30_000 },
      )
      .toMatchObject(expected);
  }
  /** Adds on-chain funds to withdraw. */
  const fund = (amountSats: number) => {
    control.chain.payTo(control.chain.newAddress(), amountSats);
    control.chain.mine(1);
  };
  return { world, business, key, node, control, anInvoice, withdraw, read, list, later, fund };
}

function idOf(answer: { readonly status: number; readonly body: unknown }): string {
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return (answer.body as { id: string }).id;
}

const regtestAddress = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

eachDatabase('a withdrawal', database => {
  test('over Lightning is paid with its proof, and its key returns the same response', async () => {
    const { control, anInvoice, withdraw, list } = await aMerchant(database);
    const { bolt11, paymentHash, preimage } = anInvoice();
    const made = await withdraw({ invoice: bolt11 }, 'w1');
    expect(made).toMatchObject({
      status: 201,
      body: {
        network: 'lightning',
        destination: bolt11,
        amountSats: 1_000,
        maxFeeSats: 10,
        feeSats: 1,
        status: 'completed',
        txId: paymentHash,
        preimage,
      },
    });
    const again = await withdraw({ invoice: bolt11 }, 'w1');
    expect([again.status, again.body]).toEqual([201, made.body]);
    expect(control.payments.all()).toHaveLength(1);
    expect(await withdraw({ invoice: bolt11 })).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'invoice_already_used' } } },
    });
    expect(await list()).toMatchObject({ status: 200, body: { items: [made.body], nextCursor: null } });
  });

  test('on chain is final with its first confirmation', async () => {
    const { control, withdraw, later, fund } = await aMerchant(database);
    fund(100_000);
    const made = await withdraw({ address: regtestAddress, amountSats: 60_000, satsPerVbyte: 3 });
    const [, sent] = control.chain.transactions();
    expect(made).toMatchObject({
      status: 202,
      body: { network: 'onchain', status: 'pending', txId: sent?.txId, amountSats: 60_000 },
    });
    control.chain.mine(1);
    await later(idOf(made), { status: 'completed', feeSats: 423 });
  });

  test('on chain whose transaction disappeared waits for evidence, and is never sent again', async () => {
    const { world, key, control, withdraw, read, later, fund } = await aMerchant(database);
    fund(200_000);
    const [gone, kept] = [
      await withdraw({ address: regtestAddress, amountSats: 60_000 }),
      await withdraw({ address: regtestAddress, amountSats: 50_000 }),
    ];
    const [first = '', second = ''] = [gone, kept].map(({ body }) => (body as { txId: string }).txId);
    const resolve = (body: object) =>
      world.client.call(
        resolveWithdrawal,
        { params: { id: idOf(gone) }, body: { evidence: 'Our explorer shows who spent it', ...body } as never },
        { key },
      );
    const reasonOf = async (body: object) => {
      const refused = await resolve(body);
      return 'error' in refused.body ? refused.body.error.metadata?.reason : refused.status;
    };
    expect(await reasonOf({ outcome: 'failed' })).toBe('still_asking');
    control.chain.drop(first);
    control.chain.drop(second);
    await later(idOf(gone), { status: 'pending', missingSince: expect.any(String) as string });
    expect(world.logged()).toMatch(new RegExp(`"withdrawalId":"${idOf(gone)}".*no longer lists`));
    expect(await reasonOf({ outcome: 'failed' })).toBe('still_asking');
    // A mempool has it again.
    control.chain.restore(second);
    await later(idOf(kept), { status: 'pending', missingSince: null });
    control.chain.mine(1);
    await later(idOf(kept), { status: 'completed' });
    world.clock.advance({ minutes: 11 });
    expect(await resolve({ outcome: 'completed' })).toMatchObject({ status: 400 });
    const instead = 'ab'.repeat(32);
    const completed = { status: 'completed', txId: instead };
    expect(await resolve({ outcome: 'completed', txId: instead })).toMatchObject({ status: 200, body: completed });
    expect(await reasonOf({ outcome: 'failed' })).toBe('withdrawal_final');
    expect((await read(idOf(gone))).body).toMatchObject(completed);
    expect(control.requests().filter(({ call }) => call === 'SEND_COINS')).toHaveLength(2);
  });

  test('whose reply is lost is looked up, never sent again', async () => {
    const { world, control, anInvoice, withdraw, later, fund } = await aMerchant(database);
    fund(100_000);
    for (const call of ['SEND_PAYMENT', 'SEND_COINS'] as const) control.addFault({ kind: 'loseReply', call });
    const lightning = await withdraw({ invoice: anInvoice().bolt11 });
    const onChain = await withdraw({ address: regtestAddress, amountSats: 50_000 });
    expect([lightning, onChain]).toMatchObject([
      { status: 202, body: { status: 'unknown' } },
      { status: 202, body: { status: 'unknown' } },
    ]);
    for (const made of [lightning, onChain])
      expect(world.logged()).toMatch(
        new RegExp(`"level":40,.*"withdrawalId":"${idOf(made)}".*outcome of a withdrawal is`),
      );
    expect(world.logged()).not.toContain('a withdrawal was sent');
    await later(idOf(lightning), { status: 'completed' });
    control.chain.mine(1);
    await later(idOf(onChain), { status: 'completed' });
    for (const made of [lightning, onChain])
      expect(world.logged()).toMatch(new RegExp(`"withdrawalId":"${idOf(made)}".*a withdrawal is completed`));
    const calls = control.requests().map(({ call }) => call);
    expect(calls.filter(call => call === 'SEND_PAYMENT')).toHaveLength(1);
    expect(calls.filter(call => call === 'SEND_COINS')).toHaveLength(1);
  });

  test('that never reached the node fails after enough polling', async () => {
    const { world, control, anInvoice, withdraw, read, later } = await aMerchant(database);
    control.addFault({ kind: 'dropRequest', call: 'SEND_PAYMENT' });
    const made = await withdraw({ invoice: anInvoice({ expiresInSeconds: 100_000 }).bolt11 });
    expect(made).toMatchObject({ status: 202, body: { status: 'unknown' } });
    expect((await read(idOf(made))).body).toMatchObject({ status: 'unknown' });
    await later(idOf(made), { status: 'failed', failureReason: 'never_arrived' });
    expect(world.logged()).toMatch(new RegExp(`"level":40,.*"withdrawalId":"${idOf(made)}".*a withdrawal failed`));
    expect(control.payments.all()).toEqual([]);
  });

  test('that arrives late is found and completed', async () => {
    const { world, control, anInvoice, withdraw, later } = await aMerchant(database);
    control.addFault({ kind: 'loseReply', call: 'SEND_PAYMENT' });
    control.addFault({ kind: 'serverError', call: 'TRACK_PAYMENT', times: 3 });
    const made = await withdraw({ invoice: anInvoice({ expiresInSeconds: 100_000 }).bolt11 });
    world.clock.advance({ minutes: 2 });
    await later(idOf(made), { status: 'completed' });
  });

  test('that is stuck stays pending until the node reports either outcome', async () => {
    const { control, anInvoice, withdraw, read, later, world } = await aMerchant(database, {
      WITHDRAWAL_ANSWER_SECONDS: '1',
    });
    const [good, bad] = [anInvoice({ outcome: 'stuck' }), anInvoice({ outcome: 'stuck' })];
    // The node keeps both streams open; the service responds without waiting for them.
    const made = await Promise.all([withdraw({ invoice: good.bolt11 }, 'w1'), withdraw({ invoice: bad.bolt11 })]);
    expect(control.payments.all()).toHaveLength(2);
    expect(made).toMatchObject([
      { status: 202, body: { status: 'pending' } },
      { status: 202, body: { status: 'pending' } },
    ]);
    expect(await withdraw({ invoice: good.bolt11 }, 'w1')).toMatchObject({
      status: 202,
      body: made[0]?.body as object,
    });
    control.payments.resolve(good.paymentHash, 'succeeds');
    await expect
      .poll(
        async () => {
          world.clock.advance({ seconds: 1 });
          return (await read(idOf(made[0] as never))).body;
        },
        { interval: 5, timeout: 30_000 },
      )
      .toMatchObject({ status: 'completed', preimage: good.preimage });
    expect(await withdraw({ invoice: good.bolt11 }, 'w1')).toMatchObject({ body: { status: 'completed' } });
    control.payments.resolve(bad.paymentHash, 'fails');
    await later(idOf(made[1] as never), { status: 'failed', failureReason: 'timeout' });
    expect(control.requests().filter(({ call }) => call === 'SEND_PAYMENT')).toHaveLength(2);
  });

  test('has a time limit if the node hangs: refused without a balance, and looked up once sent', async () => {
    const shop = await aMerchant(database, { WITHDRAWAL_ANSWER_SECONDS: '1', BITCOIN_NODE_TIMEOUT_SECONDS: '300' });
    const { control, withdraw, list, later, fund } = shop;
    fund(100_000);
    control.chain.mine(300);
    control.addFault({ kind: 'hang', call: 'BALANCE', times: 2 });
    const body = { address: regtestAddress, amountSats: 30_000 };
    expect(await withdraw(body)).toMatchObject(reason(503, 'node_unavailable'));
    expect((await list()).body).toMatchObject({ items: [] });
    control.addFault({ kind: 'hang', call: 'SEND_COINS', applied: true });
    const made = await withdraw(body, 'w1');
    expect(made).toMatchObject({ status: 202, body: { status: 'unknown', txId: null } });
    control.chain.mine(1);
    await later(idOf(made), { status: 'completed' });
    expect(await withdraw(body, 'w1')).toMatchObject({ body: { id: idOf(made), status: 'completed' } });
    const requests = control.requests();
    expect(requests.filter(({ call }) => call === 'SEND_COINS')).toHaveLength(1);
    // Only transactions within a reorganisation's depth before the sending are read.
    const asked = requests.filter(({ call }) => call === 'TRANSACTIONS').map(({ query }) => query);
    const from = control.chain.height() - 1 - 144;
    expect(new Set(asked)).toEqual(new Set([`start_height=${from}&end_height=-1`]));
  });

  test('is refused beyond the available balance, also among ten concurrent ones', async () => {
    const { control, withdraw, fund } = await aMerchant(database);
    fund(100_000);
    control.addFault({ kind: 'loseReply', call: 'SEND_COINS', times: 10 });
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => withdraw({ address: regtestAddress, amountSats: 30_000 })),
    );
    const accepted = responses.filter(({ status }) => status === 202);
    expect(accepted).toHaveLength(3);
    for (const { status, body } of responses.filter(({ status: each }) => each !== 202))
      expect([status, body]).toMatchObject([409, { error: { metadata: { reason: 'insufficient_balance' } } }]);
    expect(control.requests().filter(({ call }) => call === 'SEND_COINS')).toHaveLength(3);
  });
});

describe('a withdrawal', () => {
  test('that the node refuses fails at once with the reason', async () => {
    const { anInvoice, withdraw } = await aMerchant();
    expect(await withdraw({ invoice: anInvoice({ outcome: 'noRoute' }).bolt11 })).toMatchObject({
      status: 201,
      body: { status: 'failed', failureReason: 'no_route', preimage: null },
    });
    expect(await withdraw({ invoice: anInvoice({ outcome: 'refused' }).bolt11 })).toMatchObject({
      status: 201,
      body: { status: 'failed', failureReason: 'rejected_by_receiver' },
    });
    expect(await withdraw({ invoice: anInvoice({ amountSats: 10_000 }).bolt11, maxFeeSats: 0 })).toMatchObject({
      status: 201,
      body: { status: 'failed', failureReason: 'no_route' },
    });
  });

  test('writes nothing if the node is unreachable or its macaroon cannot send', async () => {
    const { world, business, node, control, anInvoice, withdraw, list, later } = await aMerchant();
    await control.refuseConnections();
    expect(await withdraw({ invoice: anInvoice().bolt11 })).toMatchObject({
      status: 503,
      headers: { 'retry-after': '10' },
      body: { error: { metadata: { reason: 'node_unavailable' } } },
    });
    expect((await list()).body).toMatchObject({ items: [] });
    await control.acceptConnections();
    const { bitcoinBackends } = world.backend.services;
    const receiveOnly = await bitcoinBackends.set(business.id, lndSettings(node, 'receive'), { kind: 'operator' });
    expect(receiveOnly.ok).toBe(true);
    const made = await withdraw({ invoice: anInvoice().bolt11 });
    expect(made).toMatchObject({ status: 202, body: { status: 'unknown' } });
    await later(idOf(made), { status: 'failed', failureReason: 'never_arrived' });
  });

  test('to an invalid destination is refused, naming the field', async () => {
    const { anInvoice, withdraw, world } = await aMerchant();
    const { bolt11 } = anInvoice();
    const bad: readonly (readonly [object, object])[] = [
      [{}, { status: 400 }],
      [{ invoice: bolt11, address: regtestAddress, amountSats: 1 }, { status: 400 }],
      [{ address: regtestAddress }, { status: 400 }],
      [{ invoice: 'lnbcrt1' }, reason(400, 'invoice_invalid')],
      [{ invoice: `${bolt11.slice(0, -1)}${bolt11.endsWith('q') ? 'p' : 'q'}` }, reason(400, 'invoice_invalid')],
      [{ invoice: anInvoice({ amountSats: null }).bolt11 }, reason(400, 'invoice_without_amount')],
      [{ invoice: mainnetInvoice }, reason(400, 'other_network')],
      [{ address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', amountSats: 1 }, reason(400, 'other_network')],
      [{ address: regtestAddress.replace('w508', 'w509'), amountSats: 1 }, reason(400, 'address_invalid')],
      [{ address: regtestAddress, amountSats: 21e15 }, { status: 400 }],
    ];
    for (const [body, expected] of bad) expect([body, await withdraw(body)]).toMatchObject([body, expected]);
    const late = anInvoice({ expiresInSeconds: 60 }).bolt11;
    world.clock.advance({ minutes: 2 });
    expect(await withdraw({ invoice: late })).toMatchObject(reason(409, 'invoice_expired'));
  });

  test('of a process killed after sending is finished by another', async () => {
    const { world, key, control, anInvoice, withdraw } = await aMerchant();
    control.addFault({ kind: 'hang', call: 'SEND_PAYMENT', applied: true });
    const { bolt11, paymentHash } = anInvoice();
    const lost = withdraw({ invoice: bolt11 }, 'w1').catch(() => undefined);
    await vi.waitFor(() => expect(control.payments.get(paymentHash)).toMatchObject({ status: 'SUCCEEDED' }), {
      timeout: 30_000,
    });
    await world.kill();
    await lost;
    const second = await aBackend({ sharing: world, env: nodesOnThisMachine });
    const ask = () => second.client.call(listWithdrawals, { query: {} }, { key });
    await expect
      .poll(
        async () => {
          second.clock.advance({ minutes: 1 });
          return (await ask()).body;
        },
        { interval: 5, timeout: 30_000 },
      )
      .toMatchObject({ items: [{ status: 'completed' }] });
    expect(
      await second.client.call(createWithdrawal, { body: { invoice: bolt11 } }, { key, idempotencyKey: 'w1' }),
    ).toMatchObject({ status: 201, body: { status: 'completed' } });
    expect(control.requests().filter(({ call }) => call === 'SEND_PAYMENT')).toHaveLength(1);
  });
});

const mainnetInvoice =
  'lnbc2500u1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpu9qrsgquk0rl77nj30yxdy8j9vdx85fkpmdla2087ne0xh8nhedh8w27kyke0lp53ut353s06fv3qfegext0eh0ymjpf39tuven09sam30g4vgpfna3rh';

const reason = (status: number, word: string) => ({ status, body: { error: { metadata: { reason: word } } } });
