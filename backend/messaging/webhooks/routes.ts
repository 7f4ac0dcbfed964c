import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  getWebhook,
  listWebhookDeliveries,
  listWebhooks,
  recoverWebhook,
  redeliverWebhook,
  rotateWebhookSecret,
  testWebhook,
} from '@florin/shared/contracts/api-v1/webhooks.ts';
import type { Clock } from '@florin/shared/ports.ts';
import { actorOf } from '../../foundation/http/callers.ts';
import { pageBefore, pageOf } from '../../foundation/http/pages.ts';
import { errorBy, invalidInput, type ProblemTable } from '../../foundation/http/problems.ts';
import { fail, type Route, respond, route } from '../../foundation/http/route.ts';
import type { DeliveryRow, WebhookRow } from './rows.ts';
import type { DeliveryWithAttempts, WebhookService } from './service.ts';
import { deliveryRecordOf, webhookRecordOf } from './webhook.ts';

/**
 * The HTTP operations on webhook endpoints. A signing secret is only in the response that created it, not in a replay
 * of that response.
 */
export function webhookRoutes(options: { webhooks: WebhookService; clock: Clock; warnAfter: number }): Route[] {
  const { webhooks, clock, warnAfter } = options;
  const record = (row: WebhookRow) => webhookRecordOf(row, { now: clock.now(), warnAfter });
  const withoutSecret = (row: WebhookRow) => ({ ...record(row), secret: null });
  const unknown = () => fail(404, 'webhook_not_found', problems.webhook_not_found.message);
  const key = (caller: { readonly businessId: string }, id: string) => ({ businessId: caller.businessId, id });
  const added = (row: DeliveryRow) => respond(201, deliveryRecordOf(row, []));
  const sentAgain = ({ delivery, attempts }: DeliveryWithAttempts) =>
    respond(200, deliveryRecordOf(delivery, attempts));

  return [
    route(listWebhooks, async ({ caller, query }) => {
      const { items, nextCursor } = pageOf(
        await webhooks.list(caller.businessId, pageBefore(query)),
        query,
        ({ id }) => id,
      );
      return respond(200, { items: items.map(record), nextCursor });
    }),

    route(createWebhook, async ({ caller, body, call }) => {
      const write = call.storing((row: WebhookRow) => respond(201, withoutSecret(row)));
      const made = await webhooks.create(caller.businessId, body, actorOf(caller), write);
      if (made.ok) return respond(201, { ...record(made.value.webhook), secret: made.value.secret });
      if (made.refusal.kind === 'url_refused') return invalidInput({ path: 'url', message: made.refusal.problem });
      return errorBy(problems, made.refusal);
    }),

    route(getWebhook, async ({ caller, params }) => {
      const found = await webhooks.find(key(caller, params.id));
      return found ? respond(200, record(found)) : unknown();
    }),

    route(changeWebhook, async ({ caller, params, body }) => {
      const changed = await webhooks.change(key(caller, params.id), given(body), actorOf(caller));
      if (changed.ok) return respond(200, record(changed.value));
      if (changed.refusal.kind === 'url_refused')
        return invalidInput({ path: 'url', message: changed.refusal.problem });
      return errorBy(problems, changed.refusal);
    }),

    route(deleteWebhook, async ({ caller, params }) => {
      const removed = await webhooks.remove(key(caller, params.id), actorOf(caller));
      return removed ? respond(200, record(removed)) : unknown();
    }),

    route(rotateWebhookSecret, async ({ caller, params, body, call }) => {
      const write = call.storing((row: WebhookRow) => respond(200, withoutSecret(row)));
      const how = { keepPrevious: body.keepPreviousSecret };
      const rotated = await webhooks.rotateSecret(key(caller, params.id), how, actorOf(caller), write);
      return rotated ? respond(200, { ...record(rotated.webhook), secret: rotated.secret }) : unknown();
    }),

    route(enableWebhook, async ({ caller, params, call }) => {
      const write = call.storing((row: WebhookRow) => respond(200, record(row)));
      const enabled = await webhooks.enable(key(caller, params.id), actorOf(caller), write);
      return enabled ? respond(200, record(enabled)) : unknown();
    }),

    route(disableWebhook, async ({ caller, params, call }) => {
      const write = call.storing((row: WebhookRow) => respond(200, record(row)));
      const disabled = await webhooks.disable(key(caller, params.id), actorOf(caller), write);
      return disabled ? respond(200, record(disabled)) : unknown();
    }),

    route(testWebhook, async ({ caller, params, call }) => {
      const delivery = await webhooks.sendTest(key(caller, params.id), call.storing(added));
      return delivery ? added(delivery) : unknown();
    }),

    route(listWebhookDeliveries, async ({ caller, params, query }) => {
      const webhook = await webhooks.find(key(caller, params.id));
      if (!webhook) return unknown();
      const { status = null } = query;
      const found = await webhooks.deliveries(webhook, { status, ...pageBefore(query) });
      const { items, nextCursor } = pageOf(found, query, ({ delivery }) => delivery.id);
      const records = items.map(({ delivery, attempts }) => deliveryRecordOf(delivery, attempts));
      return respond(200, { items: records, nextCursor });
    }),

    route(redeliverWebhook, async ({ caller, params, call }) => {
      const { id, deliveryId } = params;
      const again = await webhooks.redeliver({ ...key(caller, id), deliveryId }, call.storing(sentAgain));
      return again.ok ? sentAgain(again.value) : errorBy(problems, again.refusal);
    }),

    route(recoverWebhook, async ({ caller, params, query, call }) => {
      const since = Date.parse(query.since);
      const write = call.storing((count: number) => respond(200, { deliveries: count }));
      const recovered = await webhooks.recover({ ...key(caller, params.id), since }, write);
      return recovered.ok ? respond(200, { deliveries: recovered.value }) : errorBy(problems, recovered.refusal);
    }),
  ];
}

/** The given fields only, so that others are not changed. */
function given<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

const problems = {
  webhook_not_found: { status: 404, message: 'There is no such webhook endpoint' },
  delivery_not_found: { status: 404, message: 'There is no such delivery at this endpoint' },
  webhook_event_changed: {
    status: 409,
    message: 'This endpoint has changed to another event: change it back first',
  },
  webhook_disabled: { status: 409, message: 'This endpoint is disabled: enable it first' },
  too_many_webhooks: { status: 409, message: 'The business has as many endpoints as it may have: remove one first' },
} as const satisfies ProblemTable;
