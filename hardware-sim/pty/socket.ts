import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket as TcpConnection } from 'node:net';
import { pointLink } from './link.ts';
import { openPty } from './open.ts';
import type { Pty, PtyBackend } from './pty.ts';

/** Where a reader's cable is plugged in. It has two places, so that it can be plugged in elsewhere. */
export type Socket = {
  readonly paths: readonly [string, string];
  /** Connects the reader at one of the paths. */
  plugIn(path: string): Promise<Pty>;
  /** Removes what led to the reader at this path. */
  unplug(path: string): void;
};

/** A pseudo-terminal behind a symlink. */
export function serialSocket(link: string, backend: PtyBackend | undefined): Socket {
  return {
    paths: [link, `${link}-1`],
    async plugIn(path) {
      const pty = await openPty(backend);
      pointLink(path, pty.path);
      return pty;
    },
    unplug: path => rmSync(path, { force: true }),
  };
}

const host = '127.0.0.1';

/** A port of this machine that one host at a time connects to; 0 takes a free one. The other place is another free port. */
export async function tcpSocket(port: number): Promise<Socket> {
  const pathOf = (number: number) => `tcp://${host}:${number}`;
  return {
    paths: [pathOf(port === 0 ? await freePort() : port), pathOf(await freePort())],
    plugIn: path => listenOn(path, Number(path.slice(path.lastIndexOf(':') + 1))),
    unplug: () => undefined,
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await listening(server, 0);
  const address = server.address();
  await new Promise<void>(resolve => server.close(() => resolve()));
  if (address === null || typeof address === 'string') throw new Error('no port of this machine is free');
  return address.port;
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

async function listenOn(path: string, port: number): Promise<Pty> {
  const server = createServer({ noDelay: true });
  await listening(server, port);
  let connection: TcpConnection | undefined;
  let isPaused = false;
  let listener: (bytes: Buffer) => void = () => undefined;
  let onHangUp: () => void = () => undefined;
  server.on('connection', next => {
    // A new connection of the host replaces one that it has given up.
    connection?.destroy();
    connection = next;
    next.on('error', () => next.destroy());
    next.on('data', (bytes: Buffer) => listener(bytes));
    next.on('close', () => {
      if (connection === next) onHangUp();
    });
    if (isPaused) next.pause();
  });
  return {
    backend: 'tcp',
    path,
    onData(onBytes) {
      listener = onBytes;
    },
    onHangUp(hangUp) {
      onHangUp = hangUp;
    },
    setPaused(paused) {
      isPaused = paused;
      if (paused) connection?.pause();
      else connection?.resume();
    },
    write: bytes => void connection?.write(bytes),
    flushed: async () => undefined,
    close() {
      connection?.destroy();
      server.close();
    },
  };
}
