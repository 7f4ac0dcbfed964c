import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callbackify } from 'node:util';
import { testerPageFiles } from '@florin/shared/files/tester-pages.ts';
import type { Clock } from '@florin/shared/ports.ts';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { systemClock } from '../../../foundation/platform/system.ts';
import { isFromThisMachine, listener, sendJson } from '../http.ts';
import type { ReceivedMail } from './mail.ts';
import { mailboxPage, script, style } from './page.ts';

/** The mail server's behaviour: `busy` refuses temporarily, `refusing` permanently. */
export type MailboxBehaviour = 'taking' | 'busy' | 'refusing';

export type MailboxSandbox = {
  readonly smtpUrl: string;
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  behaves(behaviour: MailboxBehaviour): void;
  close(): Promise<void>;
};

const keptMails = 500;
const maxBytes = 1_000_000;

/** A mail server that accepts mail for any address and shows it on a page. Kept in memory. */
export async function startMailboxSandbox(
  options: { readonly port?: number; readonly smtpPort?: number; readonly clock?: Clock } = {},
) {
  const { clock = systemClock } = options;
  const received: ReceivedMail[] = [];
  let behaviour: MailboxBehaviour = 'taking';
  let count = 0;

  async function take(stream: SMTPServerDataStream, { envelope }: SMTPServerSession): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const mail = await PostalMime.parse(Buffer.concat(chunks));
    count += 1;
    received.push({
      id: String(count),
      from: mail.from?.address ?? '',
      to: envelope.rcptTo.map(({ address }) => address),
      subject: mail.subject ?? '',
      text: mail.text ?? mail.html ?? '',
      html: mail.html ?? null,
      messageId: mail.messageId ?? '',
      receivedAt: new Date(clock.now()).toISOString(),
    });
    if (received.length > keptMails) received.shift();
  }

  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    size: maxBytes,
    onAuth: (_auth, _session, done) => done(null, { user: 'sandbox' }),
    onRcptTo: (_address, _session, done) => done(problemOf(behaviour)),
    onData: callbackify(take),
  });
  smtp.on('error', error => process.emitWarning(error));
  await new Promise<void>((resolve, reject) => {
    smtp.once('error', reject);
    smtp.listen(options.smtpPort ?? 0, '127.0.0.1', resolve);
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isFromThisMachine(request))
      return sendJson(response, 403, { error: 'only requests from this machine are accepted' });
    if (request.method !== 'GET') return sendJson(response, 405, { error: 'GET only' });
    const newestFirst = received.toReversed();
    if (request.url === '/messages') return sendJson(response, 200, { messages: newestFirst });
    const design = testerPageFiles()[request.url ?? ''];
    if (design) return send(response, design.type, design.content);
    if (request.url === '/style.css') return send(response, 'text/css', style);
    if (request.url === '/app.js') return send(response, 'text/javascript', script());
    if (request.url === '/') return send(response, 'text/html', mailboxPage(newestFirst));
    return sendJson(response, 404, { error: 'no such page' });
  }

  const page = listener({ port: options.port ?? 0, handle });
  await page.open();
  const { port: smtpPort } = smtp.server.address() as AddressInfo;
  return {
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    url: page.url(),
    received,
    behaves(next) {
      behaviour = next;
    },
    async close() {
      await Promise.all([page.close(), new Promise<void>(resolve => smtp.close(() => resolve()))]);
    },
  } satisfies MailboxSandbox;
}

function problemOf(behaviour: MailboxBehaviour): Error | null {
  if (behaviour === 'taking') return null;
  const isBusy = behaviour === 'busy';
  const message = isBusy ? 'The mailbox is busy' : 'There is no such mailbox';
  return Object.assign(new Error(message), { responseCode: isBusy ? 451 : 550 });
}

function send(response: ServerResponse, type: string, content: string | Buffer): void {
  response.writeHead(200, {
    'content-type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    'content-security-policy':
      "default-src 'none'; style-src 'self'; font-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  response.end(content);
}
