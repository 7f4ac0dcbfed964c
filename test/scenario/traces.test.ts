import { createCheckout } from '@florin/shared/contracts/api-v1/checkouts.ts';
import { createLinkPayment } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { createWebhook } from '@florin/shared/contracts/api-v1/webhooks.ts';
import { expect, test } from 'vitest';
import { aBackend, eachDatabase } from '../support/backend.ts';
import { aCheckoutShop } from '../support/checkout-shop.ts';
import { linesOf } from '../support/log-lines.ts';
import { aRealTerminal } from '../support/terminal/real-terminal.ts';
import { receivedTraces } from '../support/traces.ts';
import { aWebhookReceiver } from '../support/webhook-receiver.ts';
import { aWebhookShop } from '../support/webhook-shop.ts';

const aTrace = (last: string) => `4bf92f3577b34da6a3ce929d0e0e473${last}`;
const headerOf = (traceId: string) => ({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
/** The trace and the flags of a header, which stay the same in all requests. */
const lasting = (traceparent: unknown) => String(traceparent).replace(/-[0-9a-f]{16}-/, ' ');
/** The messages of the lines about this trace. */
const messagesOf = (logged: string, traceId: string) =>
  linesOf(logged).flatMap(({ msg, traceId: own, traceIds }) =>
    own === traceId || (traceIds as string[] | undefined)?.includes(traceId) ? [msg] : [],
  );

eachDatabase('a trace', database => {
  test('leads from the tap at a terminal through service and gateway to the webhook, with a span for each request', async () => {
    const traces = receivedTraces();
    const { world, business, sandbox, aWebhook } = await aWebhookShop(database);
    const receiver = await aWebhookReceiver();
    await aWebhook(receiver.url, 'terminal.sale.completed');
    const terminal = await aRealTerminal(world, await business.key('devices:write'));
    await terminal.send({ name: 'start_sale', amountMinor: 1_250 });
    await terminal.shows('sale_result');
    await receiver.has(1);

    const [, traceId = ''] = /"saleId":"sale_([0-9a-f]{32})"/.exec(terminal.logged.join()) ?? [];
    const received = [
      ...traces.at(world.url, '/authorise'),
      ...traces.at(world.url, '/complete'),
      ...traces.at(sandbox.cardPresentUrl),
      ...traces.at(receiver.url),
    ];
    expect(received.map(lasting)).toEqual(received.map(() => `00-${traceId} 00`));
    expect(received).toHaveLength(4);
    expect(new Set(received).size).toBe(4);
    await expect
      .poll(() => messagesOf(world.logged(), traceId))
      .toEqual(expect.arrayContaining(['answered', 'an event was recorded', 'webhooks were delivered']));
  });

  test('of a sale that its card refuses is continued until a job has returned the money', async () => {
    const traces = receivedTraces();
    const { world, business, sandbox, aWebhook, webhook, until } = await aWebhookShop(database);
    const receiver = await aWebhookReceiver();
    const { id } = await aWebhook(receiver.url, 'terminal.sale.failed');
    const terminal = await aRealTerminal(world, await business.key('devices:write'));
    terminal.reader.afterApproval = 'declined';
    sandbox.control.addFault({ kind: 'decline', action: 'CANCEL', times: 1 });
    await terminal.send({ name: 'start_sale', amountMinor: 1_250 });
    const isReturned = () => sandbox.control.ledger()[0]?.takenMinor === 0;
    await until(async () => (await webhook(id)) && isReturned() && receiver.received.length === 1);

    const [, traceId = ''] = /"saleId":"sale_([0-9a-f]{32})"/.exec(terminal.logged.join()) ?? [];
    const received = [...traces.at(sandbox.url, '/direct'), ...traces.at(receiver.url)];
    expect(new Set(received.map(lasting))).toEqual(new Set([`00-${traceId} 00`]));
  });

  test.each([
    ['asks for the outcome', false],
    ['delivers what a callback of the gateway told', true],
  ])('of a caller is kept for what follows a lost reply, in another process: it %s', async (_, callback) => {
    const traces = receivedTraces();
    const shop = await aWebhookShop(database, { ROLE: 'api' });
    const { world, client, key, sandbox, aLink, aWebhook, webhook, paymentToken, until } = shop;
    const worker = await aBackend({ sharing: world, env: { ROLE: 'worker', OUTBOUND_ALLOW_LOOPBACK: 'true' } });
    const receiver = await aWebhookReceiver(() => (receiver.received.length === 1 ? 500 : 200));
    const endpoint = await aWebhook(receiver.url);
    sandbox.control.addFault({ kind: 'loseReply', action: 'SALE', times: 1, callback });
    const { id } = await aLink(1_000);
    const traceId = aTrace('6');
    await client.call(
      createLinkPayment,
      { params: { id }, body: { paymentToken: await paymentToken() } },
      { key, headers: headerOf(traceId) },
    );
    await until(async () => (await webhook(endpoint.id)) && receiver.received.length === 2);

    const asked = traces.at(sandbox.url, '/direct').concat(traces.at(sandbox.url, '/rest'));
    expect(asked.length > 1).toBe(!callback);
    const received = [...asked, ...traces.at(receiver.url)].map(lasting);
    expect(new Set(received)).toEqual(new Set([`00-${traceId} 01`]));
    expect(messagesOf(worker.logged(), traceId)).toEqual(
      expect.arrayContaining([
        ...(callback ? [] : ['polled the gateway for the outcome of an authorisation']),
        'a webhook attempt failed',
      ]),
    );
  });

  test('is that of its own request, also where requests share a commit', async () => {
    const traces = receivedTraces();
    const { client, key, aLink, aWebhook, paymentToken } = await aWebhookShop(database);
    const receiver = await aWebhookReceiver();
    await aWebhook(receiver.url, 'payment.created');
    const ids = ['1', '2', '3', '4'].map(aTrace);
    const payments = await Promise.all(
      ids.map(async traceId => ({
        input: { params: { id: (await aLink(1_000)).id }, body: { paymentToken: await paymentToken() } },
        headers: headerOf(traceId),
      })),
    );
    await Promise.all(payments.map(({ input, headers }) => client.call(createLinkPayment, input, { key, headers })));
    await receiver.has(4);
    expect(traces.at(receiver.url).map(lasting).sort()).toEqual(ids.map(id => `00-${id} 01`));
  });

  test('of a checkout reaches the node, and the webhook when the customer has paid', async () => {
    const traces = receivedTraces();
    const { client, key, wallet, nodeUrl, open, becomes } = await aCheckoutShop(database);
    const receiver = await aWebhookReceiver();
    const traceId = aTrace('7');
    const webhook = { url: receiver.url, eventType: 'payment.completed' } as const;
    await client.call(createWebhook, { body: webhook }, { key });
    const body = { amount: 10_00, currency: 'GBP', orderId: 'order-7' };
    const made = await client.call(createCheckout, { body }, { key, headers: headerOf(traceId) });
    const id = made.status === 201 ? made.body.id : '';
    const { paymentHash } = await open(id, 'lightning');
    wallet.invoices.pay(paymentHash, {});
    await becomes(id, 'COMPLETE');
    await receiver.has(1);
    const [created, delivered] = [traces.at(nodeUrl, '/invoices')[0], traces.at(receiver.url)[0]];
    expect([created, delivered].map(lasting)).toEqual([`00-${traceId} 01`, `00-${traceId} 01`]);
  });
});
