import * as contracts from '@florin/shared/contracts/api-v1/gateway-accounts.ts';
import { actorOf } from '../../foundation/http/callers.ts';
import { pageBefore, pageOf } from '../../foundation/http/pages.ts';
import { settingsInvalid } from '../../foundation/http/problems.ts';
import { fail, type Route, respond, route } from '../../foundation/http/route.ts';
import { gatewayAccountRecord, gatewayTestRecord } from './account.ts';
import type { GatewayAccountRow } from './rows.ts';
import type { GatewayAccountService } from './service.ts';

type Accounts = Omit<GatewayAccountService, 'byId' | 'prepare' | 'accountForNewPayments' | 'ofAccount'>;

/** The gateway accounts of the caller's business, without their settings and secrets. */
export function gatewayAccountRoutes(accounts: Accounts): Route[] {
  const unknown = () => fail(404, 'gateway_account_not_found', 'There is no such gateway account');
  const recordOf = (row: GatewayAccountRow) => gatewayAccountRecord(row, accounts.capabilitiesOf(row));
  return [
    route(contracts.listGatewayAccounts, async ({ caller, query }) => {
      const found = await accounts.list({ businessId: caller.businessId, ...pageBefore(query) });
      const { items, nextCursor } = pageOf(found, query, ({ account }) => account.id);
      const records = items.map(({ account, capabilities }) => gatewayAccountRecord(account, capabilities));
      return respond(200, { items: records, nextCursor });
    }),

    route(contracts.createGatewayAccount, async ({ caller, body, call }) => {
      const record = (row: GatewayAccountRow) => respond(201, recordOf(row));
      const account = { ...body, businessId: caller.businessId, isDefault: false };
      const made = await accounts.create(account, actorOf(caller), call.storing(record));
      return made.ok ? record(made.value) : settingsInvalid(made.refusal.problems);
    }),

    route(contracts.changeGatewayAccount, async ({ caller, params, body }) => {
      const changed = await accounts.change(caller.businessId, params.id, body, actorOf(caller));
      if (changed.ok) return respond(200, recordOf(changed.value));
      switch (changed.refusal.kind) {
        case 'settings_invalid':
          return settingsInvalid(changed.refusal.problems);
        case 'not_found':
          return unknown();
        case 'not_own':
          return fail(409, 'gateway_account_not_own', 'This account was set up by the operator of this service');
      }
    }),

    route(contracts.testGatewayAccount, async ({ caller, params }) => {
      const tests = await accounts.test(caller.businessId, params.id);
      return tests ? respond(200, { tests: tests.map(gatewayTestRecord) }) : unknown();
    }),

    route(contracts.setDefaultGatewayAccount, async ({ caller, params }) => {
      const isDefault = await accounts.makeDefault(caller.businessId, params.id, actorOf(caller));
      const row = await accounts.find(caller.businessId, params.id);
      if (!row) return unknown();
      if (!isDefault)
        return fail(409, 'gateway_account_disabled', 'This account is disabled: it takes no new payments');
      return respond(200, recordOf(row));
    }),

    route(contracts.disableGatewayAccount, async ({ caller, params }) => {
      const row = await accounts.disable(caller.businessId, params.id, actorOf(caller));
      return row ? respond(200, recordOf(row)) : unknown();
    }),
  ];
}
