import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBody } from '@florin/backend/programs/sandbox/http.ts';
import { Agent, request } from 'undici';

export type Proxy = {
  readonly url: string;
  /** The processes that it leads to, in turn. */
  targets: readonly string[];
  close(): Promise<void>;
};

/** The proxy in front of the processes that serve: each request to the next one, with no repetition. */
export async function startProxy(): Promise<Proxy> {
  const agent = new Agent({ pipelining: 1 });
  let next = 0;

  async function forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = proxy.targets[next % proxy.targets.length];
    next += 1;
    if (target === undefined) return void response.writeHead(502).end();
    const body = (await readBody(incoming, 1_000_000)) ?? Buffer.alloc(0);
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = incoming.headers;
    const answer = await request(`${target}${incoming.url}`, {
      method: incoming.method === 'GET' ? 'GET' : 'POST',
      headers: headers as Record<string, string>,
      body: incoming.method === 'GET' ? null : body,
      dispatcher: agent,
    });
    const { connection: _kept, 'transfer-encoding': _encoding, 'content-length': _size, ...given } = answer.headers;
    response.writeHead(answer.statusCode, given as Record<string, string>);
    response.end(Buffer.from(await answer.body.arrayBuffer()));
  }

  const server = createServer((incoming, response) => {
    forward(incoming, response).catch(() => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const proxy: Proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    targets: [],
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      server.closeAllConnections();
      await Promise.all([closed, agent.destroy()]);
    },
  };
  return proxy;
}
