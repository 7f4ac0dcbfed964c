export { terminalSaleReasons } from '@florin/shared/contracts/terminal-sale-reasons.ts';
export { type Answer, type Done, FlorinError, type NotDone, type Refused, type Unanswered, unwrap } from './answer.ts';
export type { CallOptions } from './call.ts';
export {
  type ClientOptions,
  createClient,
  createKioskClient,
  type FlorinClient,
  type KioskClient,
} from './client.ts';
export { type FollowOptions, followCheckout, followSale } from './follow.ts';
export { itemsOf } from './pages.ts';
export type { Fetch, FetchRequest, FetchResponse, Ports } from './ports.ts';
export { type VerifiedRedirect, verifyRedirect } from './redirects.ts';
export { isFinal } from './status.ts';
export type { StreamEvent, StreamOptions } from './stream.ts';
export { type ReceivedWebhook, type VerifiedWebhook, type VerifyOptions, verifyWebhook } from './webhooks.ts';
