import type { WebhookBody } from '@florin/shared/contracts/api-v1/webhooks.ts';
import type { Clock } from '@florin/shared/ports.ts';
import { systemClock } from './platform/platform.ts';
import { isSignedWith } from './signature.ts';

export type ReceivedWebhook = {
  /** The request headers as the web server provides them: an object, or `Headers`. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The unparsed request body. */
  readonly rawBody: string | Uint8Array;
};

export type VerifyOptions = {
  /** The endpoint's signing secret; during a rotation, the new one and the old one. */
  readonly secrets: readonly string[];
  /** The largest accepted difference between the two clocks; 300 s by default, as the service recommends. */
  readonly toleranceSeconds?: number;
  readonly clock?: Clock;
};

export type VerifiedWebhook =
  | {
      readonly ok: true;
      readonly event: WebhookBody;
      /** The same in every attempt: store it, and process each delivery once. */
      readonly deliveryId: string;
      /** A test delivery requested over the API: no event happened. */
      readonly isTest: boolean;
    }
  /** The webhook is not from the service, or is too old: respond 400 and do nothing else. */
  | {
      readonly ok: false;
      readonly reason:
        | 'signature_missing'
        | 'timestamp_out_of_tolerance'
        | 'signature_mismatch'
        | 'body_not_understood';
    };

/** Whether a webhook is from the service, and recent. Specification: Outbound webhooks. */
export async function verifyWebhook(received: ReceivedWebhook, options: VerifyOptions): Promise<VerifiedWebhook> {
  const { secrets, toleranceSeconds = 300, clock = systemClock } = options;
  const header = headerReader(received.headers);
  const parts = header('x-webhook-signature')
    .split(',')
    .map(part => part.trim().split('=', 2) as [string, string?]);
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  const signatures = parts.flatMap(([name, hex]) => (name === 'v1' && hex !== undefined ? [hex] : []));
  if (!/^\d{1,12}$/.test(timestamp) || signatures.length === 0) return { ok: false, reason: 'signature_missing' };
  if (Math.abs(clock.now() / 1_000 - Number(timestamp)) > toleranceSeconds)
    return { ok: false, reason: 'timestamp_out_of_tolerance' };

  const body = typeof received.rawBody === 'string' ? new TextEncoder().encode(received.rawBody) : received.rawBody;
  const signed = new Uint8Array([...new TextEncoder().encode(`${timestamp}.`), ...body]);
  const pairs = secrets.flatMap(secret => signatures.map(hex => isSignedWith(secret, signed, hex)));
  if (!(await Promise.all(pairs)).includes(true)) return { ok: false, reason: 'signature_mismatch' };

  const event = parsed(body);
  if (event === undefined) return { ok: false, reason: 'body_not_understood' };
  return {
    ok: true,
    event,
    deliveryId: header('x-webhook-delivery'),
    isTest: header('x-webhook-test') === 'true',
  };
}

function headerReader(headers: ReceivedWebhook['headers']): (name: string) => string {
  if (headers instanceof Headers) return name => headers.get(name) ?? '';
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value ?? '')]));
  return name => byName.get(name) ?? '';
}

function parsed(body: Uint8Array): WebhookBody | undefined {
  try {
    const event: unknown = JSON.parse(new TextDecoder().decode(body));
    return typeof event === 'object' && event !== null && 'eventType' in event ? (event as WebhookBody) : undefined;
  } catch {
    return undefined;
  }
}
