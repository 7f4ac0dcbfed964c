import { takeGatewayCallback } from '@florin/shared/contracts/callbacks.ts';
import { unreachable } from '@florin/shared/result.ts';
import { fail, type Route, respond, route } from '../http/route.ts';

/** Where the gateway posts. What is genuine but not about us is accepted like the rest: it must not come again. */
export function gatewayRoutes(
  takeCallback: (rawBody: string) => Promise<'taken' | 'not_ours' | 'rejected' | 'not_genuine'>,
): Route[] {
  return [
    route(takeGatewayCallback, async ({ body }) => {
      const outcome = await takeCallback(body);
      switch (outcome) {
        case 'taken':
        case 'not_ours':
        case 'rejected':
          return respond(200, { taken: outcome === 'taken' });
        case 'not_genuine':
          return fail(400, 'callback_not_genuine', 'The signature is not the gateway’s');
        default:
          return unreachable(outcome);
      }
    }),
  ];
}
