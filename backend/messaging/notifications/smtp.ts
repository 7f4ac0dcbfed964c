import type { SentMessageInfo, Transporter } from 'nodemailer';
import type { Mailer, MailResult } from './mailer.ts';

export type SmtpSettings = {
  /** smtp://user:password@host:port, or smtps:// for TLS from the first byte. */
  readonly url: string;
  readonly from: string;
};

/** Longer than a mail server takes; together shorter than an e-mail's lease is renewed. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 };

/** Any SMTP server, through nodemailer. */
export function smtpMailer({ url, from }: SmtpSettings): Mailer {
  let loaded: Promise<Transporter<SentMessageInfo>> | undefined;
  return {
    async send({ id, recipient, subject, text, html }) {
      loaded ??= open(url);
      try {
        const messageId = `<${id}@${from.slice(from.lastIndexOf('@') + 1).replace('>', '')}>`;
        const to = { name: '', address: recipient };
        await (await loaded).sendMail({ from, to, subject, text, ...(html ? { html } : {}), messageId });
        return { kind: 'sent' };
      } catch (error) {
        return failure(error);
      }
    },
    close() {
      void loaded?.then(transporter => transporter.close());
    },
  };
}

/** Why the server cannot be used: it does not answer, or refuses the password. Nothing is sent. */
export async function mailServerProblem(url: string): Promise<string | undefined> {
  const transporter = await open(url);
  try {
    await transporter.verify();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 300) : 'unknown';
  } finally {
    transporter.close();
  }
}

/** Loaded by the first e-mail. */
async function open(url: string): Promise<Transporter<SentMessageInfo>> {
  const { createTransport } = await import('nodemailer');
  return createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
}

/** Responses of 500 and above are permanent; other failures are temporary. */
function failure(error: unknown): MailResult {
  const reason = error instanceof Error ? error.message.slice(0, 300) : 'unknown';
  const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0;
  const isAuthentication = error instanceof Error && 'code' in error && error.code === 'EAUTH';
  return { kind: code >= 500 && !isAuthentication ? 'refused' : 'not_sent', reason };
}
