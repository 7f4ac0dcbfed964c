import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '@florin/shared/ports.ts';
import type { Metrics } from './metrics.ts';

export type MetricsListener = { readonly url: string; close(): Promise<void> };

/** Serves the metrics on a separate, non-public address. */
export async function serveMetrics(options: {
  metrics: Metrics;
  host: string;
  port: number;
  log: Log;
}): Promise<MetricsListener> {
  const { metrics, host, log } = options;
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.text().then(
      text => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
      (error: unknown) => {
        log.error({ err: error }, 'the metrics could not be read');
        response.writeHead(500).end();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}/metrics`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
