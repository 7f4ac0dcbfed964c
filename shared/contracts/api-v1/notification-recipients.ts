import { z } from 'zod';
import { contract, id, timestamp } from '../contract.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';

/** What notifications are about; every one is of exactly one kind. */
export const notificationKinds = ['problem', 'webhook', 'staff_locked', 'terminal_silent', 'daily_report'] as const;
const notificationKind = z.enum(notificationKinds);
export type NotificationKind = z.infer<typeof notificationKind>;

const kinds = z
  .array(notificationKind)
  .min(1, { error: 'must have at least one kind' })
  .meta({
    description:
      'What is sent to it. `problem`: a discrepancy with the gateway needs a decision, or a customer gave a destination for the return of bitcoin. `webhook`: an endpoint is failing or was disabled. `staff_locked`: a staff member was locked out. `terminal_silent`: a terminal that was in use today stopped reporting. `daily_report`: the figures of the day, after its end in the time zone of the business, if money moved',
    example: ['problem', 'daily_report'],
  });

export const notificationRecipient = z
  .object({ id: id('ntf'), email: z.string(), kinds, createdAt: timestamp })
  .meta({ id: 'NotificationRecipient' });
export type NotificationRecipient = z.infer<typeof notificationRecipient>;

const tag = 'Notifications';

export const listNotificationRecipients = contract({
  name: 'listNotificationRecipients',
  method: 'GET',
  path: '/api/v1/notification-recipients',
  authentication: ['apiKey'],
  permissions: ['notifications:write'],
  summary: 'List notification recipients, newest first',
  tag,
  query: pageQuery('notification-recipients'),
  responses: { 200: json(listOf(notificationRecipient)) },
  origin: 'project',
});

export const createNotificationRecipient = contract({
  name: 'createNotificationRecipient',
  method: 'POST',
  path: '/api/v1/notification-recipients',
  authentication: ['apiKey'],
  permissions: ['notifications:write'],
  stepUp: true,
  summary: 'Add a notification recipient',
  description:
    'It gets the e-mails of its kinds, about this business. Daily reports begin with that of the day on which it chose them.',
  tag,
  body: z.object({
    email: z
      .email({ error: 'must be an e-mail address' })
      .max(254, { error: 'must have at most 254 characters' })
      .meta({ example: 'owner@shop.example' }),
    kinds: kinds.default(['problem', 'webhook']),
  }),
  responses: { 201: json(notificationRecipient) },
  errors: { 409: ['recipient_exists', 'too_many_recipients'] },
  idempotent: true,
  origin: 'project',
});

export const changeNotificationRecipient = contract({
  name: 'changeNotificationRecipient',
  method: 'PATCH',
  path: '/api/v1/notification-recipients/{id}',
  authentication: ['apiKey'],
  permissions: ['notifications:write'],
  stepUp: true,
  summary: 'Change what a notification recipient gets',
  tag,
  params: z.object({ id: id('ntf') }),
  body: z.object({ kinds }),
  responses: { 200: json(notificationRecipient) },
  errors: { 404: ['recipient_not_found'] },
  origin: 'project',
});

export const deleteNotificationRecipient = contract({
  name: 'deleteNotificationRecipient',
  method: 'DELETE',
  path: '/api/v1/notification-recipients/{id}',
  authentication: ['apiKey'],
  permissions: ['notifications:write'],
  stepUp: true,
  summary: 'Remove a notification recipient',
  tag,
  params: z.object({ id: id('ntf') }),
  responses: { 200: json(notificationRecipient) },
  errors: { 404: ['recipient_not_found'] },
  origin: 'project',
});
