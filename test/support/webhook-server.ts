import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReceivedWebhook = { readonly headers: IncomingHttpHeaders; readonly path: string; readonly body: string };

/** Returns the status to answer with, or handles the response itself and returns undefined. */
export type Answering = (received: ReceivedWebhook, response: ServerResponse) => number | undefined;

export type WebhookServer = Awaited<ReturnType<typeof startWebhookServer>>;

/** Starts a merchant's web server on this machine, which stores what it receives. */
export async function startWebhookServer(answering: Answering = () => 200) {
  const received: ReceivedWebhook[] = [];
  let waiting: { count: number; resolve: () => void }[] = [];
  let answer = answering;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const one = { headers: request.headers, path: request.url ?? '', body };
      received.push(one);
      const status = answer(one, response);
      if (status !== undefined) response.writeHead(status, { 'content-type': 'text/plain' }).end(`answer ${status}`);
      for (const each of waiting) if (received.length >= each.count) each.resolve();
      waiting = waiting.filter(({ count }) => received.length < count);
    });
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    /** Sets how further requests are answered. */
    answers(next: Answering): void {
      answer = next;
    },
    /** Resolves once it has received this many requests. */
    has(count: number): Promise<void> {
      return new Promise(resolve => {
        if (received.length >= count) resolve();
        else waiting.push({ count, resolve });
      });
    },
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
