import type { Mutant } from './mutant.ts';

const deliveries = 'backend/messaging/webhooks/deliveries.ts';
const store = 'backend/messaging/webhooks/store.ts';
const worker = 'backend/messaging/webhooks/worker.ts';
const consumer = 'backend/messaging/webhooks/consumer.ts';

/** Bugs in the delivery of webhooks. */
export const delivering: readonly Mutant[] = [
  {
    name: 'an attempt is not counted before it is sent',
    file: store,
    find: 'attemptCount: sql<number>`"attemptCount" + 1`,',
    replace: '',
    why: 'attempts before a crash are not counted',
  },
  {
    name: 'the first attempt is not counted with its event',
    file: deliveries,
    find: '{ ...row, ...underWaySince(now), attemptCount: 1 }',
    replace: '{ ...row, ...underWaySince(now) }',
    why: 'a delivery that arrived is not recorded as delivered',
  },
  {
    name: 'six attempts are made',
    file: deliveries,
    find: 'if (failure && failure.attemptCount < maximumOf(failure)) await',
    replace: 'if (failure && failure.attemptCount <= maximumOf(failure)) await',
    why: 'an endpoint is tried more often than documented',
  },
  {
    name: 'an attempt of a crashed process is repeated without limit',
    file: deliveries,
    find: 'if (number >= maximumOf(delivery)) {\n        await failed(tx, delivery);\n        return false;\n      }',
    replace: '',
    why: 'crashes lead to a sixth attempt',
  },
  {
    name: 'a failed attempt is not retried',
    file: deliveries,
    find: 'return change(tx, delivery, { nextAttemptAt: clock.now() + waitMs });',
    replace: 'return change(tx, delivery, { nextAttemptAt: null });',
    why: 'an event is lost',
  },
  {
    name: 'an attempt of a crashed process is not ended',
    file: deliveries,
    find: 'writeAttempts(tx, [{ deliveryId, series, number, startedAt, url: webhook.url, ...interrupted }]);',
    replace: '',
    why: 'the history has an attempt without an end',
  },
  {
    name: 'an endpoint is disabled too early',
    file: deliveries,
    find: 'const isOver = failedInARow >= settings.disableAfter;',
    replace: 'const isOver = failedInARow >= settings.disableAfter - 1;',
    why: 'an endpoint that works is disabled',
  },
  {
    name: 'an endpoint is never disabled',
    file: deliveries,
    find: 'disabledAt: isOver ? now : null });',
    replace: 'disabledAt: null });',
    why: 'an endpoint that always fails is tried indefinitely',
  },
  {
    name: 'a success does not reset the failures in succession',
    file: deliveries,
    find: 'tx.send(forgetFailures, { id: webhookId });',
    replace: '',
    why: 'three failures in a year disable an endpoint',
  },
  {
    name: 'a refusal counts as delivered',
    file: worker,
    find: 'const isSuccess = status >= 200 && status < 300;',
    replace: 'const isSuccess = status >= 200;',
    why: 'an event is lost',
  },
  {
    name: 'a late answer counts as delivered',
    file: worker,
    find: "return { ...none, outcome: 'timeout', error: 'the endpoint did not answer in time' };",
    replace: "return { ...none, outcome: 'delivered', error: null };",
    why: 'an event counts as delivered that no server accepted',
  },
  {
    name: 'one of several endpoints is left out',
    file: consumer,
    find: 'for (const webhook of webhooks)',
    replace: 'for (const webhook of webhooks.slice(1))',
    why: 'an endpoint misses events',
  },
  {
    name: 'a result is recorded after another process took over',
    file: deliveries,
    find: 'return current.series === series && current.attemptCount === number && current.attemptStartedAt !== null;',
    replace: 'return true;',
    why: 'attempts are counted twice',
  },
  {
    name: 'a released delivery is sent nevertheless',
    file: worker,
    find: 'const attempts = queue.waiting.splice(0);',
    replace: 'const attempts = [...queue.waiting];',
    why: 'an endpoint receives one attempt twice',
  },
  {
    name: 'a released attempt is still counted',
    file: store,
    find: 'attemptCount: sql<number>`"attemptCount" - 1`,',
    replace: '',
    why: 'a delivery fails before its last attempt',
  },
  {
    name: 'a claimed delivery is not released',
    file: worker,
    find: 'const released = deliveries.release(attempts).then(',
    replace: 'const released = Promise.resolve().then(',
    why: 'attempts that were never sent are counted',
  },
  {
    name: 'the URL of a checkout is not notified of its completion',
    file: 'backend/messaging/webhooks/consumer.ts',
    find: "if (type !== 'checkout.payment_completed' && type !== 'checkout.cancelled') return undefined;",
    replace: "if (type !== 'checkout.cancelled') return undefined;",
    why: 'the shop never ships a paid order',
    flow: 'checkoutNotified',
  },
  {
    name: 'the URL of a checkout is notified before the payment',
    file: 'backend/messaging/webhooks/consumer.ts',
    find: "if (type !== 'checkout.payment_completed' && type !== 'checkout.cancelled') return undefined;",
    replace:
      "if (type !== 'checkout.payment_started' && type !== 'checkout.payment_completed' && type !== 'checkout.cancelled') return undefined;",
    why: 'the shop ships an unpaid order',
    flow: 'checkoutNotified',
  },
  {
    name: 'the URL of a checkout is not notified of its cancellation',
    file: 'backend/messaging/webhooks/consumer.ts',
    find: 'const webhook = await webhookBodyOf(tx, event);\n      if (!webhook) return;',
    replace:
      "const webhook = await webhookBodyOf(tx, event);\n      if (!webhook || event.type === 'checkout.cancelled') return;",
    why: 'the shop waits for a payment that will not arrive',
    flow: 'checkoutNotified',
  },
];
