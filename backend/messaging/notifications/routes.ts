import {
  changeNotificationRecipient,
  createNotificationRecipient,
  deleteNotificationRecipient,
  listNotificationRecipients,
  type NotificationRecipient,
} from '@florin/shared/contracts/api-v1/notification-recipients.ts';
import { actorOf } from '../../foundation/http/callers.ts';
import { pageBefore, pageOf } from '../../foundation/http/pages.ts';
import { errorBy, type ProblemTable } from '../../foundation/http/problems.ts';
import { fail, type Route, respond, route } from '../../foundation/http/route.ts';
import type { RecipientRow } from './rows.ts';
import { kindsOf, type NotificationService, type RecipientRefusal } from './service.ts';

/** The management API of notification recipients. */
export function notificationRoutes(notifications: NotificationService): Route[] {
  const added = (row: RecipientRow) => respond(201, record(row));
  const found = (row: RecipientRow | undefined) =>
    row ? respond(200, record(row)) : fail(404, 'recipient_not_found', 'There is no such recipient');
  return [
    route(listNotificationRecipients, async ({ caller, query }) => {
      const rows = await notifications.list(caller.businessId, pageBefore(query));
      const { items, nextCursor } = pageOf(rows, query, ({ id }) => id);
      return respond(200, { items: items.map(record), nextCursor });
    }),
    route(createNotificationRecipient, async ({ caller, body, call }) => {
      const made = await notifications.add(caller.businessId, body, actorOf(caller), call.storing(added));
      return made.ok ? added(made.value) : errorBy(problems, made.refusal);
    }),
    route(changeNotificationRecipient, async ({ caller, params, body }) =>
      found(await notifications.change(caller.businessId, params.id, body.kinds, actorOf(caller))),
    ),
    route(deleteNotificationRecipient, async ({ caller, params }) =>
      found(await notifications.remove(caller.businessId, params.id, actorOf(caller))),
    ),
  ];
}

function record(row: RecipientRow): NotificationRecipient {
  const { id, email, createdAt } = row;
  return { id, email, kinds: kindsOf(row), createdAt: new Date(createdAt).toISOString() };
}

const problems = {
  recipient_exists: { status: 409, message: 'This address is already a recipient' },
  too_many_recipients: { status: 409, message: 'The business has reached the limit of recipients' },
} as const satisfies ProblemTable<RecipientRefusal['kind']>;
