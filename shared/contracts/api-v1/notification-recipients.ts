import { z } from 'zod';
import { contract, id, timestamp } from '../contract.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';

export const notificationRecipient = z
  .object({ id: id('ntf'), email: z.string(), createdAt: timestamp })
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
  summary: 'Add a notification recipient',
  description:
    'Notifications are sent when a webhook endpoint is failing or disabled, and when a discrepancy with the gateway needs a decision.',
  tag,
  body: z.object({
    email: z
      .email({ error: 'must be an e-mail address' })
      .max(254, { error: 'must have at most 254 characters' })
      .meta({ example: 'owner@shop.example' }),
  }),
  responses: { 201: json(notificationRecipient) },
  errors: { 409: ['recipient_exists', 'too_many_recipients'] },
  idempotent: true,
  origin: 'project',
});

export const deleteNotificationRecipient = contract({
  name: 'deleteNotificationRecipient',
  method: 'DELETE',
  path: '/api/v1/notification-recipients/{id}',
  authentication: ['apiKey'],
  permissions: ['notifications:write'],
  summary: 'Remove a notification recipient',
  tag,
  params: z.object({ id: id('ntf') }),
  responses: { 200: json(notificationRecipient) },
  errors: { 404: ['recipient_not_found'] },
  origin: 'project',
});
