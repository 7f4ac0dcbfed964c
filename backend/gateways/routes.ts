import { takeGatewayCallback } from '@florin/shared/contracts/callbacks.ts';
import { unreachable } from '@florin/shared/result.ts';
import { fail, type Route, respond, route } from '../foundation/http/route.ts';
import type { TakeCallback } from './callbacks.ts';

/**
 * The gateway's callback endpoint. Genuine callbacks about unknown operations are accepted, so that they are not
 * repeated.
 */
export function gatewayRoutes(takeCallback: TakeCallback): Route[] {
  return [
    route(takeGatewayCallback, async ({ params, body, caller }) => {
      const outcome = await takeCallback(params.accountId, { rawBody: body, headers: caller.headers });
      switch (outcome) {
        case 'taken':
        case 'not_ours':
        case 'rejected':
          return respond(200, { taken: outcome === 'taken' });
        case 'no_account':
          return fail(404, 'gateway_account_not_found', 'There is no such gateway account');
        case 'not_genuine':
          return fail(400, 'callback_not_genuine', 'The signature is not the gateway’s');
        default:
          return unreachable(outcome);
      }
    }),
  ];
}
