import type { Outbound, PostRequest, PostResult } from '../../backend/outbound/outbound.ts';
import type { Trouble } from './faults.ts';

/** One attempt as the merchant's server saw it; `isAccepted` once it answered in time that it has it. */
export type Received = {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly body: string;
  isAccepted: boolean;
};

/** The merchant's server: well, failing, or answering only after the service stopped waiting. */
export class WebhookReceiver implements Outbound {
  readonly received: Received[] = [];
  readonly #trouble: Trouble;
  readonly #wait: (delayMs: number) => Promise<void>;

  constructor(trouble: Trouble, wait: (delayMs: number) => Promise<void>) {
    this.#trouble = trouble;
    this.#wait = wait;
  }

  async problemWith(): Promise<undefined> {}

  async post({ headers, body, timeoutMs }: PostRequest): Promise<PostResult> {
    const fate = this.#trouble.receives();
    if (fate === 'unreachable') return { kind: 'connection_failed', reason: 'refused' };
    const one: Received = {
      deliveryId: headers['X-Webhook-Delivery'] ?? '',
      attempt: Number(headers['X-Webhook-Attempt']),
      body,
      isAccepted: false,
    };
    this.received.push(one);
    await this.#wait(fate === 'tooLate' ? timeoutMs : 40);
    if (fate === 'tooLate') return { kind: 'timeout' };
    if (fate === 'fails') return { kind: 'response', status: 500, excerpt: '' };
    one.isAccepted = true;
    return { kind: 'response', status: 200, excerpt: '' };
  }

  async close(): Promise<void> {}
}
