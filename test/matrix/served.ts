import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { readsPrimary } from '@florin/backend/foundation/database/replica.ts';
import { createApp, extendMessages } from '@florin/backend/foundation/http/app.ts';
import { countsInMemory } from '@florin/backend/foundation/http/rate-limits.ts';
import type { buildConnector } from 'undici';
import type { Instance } from '../simulation/instance.ts';

const unlimited = { requests: 1_000_000, windowSeconds: 10 };

/** The HTTP interface of one process of the service, over connections in memory. */
export function serve({ services, served }: Instance) {
  const { settings, ...composed } = served;
  const app = createApp({
    ...composed,
    idempotency: services.idempotency,
    replicaReads: readsPrimary,
    onApiCall: services.apiRequests.record,
    streamLimits: settings.streamLimits,
    rateLimits: { ...settings.rateLimits, perKey: unlimited, perAddress: unlimited },
    requestCounts: countsInMemory,
    stopping: new AbortController().signal,
    maxBodyBytes: settings.maxBodyBytes,
    trustedProxies: [],
    ownOrigins: new Set(),
    whyNotReady: async () => undefined,
  });
  const messages = {
    IncomingMessage: class extends IncomingMessage {},
    ServerResponse: class extends ServerResponse {},
  };
  extendMessages(messages, app);
  const server = createServer({ ...messages, keepAliveTimeout: 0 }, app);
  const connections = new Set<Duplex>();
  let isUp = true;
  const connect: buildConnector.connector = (_options, callback) => {
    if (!isUp) return refuse(callback);
    const [client, atServer] = duplexPair();
    for (const end of [client, atServer]) end.on('error', () => undefined);
    connections.add(atServer);
    atServer.on('close', () => connections.delete(atServer));
    server.emit('connection', atServer);
    // undici uses of a socket what a stream has, and expects it later than it asks for it.
    process.nextTick(() => callback(null, client as Parameters<typeof callback>[1] & object));
  };
  return {
    connect,
    /** The process is gone, and its connections with it. */
    stop() {
      isUp = false;
      for (const connection of connections) connection.destroy();
    },
  };
}

/** Nobody listens at the service's address. */
export function refuse(callback: buildConnector.Callback): void {
  process.nextTick(() => callback(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), null));
}
