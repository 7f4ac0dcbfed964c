import { startMailboxSandbox } from '@florin/backend/programs/sandbox/mailbox/server.ts';
import {
  createNotificationRecipient,
  listNotificationRecipients,
  type NotificationKind,
} from '@florin/shared/contracts/api-v1/notification-recipients.ts';
import { onTestFinished } from 'vitest';
import type { BackendWorld, DatabaseKind } from './backend.ts';
import { aWebhookShop } from './webhook-shop.ts';

export const publicUrl = 'https://pay.example';

/** A shop whose e-mails arrive in the sandbox mailbox. */
export async function aShopWithMailbox(database: DatabaseKind) {
  const mailbox = await startMailboxSandbox();
  onTestFinished(() => mailbox.close());
  const env = {
    SMTP_URL: mailbox.smtpUrl,
    MAIL_FROM: 'Florin <florin@shop.example>',
    PUBLIC_URL: publicUrl,
    WEBHOOK_RETRY_SECONDS: '1',
    WEBHOOK_WARN_AFTER: '2',
    WEBHOOK_DISABLE_AFTER: '3',
  };
  const shop = await aWebhookShop(database, env);
  const { client, key } = shop;
  async function recipient(email: string, { by = key, kinds }: { by?: string; kinds?: NotificationKind[] } = {}) {
    const body = { email, ...(kinds ? { kinds } : {}) };
    const made = await client.call(createNotificationRecipient, { body }, { key: by });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return made.body;
  }
  const subjects = () => mailbox.received.map(({ to, subject }) => `${to.join()}: ${subject}`);
  /**
   * Each e-mail once: where the clock jumps past its lease before the mail server has answered, it is sent again with the
   * same Message-ID.
   */
  const mails = () => [...new Map(mailbox.received.map(mail => [mail.messageId, mail])).values()];
  /** Lets time pass, a minute at a time, while this process of the service works. */
  async function passes(minutes: number, process: BackendWorld = shop.world): Promise<void> {
    for (let minute = 0; minute < minutes; minute += 1) {
      process.clock.advance({ minutes: 1 });
      await process.client.call(listNotificationRecipients, {}, { key });
    }
  }
  return { ...shop, mailbox, recipient, subjects, mails, passes, env };
}
