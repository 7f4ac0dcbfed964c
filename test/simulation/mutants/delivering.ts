import { bugsIn } from './mutant.ts';

/** Bugs in the delivery of webhooks. */
export const delivering = bugsIn({
  'backend/messaging/webhooks/store.ts': [
    {
      name: 'an attempt is not counted before it is sent',
      find: 'attemptCount: sql<number>`"attemptCount" + 1`,',
      replace: '',
    },
    {
      name: 'a released attempt is still counted',
      find: 'attemptCount: sql<number>`"attemptCount" - 1`,',
      replace: '',
    },
  ],
  'backend/messaging/webhooks/deliveries.ts': [
    {
      name: 'the first attempt is not counted with its event',
      find: 'nextAttemptAt: leaseUntil, attemptCount: 1 }',
      replace: 'nextAttemptAt: leaseUntil }',
    },
    {
      name: 'six attempts are made',
      find: 'if (failure && failure.attemptCount < maximumOf(failure)) await',
      replace: 'if (failure && failure.attemptCount <= maximumOf(failure)) await',
    },
    {
      name: 'an attempt of a crashed process is repeated without limit',
      find: 'if (number >= maximumOf(delivery)) {\n        await failed(tx, delivery);\n        return false;\n      }',
      replace: '',
    },
    {
      name: 'a failed attempt is not retried',
      find: 'return change(tx, delivery, { nextAttemptAt: clock.now() + waitMs });',
      replace: 'return change(tx, delivery, { nextAttemptAt: null });',
    },
    {
      name: 'an attempt of a crashed process is not ended',
      find: 'writeAttempts(tx, [{ deliveryId, series, number, startedAt, url: webhook.url, ...interrupted }]);',
      replace: '',
    },
    {
      name: 'an endpoint is disabled too early',
      find: 'const isOver = failedInARow >= settings.disableAfter;',
      replace: 'const isOver = failedInARow >= settings.disableAfter - 1;',
    },
    {
      name: 'an endpoint is never disabled',
      find: 'disabledAt: isOver ? now : null });',
      replace: 'disabledAt: null });',
    },
    {
      name: 'a success does not reset the failures in succession',
      find: 'tx.send(forgetFailures, { id: webhookId });',
      replace: '',
    },
    {
      name: 'a result is recorded after another process took over',
      find: 'return current.series === series && current.attemptCount === number && current.attemptStartedAt !== null;',
      replace: 'return true;',
    },
  ],
  'backend/messaging/webhooks/worker.ts': [
    {
      name: 'a refusal counts as delivered',
      find: 'const isSuccess = status >= 200 && status < 300;',
      replace: 'const isSuccess = status >= 200;',
    },
    {
      name: 'a late answer counts as delivered',
      find: "return { ...none, outcome: 'timeout', error: 'the endpoint did not answer in time' };",
      replace: "return { ...none, outcome: 'delivered', error: null };",
    },
  ],
  'backend/messaging/webhooks/consumer.ts': [
    {
      name: 'one of several endpoints is left out',
      find: 'for (const webhook of webhooks)',
      replace: 'for (const webhook of webhooks.slice(1))',
    },
    {
      name: 'the URL of a checkout is not notified of its completion',
      find: "if (type !== 'checkout.payment_completed' && type !== 'checkout.cancelled') return undefined;",
      replace: "if (type !== 'checkout.cancelled') return undefined;",
      flow: 'checkoutNotified',
    },
    {
      name: 'the URL of a checkout is notified before the payment',
      find: "if (type !== 'checkout.payment_completed' && type !== 'checkout.cancelled') return undefined;",
      replace:
        "if (type !== 'checkout.payment_started' && type !== 'checkout.payment_completed' && type !== 'checkout.cancelled') return undefined;",
      flow: 'checkoutNotified',
    },
    {
      name: 'the URL of a checkout is not notified of its cancellation',
      find: 'const webhook = await webhookBodyOf(tx, event);\n      if (!webhook) return;',
      replace:
        "const webhook = await webhookBodyOf(tx, event);\n      if (!webhook || event.type === 'checkout.cancelled') return;",
      flow: 'checkoutNotified',
    },
  ],
});
