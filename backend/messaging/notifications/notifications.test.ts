import { operator } from '@florin/shared/actor.ts';
import { listAuditEntries } from '@florin/shared/contracts/api-v1/audit.ts';
import {
  changeNotificationRecipient,
  createNotificationRecipient,
  deleteNotificationRecipient,
  listNotificationRecipients,
  type NotificationKind,
} from '@florin/shared/contracts/api-v1/notification-recipients.ts';
import { expect, test } from 'vitest';
import { aBackend, eachDatabase } from '../../../test/support/backend.ts';
import { aShopWithMailbox, publicUrl } from '../../../test/support/mailbox-shop.ts';
import { aPortalUser, portalBrowser } from '../../../test/support/portal.ts';
import { aWebhookReceiver } from '../../../test/support/webhook-receiver.ts';

eachDatabase('notifications', database => {
  test('notify every recipient of the business that an endpoint is failing and that it was disabled', async () => {
    const { aWebhook, webhook, happens, until, recipient, mailbox, subjects, client, key, world, business } =
      await aShopWithMailbox(database);
    await recipient('owner@shop.example');
    const { id: leaving } = await recipient('Clerk@shop.example');
    const other = await (await world.aBusiness({ name: 'Other' })).key('notifications:write');
    await recipient('unknown@other.example', { by: other });
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
    const { text = '', html } = mailbox.received[2] ?? {};
    const page = `${publicUrl}/portal/${business.id}/dev/webhooks/${id}`;
    const reason = 'You receive this because Corner Shop sends e-mails of this kind to this address.';
    expect([text, html]).toEqual([expect.stringContaining(`\n${page}\n`), expect.stringContaining(`"${page}"`)]);
    expect([text, html]).toEqual([expect.stringContaining(reason), expect.stringContaining(reason)]);
    expect(mailbox.received.map(({ text }) => text).join()).not.toContain('hidden');
    expect(world.logged()).not.toContain('owner@shop.example');
    const shown = await (await fetch(mailbox.url)).text();
    expect(shown).toContain(`<h2>Webhooks to ${host} were disabled</h2>`);
  });

  test('are in the language of a user of the portal, and otherwise in that of the business', async () => {
    const { aWebhook, webhook, happens, until, recipient, mailbox, subjects, world, business } =
      await aShopWithMailbox(database);
    await world.backend.services.businesses.settings.change(business.id, { locale: 'de-DE' }, operator);
    const user = await aPortalUser(world, business.id, 'owner');
    const browser = portalBrowser(world);
    const { email, password } = user;
    const headers = { 'sec-fetch-site': 'same-origin', 'accept-language': 'en-US,en;q=0.9' };
    await browser.request('POST', '/portal/api/sign-in', { email, password }, headers);
    await expect.poll(subjects).toEqual([`${email}: New sign-in to your account`]);
    await recipient(email);
    await recipient('buero@shop.example');
    const receiver = await aWebhookReceiver(() => 500);
    const { id } = await aWebhook(receiver.url);
    for (const count of [1, 2]) {
      await happens();
      await until(async () => (await webhook(id)).failedInARow === count);
    }
    const { host } = new URL(receiver.url);
    await expect
      .poll(() => subjects().slice(1).toSorted())
      .toEqual([`buero@shop.example: Webhooks an ${host} schlagen fehl`, `${email}: Webhooks to ${host} are failing`]);
    const german = mailbox.received.find(({ to }) => to.join() === 'buero@shop.example');
    expect(german?.text).toContain('Sie erhalten dies, weil Corner Shop E-Mails dieser Art an diese Adresse sendet.');
    expect(german?.html).toContain('<html lang="de">');
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

  test('go to those who chose their kind, which the audit log records', async () => {
    const { aWebhook, webhook, happens, until, recipient, subjects, client, key, world } =
      await aShopWithMailbox(database);
    const owner = await recipient('owner@shop.example');
    expect(owner.kinds).toEqual(['problem', 'webhook']);
    const bookkeeper = await recipient('books@shop.example', { kinds: ['daily_report', 'problem', 'daily_report'] });
    expect(bookkeeper.kinds).toEqual(['problem', 'daily_report']);
    const change = (id: string, kinds: NotificationKind[], by = key) =>
      client.call(changeNotificationRecipient, { params: { id }, body: { kinds } }, { key: by });
    const receiver = await aWebhookReceiver(() => 500);
    const { id } = await aWebhook(receiver.url);
    const { host } = new URL(receiver.url);
    const fails = async (count: number) => {
      await happens();
      await until(async () => (await webhook(id)).failedInARow === count);
    };
    await fails(1);
    await fails(2);
    await expect.poll(subjects).toEqual([`owner@shop.example: Webhooks to ${host} are failing`]);
    expect(await change(owner.id, ['staff_locked'])).toMatchObject({ status: 200, body: { kinds: ['staff_locked'] } });
    expect(await change(bookkeeper.id, ['webhook'])).toMatchObject({ status: 200 });
    await fails(3);
    await expect.poll(() => subjects().slice(1)).toEqual([`books@shop.example: Webhooks to ${host} were disabled`]);
    expect(await change(owner.id, [])).toMatchObject({ status: 400 });
    const stranger = await (await world.aBusiness()).key('notifications:write');
    expect(await change(owner.id, ['webhook'], stranger)).toMatchObject({
      status: 404,
      body: { error: { metadata: { reason: 'recipient_not_found' } } },
    });
    const log = await client.call(listAuditEntries, { query: { subjectId: owner.id } }, { key });
    expect(log.status === 200 && log.body.items.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(/ changed what is sent to “owner@shop.example”: staff_locked\.$/),
      expect.stringMatching(/ added the notification recipient “owner@shop.example”\.$/),
    ]);
  });
});
