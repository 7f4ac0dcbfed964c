import type { Outbound, PostRequest, PostResult } from '../../backend/foundation/outbound/outbound.ts';
import type { FaultPlan } from './faults.ts';

/** One attempt as received by the merchant's server; `isAccepted` when it answered 200 in time. */
export type Received = {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly body: string;
  isAccepted: boolean;
};

/** The merchant's server: working, failing, or responding after the service's timeout. */
export class WebhookReceiver implements Outbound {
  readonly received: Received[] = [];
  readonly #faultPlan: FaultPlan;
  readonly #wait: (delayMs: number) => Promise<void>;

  constructor(faultPlan: FaultPlan, wait: (delayMs: number) => Promise<void>) {
    this.#faultPlan = faultPlan;
    this.#wait = wait;
  }

  async problemWith(): Promise<undefined> {}

  async post({ headers, body, timeoutMs }: PostRequest): Promise<PostResult> {
    const behaviour = this.#faultPlan.receives();
    if (behaviour === 'unreachable') return { kind: 'connection_failed', reason: 'refused' };
    const one: Received = {
      deliveryId: headers['X-Webhook-Delivery'] ?? '',
      attempt: Number(headers['X-Webhook-Attempt']),
      body,
      isAccepted: false,
    };
    this.received.push(one);
    await this.#wait(behaviour === 'tooLate' ? timeoutMs : 40);
    if (behaviour === 'tooLate') return { kind: 'timeout' };
    if (behaviour === 'fails') return { kind: 'response', status: 500, excerpt: '' };
    one.isAccepted = true;
    return { kind: 'response', status: 200, excerpt: '' };
  }

  abort(): void {}

  async close(): Promise<void> {}
}
