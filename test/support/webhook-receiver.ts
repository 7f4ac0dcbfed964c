import { onTestFinished } from 'vitest';
import { type Answering, startWebhookServer, type WebhookServer } from './webhook-server.ts';

export type { Answering, ReceivedWebhook } from './webhook-server.ts';

/** A merchant's web server that ends with the test. */
export async function aWebhookReceiver(answering?: Answering): Promise<WebhookServer> {
  const server = await startWebhookServer(answering);
  onTestFinished(() => server.close());
  return server;
}
