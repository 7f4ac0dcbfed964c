import {
  createNotificationRecipient,
  deleteNotificationRecipient,
  listNotificationRecipients,
} from '@florin/shared/contracts/api-v1/notification-recipients.ts';
import { expect, onTestFinished, test } from 'vitest';
import { aBackend, type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aWebhookReceiver } from '../../../test/support/webhook-receiver.ts';
import { aWebhookShop } from '../../../test/support/webhook-shop.ts';
import { startMailboxSandbox } from '../../programs/sandbox/mailbox/server.ts';

async function aShopWithMailbox(database: DatabaseKind) {
  const mailbox = await startMailboxSandbox();
  onTestFinished(() => mailbox.close());
  const env = {
    SMTP_URL: mailbox.smtpUrl,
    MAIL_FROM: 'Florin <florin@shop.example>',
    WEBHOOK_RETRY_SECONDS: '1',
    WEBHOOK_WARN_AFTER: '2',
    WEBHOOK_DISABLE_AFTER: '3',
  };
  const shop = await aWebhookShop(database, env);
  const { client, key } = shop;
  async function recipient(email: string, by = key) {
    const made = await client.call(createNotificationRecipient, { body: { email } }, { key: by });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return made.body;
  }
  const subjects = () => mailbox.received.map(({ to, subject }) => `${to.join()}: ${subject}`);
  return { ...shop, mailbox, recipient, subjects, env };
}

eachDatabase('notifications', database => {
  test('notify every recipient of the business that an endpoint is failing and that it was disabled', async () => {
    const { aWebhook, webhook, happens, until, recipient, mailbox, subjects, client, key, world } =
      await aShopWithMailbox(database);
    await recipient('owner@shop.example');
    const { id: leaving } = await recipient('Clerk@shop.example');
    const other = await (await world.aBusiness({ name: 'Other' })).key('notifications:write');
    await recipient('unknown@other.example', other);
    const receiver = await aWebhookReceiver(() => 500);
    const { id } = await aWebhook(`${receiver.url}?token=hidden`);
    const fails = async (count: number) => {
      await happens();
      await until(async () => (await webhook(id)).failedInARow === count);
    };
    await fails(1);
    expect(subjects()).toEqual([]);
    await fails(2);
    const { host } = new URL(receiver.url);
    await expect
      .poll(() => subjects().toSorted((a, b) => (a < b ? -1 : 1)))
      .toEqual([
        `Clerk@shop.example: Webhooks to ${host} are failing`,
        `owner@shop.example: Webhooks to ${host} are failing`,
      ]);
    expect(await client.call(deleteNotificationRecipient, { params: { id: leaving } }, { key })).toMatchObject({
      status: 200,
    });
    await fails(3);
    await expect.poll(() => subjects().slice(2)).toEqual([`owner@shop.example: Webhooks to ${host} were disabled`]);
    expect(mailbox.received[2]).toMatchObject({
      from: 'florin@shop.example',
      text: expect.stringContaining(`Endpoint  ${id}\n  URL       ${receiver.url}\n`),
    });
    expect(mailbox.received.map(({ text }) => text).join()).not.toContain('hidden');
    expect(world.logged()).not.toContain('owner@shop.example');
    const page = await (await fetch(mailbox.url)).text();
    expect(page).toContain(`<h2>Webhooks to ${host} were disabled</h2>`);
  });

  test('wait for an unavailable mail server, and fail permanently when refused', async () => {
    const { aWebhook, webhook, happens, until, recipient, mailbox, subjects, world } = await aShopWithMailbox(database);
    await recipient('owner@shop.example');
    const receiver = await aWebhookReceiver(() => 500);
    const { id } = await aWebhook(receiver.url);
    const fails = async (count: number) => {
      await happens();
      await until(async () => (await webhook(id)).failedInARow === count);
    };
    mailbox.behaves('busy');
    await fails(1);
    await fails(2);
    await expect.poll(() => world.logged()).toContain('"outcome":"not_sent"');
    expect(subjects()).toEqual([]);
    mailbox.behaves('taking');
    await until(async () => {
      await webhook(id);
      return subjects().length === 1;
    }, 5);
    mailbox.behaves('refusing');
    await fails(3);
    await expect.poll(() => world.logged()).toContain('"outcome":"refused"');
    mailbox.behaves('taking');
    world.clock.advance({ hours: 48 });
    await webhook(id);
    expect(subjects()).toHaveLength(1);
  });

  test('are sent once by several processes, with the id of the e-mail as Message-ID', async () => {
    const { aWebhook, webhook, happens, until, recipient, mailbox, world, env } = await aShopWithMailbox(database);
    await aBackend({ sharing: world, env: { ...env, OUTBOUND_ALLOW_LOOPBACK: 'true' } });
    for (const name of ['a', 'b', 'c', 'd', 'e']) await recipient(`${name}@shop.example`);
    const receiver = await aWebhookReceiver(() => 500);
    const { id } = await aWebhook(receiver.url);
    for (const count of [1, 2, 3]) {
      await happens();
      await until(async () => (await webhook(id)).failedInARow === count);
    }
    await expect.poll(() => mailbox.received.length).toBe(10);
    expect(new Set(mailbox.received.map(({ messageId }) => messageId)).size).toBe(10);
    for (const { messageId } of mailbox.received) expect(messageId).toMatch(/^<eml_\w+@shop\.example>$/);
  });

  test('go to each address once, regardless of case, and to at most fifty', async () => {
    const { recipient, client, key } = await aShopWithMailbox(database);
    const add = (email: string) => client.call(createNotificationRecipient, { body: { email } }, { key });
    await recipient('owner@shop.example');
    expect(await add('OWNER@shop.example')).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'recipient_exists' } } },
    });
    for (const email of ['owner', 'a@b', 'a\r\nBcc: x@y.example@shop.example', `${'x'.repeat(250)}@shop.example`])
      expect(await add(email)).toMatchObject({ status: 400 });
    for (let count = 2; count <= 50; count += 1) await recipient(`r${count}@shop.example`);
    expect(await add('one-more@shop.example')).toMatchObject({
      body: { error: { metadata: { reason: 'too_many_recipients', limit: 50 } } },
    });
    expect(await add('Owner@shop.example')).toMatchObject({
      body: { error: { metadata: { reason: 'recipient_exists' } } },
    });
    const listed = await client.call(listNotificationRecipients, { query: { limit: '100' } }, { key });
    expect(listed).toMatchObject({ body: { nextCursor: null } });
    expect(listed.status === 200 && listed.body.items).toHaveLength(50);
  });
});
