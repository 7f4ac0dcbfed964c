import type { Mutant } from './mutant.ts';

const deliveries = 'backend/webhooks/deliveries.ts';
const store = 'backend/webhooks/store.ts';
const worker = 'backend/webhooks/worker.ts';
const consumer = 'backend/webhooks/consumer.ts';

/** Telling merchants' servers. */
export const delivering: readonly Mutant[] = [
  {
    name: 'attempt not counted before it is sent',
    file: store,
    find: 'attemptCount: sql<number>`"attemptCount" + 1`,',
    replace: '',
    why: 'attempts after a crash are not counted',
  },
  {
    name: 'first attempt not counted with its event',
    file: deliveries,
    find: '{ ...row, ...underWaySince(now), attemptCount: 1 }',
    replace: '{ ...row, ...underWaySince(now) }',
    why: 'a delivery that arrived is not recorded as delivered',
  },
  {
    name: 'six attempts',
    file: deliveries,
    find: 'if (failure && failure.attemptCount < maximumOf(failure)) await',
    replace: 'if (failure && failure.attemptCount <= maximumOf(failure)) await',
    why: 'an endpoint is tried more often than promised',
  },
  {
    name: 'attempt of a dead process counted anew for ever',
    file: deliveries,
    find: 'if (number >= maximumOf(delivery)) {\n        await failed(tx, delivery);\n        return false;\n      }',
    replace: '',
    why: 'crashes make a sixth attempt',
  },
  {
    name: 'failed attempt not tried again',
    file: deliveries,
    find: 'return change(tx, delivery, { nextAttemptAt: clock.now() + waitMs });',
    replace: 'return change(tx, delivery, { nextAttemptAt: null });',
    why: 'an event is lost',
  },
  {
    name: 'attempt of a dead process not ended',
    file: deliveries,
    find: 'writeAttempts(tx, [{ deliveryId, series, number, startedAt, url: webhook.url, ...interrupted }]);',
    replace: '',
    why: 'the history has an attempt without an end',
  },
  {
    name: 'endpoint disabled too early',
    file: deliveries,
    find: 'const isOver = failedInARow >= settings.disableAfter;',
    replace: 'const isOver = failedInARow >= settings.disableAfter - 1;',
    why: 'an endpoint that works is disabled',
  },
  {
    name: 'endpoint never disabled',
    file: deliveries,
    find: 'disabledAt: isOver ? now : null });',
    replace: 'disabledAt: null });',
    why: 'a dead endpoint is tried for ever',
  },
  {
    name: 'failures in a row not forgotten',
    file: deliveries,
    find: 'tx.send(forgetFailures, { id: webhookId });',
    replace: '',
    why: 'three failures in a year disable an endpoint',
  },
  {
    name: 'refusal taken for delivered',
    file: worker,
    find: 'const isSuccess = status >= 200 && status < 300;',
    replace: 'const isSuccess = status >= 200;',
    why: 'an event is lost',
  },
  {
    name: 'late answer taken for delivered',
    file: worker,
    find: "return { ...none, outcome: 'timeout', error: 'the endpoint did not answer in time' };",
    replace: "return { ...none, outcome: 'delivered', error: null };",
    why: 'an event counts as delivered that nobody accepted',
  },
  {
    name: 'one endpoint of several told',
    file: consumer,
    find: 'for (const webhook of webhooks)',
    replace: 'for (const webhook of webhooks.slice(1))',
    why: 'an endpoint misses events',
  },
  {
    name: 'result recorded after another process took over',
    file: deliveries,
    find: 'return current.series === series && current.attemptCount === number && current.attemptStartedAt !== null;',
    replace: 'return true;',
    why: 'attempts are counted twice',
  },
  {
    name: 'delivery given back and sent all the same',
    file: worker,
    find: 'const attempts = queue.waiting.splice(0);',
    replace: 'const attempts = [...queue.waiting];',
    why: 'an endpoint is sent one attempt twice',
  },
  {
    name: 'attempt that was given back still counted',
    file: store,
    find: 'attemptCount: sql<number>`"attemptCount" - 1`,',
    replace: '',
    why: 'an event is given up before its last attempt',
  },
  {
    name: 'claimed delivery not given back',
    file: worker,
    find: 'const released = deliveries.release(attempts).then(',
    replace: 'const released = Promise.resolve().then(',
    why: 'attempts that were never sent are counted',
  },
  {
    name: 'own address of a checkout not told that it was paid',
    file: 'backend/webhooks/consumer.ts',
    find: "if (type !== 'checkout.payment_completed' && type !== 'checkout.cancelled') return undefined;",
    replace: "if (type !== 'checkout.cancelled') return undefined;",
    why: 'the shop never ships what was paid',
    flow: 'checkoutNotified',
  },
  {
    name: 'own address of a checkout told before it is paid',
    file: 'backend/webhooks/consumer.ts',
    find: "if (type !== 'checkout.payment_completed' && type !== 'checkout.cancelled') return undefined;",
    replace:
      "if (type !== 'checkout.payment_started' && type !== 'checkout.payment_completed' && type !== 'checkout.cancelled') return undefined;",
    why: 'the shop ships what was not paid yet',
    flow: 'checkoutNotified',
  },
  {
    name: 'own address of a checkout not told of its cancellation',
    file: 'backend/webhooks/consumer.ts',
    find: 'const webhook = await webhookBodyOf(tx, event);\n      if (!webhook) return;',
    replace:
      "const webhook = await webhookBodyOf(tx, event);\n      if (!webhook || event.type === 'checkout.cancelled') return;",
    why: 'the shop waits for money that will not come',
    flow: 'checkoutNotified',
  },
];
