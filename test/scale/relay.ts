import type { AddressInfo } from 'node:net';
import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

export type Relay = {
  /** The address of a database behind it. */
  url(database: string): string;
  /** Leads further connections to another server. */
  leadTo(socketDirectory: string): void;
  close(): Promise<void>;
};

/** An address that stays the same when another server takes over, as a DNS name or a virtual IP address is in production. */
export async function startRelay(socketDirectory: string): Promise<Relay> {
  let to = socketDirectory;
  const open = new Set<Socket>();
  const server = createServer(near => {
    const far = createConnection(join(to, '.s.PGSQL.5432'));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: database => `postgres://postgres@127.0.0.1:${(server.address() as AddressInfo).port}/${database}`,
    leadTo(directory) {
      to = directory;
    },
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
