import { createHmac, type KeyObject } from 'node:crypto';

/** Lower-case hex HMAC-SHA256 over `<timestamp>.<raw-body>`. Specification: Outbound webhooks. */
export function webhookSignature(of: {
  /** As a KeyObject if reused: creating one costs as much as signing. */
  readonly secret: string | KeyObject;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly body: string;
}): string {
  return createHmac('sha256', of.secret).update(`${of.timestamp}.${of.body}`).digest('hex');
}
