import { followCommands } from '@florin/shared/contracts/device-v1/commands.ts';
import { listSales } from '@florin/shared/contracts/device-v1/sales.ts';
import { expect, test } from 'vitest';
import type { Service } from '../service/client.ts';
import { createConnection } from './connection.ts';

/** A service that refuses each token, some time after it was sent. */
function aConnection() {
  let token = 'before';
  const published: string[] = [];
  const refusal = Promise.withResolvers<void>();
  const refused = async () => {
    await refusal.promise;
    return { kind: 'refused', status: 401, reason: 'unauthenticated' };
  };
  const connection = createConnection({
    service: { call: refused, follow: refused, close: async () => undefined } as unknown as Service,
    token: () => token,
    uptime: { now: () => 0 },
    random: { bytes: length => new Uint8Array(length) },
    log: { info: () => undefined } as never,
    publish: ({ kind }) => void published.push(kind),
  });
  return { connection, published, refuse: () => refusal.resolve(), enrolAnew: () => (token = 'after') };
}

const ways = {
  call: ({ connection }: ReturnType<typeof aConnection>) => connection.call(listSales, { query: {} }),
  stream: ({ connection }: ReturnType<typeof aConnection>) =>
    connection.follow(followCommands, { onEvent: () => undefined } as never),
};

test.each(Object.entries(ways))('a token that a %s was refused is reported as revoked', async (_, ask) => {
  const at = aConnection();
  const asked = ask(at);
  at.refuse();
  await asked;
  expect(at.published).toContain('revoked');
});

test.each(Object.entries(ways))(
  'a %s that is refused after the terminal was enrolled anew says nothing about the new token',
  async (_, ask) => {
    const at = aConnection();
    const asked = ask(at);
    at.enrolAnew();
    at.refuse();
    await asked;
    expect(at.published).not.toContain('revoked');
  },
);
