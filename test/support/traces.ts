import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';

export type ReceivedTrace = { readonly port: number; readonly path: string; readonly traceparent: string };

/** What the servers of this process receive of traces: the service, the sandboxes and the merchants’. */
export function receivedTraces() {
  const received: ReceivedTrace[] = [];
  const note = (message: unknown) => {
    const { socket, url: path = '', headers } = (message as { readonly request: IncomingMessage }).request;
    received.push({ port: socket.localPort ?? 0, path, traceparent: String(headers.traceparent ?? '') });
  };
  subscribe('http.server.request.start', note);
  onTestFinished(() => void unsubscribe('http.server.request.start', note));
  return {
    /** The headers that the server at this address received, of one path or of all. */
    at(url: string, path = ''): string[] {
      const port = Number(new URL(url).port);
      return received.filter(one => one.port === port && one.path.includes(path)).map(({ traceparent }) => traceparent);
    },
  };
}
