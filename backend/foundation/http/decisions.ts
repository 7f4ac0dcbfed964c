import type { IdempotentCall } from '../idempotency/call.ts';
import { actorOf, type MerchantCaller } from './callers.ts';

/** The input of a call that records a decision made on evidence; `record` makes it idempotent. */
export function decisionOf<Body, Kept>(
  request: {
    readonly caller: MerchantCaller;
    readonly params: { readonly id: string };
    readonly body: Body;
    readonly call: IdempotentCall;
  },
  record: (kept: Kept) => { readonly status: number; readonly body: unknown },
) {
  const { caller, params, body, call } = request;
  return {
    ...body,
    businessId: caller.businessId,
    id: params.id,
    by: actorOf(caller),
    write: call.storing(record),
  };
}
