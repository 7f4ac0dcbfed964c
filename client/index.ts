export { type Answer, type Done, FlorinError, type NotDone, type Refused, type Unanswered, unwrap } from './answer.ts';
export type { CallOptions } from './call.ts';
export {
  type ClientOptions,
  createClient,
  createKioskClient,
  type FlorinClient,
  type KioskClient,
} from './client.ts';
export type { Fetch, Ports } from './ports.ts';
export { type ReceivedWebhook, type VerifiedWebhook, type VerifyOptions, verifyWebhook } from './webhooks.ts';
