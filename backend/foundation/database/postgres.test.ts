import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from './postgres.ts';

/** A message of the server: its type, its length, its content. */
function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, content]);
}

const authenticationOk = message('R', Buffer.from([0, 0, 0, 0]));
const readyForQuery = message('Z', Buffer.from('I'));
const shuttingDown = message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0'));

async function aServer(serve: (socket: Socket) => void): Promise<string> {
  const server = createServer(socket => {
    socket.on('error', () => undefined);
    socket.once('data', () => serve(socket));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>(resolve => void server.close(() => resolve())));
  return `postgres://postgres@127.0.0.1:${(server.address() as AddressInfo).port}/florin`;
}

test('a session terminated while it starts fails its caller and does not end the process', async () => {
  const connectionString = await aServer(socket =>
    socket.end(Buffer.concat([authenticationOk, readyForQuery, shuttingDown])),
  );
  await expect(openPostgres({ connectionString })).rejects.toThrow();
});
