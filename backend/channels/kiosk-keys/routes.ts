import { createKioskKey, listKioskKeys, revokeKioskKey } from '@florin/shared/contracts/api-v1/kiosk-keys.ts';
import { type Authenticators, headerAuthenticator } from '../../foundation/http/authenticate.ts';
import { actorOf } from '../../foundation/http/callers.ts';
import { pageBefore, pageOf } from '../../foundation/http/pages.ts';
import { fail, type Route, respond, route } from '../../foundation/http/route.ts';
import { timestamp, timestampOf } from '../../money/payments/payment.ts';
import type { KioskKeyRow } from './rows.ts';
import { type KioskKeyService, terminalIdsOf } from './service.ts';

/** Accepts kiosk keys in the `X-API-Key` header; a key that is unknown or revoked is a 401. */
export function kioskKeyAuthenticators(kioskKeys: KioskKeyService): Authenticators {
  return { kioskKey: headerAuthenticator('kiosk key', 'x-api-key', kioskKeys.authenticate) };
}

/** The management API of kiosk keys, for the merchant's own programs; kiosks use the kiosk API of terminal-sales. */
export function kioskKeyRoutes(kioskKeys: KioskKeyService): Route[] {
  return [
    route(listKioskKeys, async ({ caller, query }) => {
      const rows = await kioskKeys.list({ businessId: caller.businessId, ...pageBefore(query) });
      const { items, nextCursor } = pageOf(rows, query, ({ id }) => id);
      return respond(200, { items: items.map(kioskKeyRecordOf), nextCursor });
    }),

    route(createKioskKey, async ({ caller, body, call }) => {
      const input = { ...body, businessId: caller.businessId, by: actorOf(caller) };
      // The key is shown once: the stored idempotent response omits it.
      const withoutKey = (row: KioskKeyRow) => respond(201, { ...kioskKeyRecordOf(row), key: null });
      const made = await kioskKeys.create(input, call.storing(withoutKey));
      if (!made.ok) return fail(404, made.refusal.kind, 'There is no such terminal');
      return respond(201, { ...kioskKeyRecordOf(made.value.key), key: made.value.secret });
    }),

    route(revokeKioskKey, async ({ caller, params }) => {
      const row = await kioskKeys.revoke(caller.businessId, params.id, actorOf(caller));
      return row ? respond(200, kioskKeyRecordOf(row)) : fail(404, 'kiosk_key_not_found', 'There is no such kiosk key');
    }),
  ];
}

/** A key as the API shows it, without its secret or hash; `lastUsedAt` is exact to a minute. */
export function kioskKeyRecordOf(row: KioskKeyRow) {
  const { id, name, lastFour } = row;
  return {
    id,
    name,
    deviceIds: terminalIdsOf(row),
    lastFour,
    revokedAt: timestampOf(row.revokedAt),
    lastUsedAt: timestampOf(row.lastUsedAt),
    createdAt: timestamp(row.createdAt),
  };
}
