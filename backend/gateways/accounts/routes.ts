import { listGatewayAccounts } from '@florin/shared/contracts/api-v1/gateway-accounts.ts';
import { pageBefore, pageOf } from '../../foundation/http/pages.ts';
import { type Route, respond, route } from '../../foundation/http/route.ts';
import { gatewayAccountRecord } from './account.ts';
import type { GatewayAccountService } from './service.ts';

/** The one operation on gateway accounts: a list with their capabilities and without their secrets. */
export function gatewayAccountRoutes(accounts: Pick<GatewayAccountService, 'list'>): Route[] {
  return [
    route(listGatewayAccounts, async ({ caller, query }) => {
      const found = await accounts.list({ businessId: caller.businessId, ...pageBefore(query) });
      const { items, nextCursor } = pageOf(found, query, ({ account }) => account.id);
      const records = items.map(({ account, capabilities }) => gatewayAccountRecord(account, capabilities));
      return respond(200, { items: records, nextCursor });
    }),
  ];
}
