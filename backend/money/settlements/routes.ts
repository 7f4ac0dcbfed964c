import {
  getSettlement,
  listSettlements,
  listSettlementTransactions,
} from '@florin/shared/contracts/api-v1/settlements.ts';
import { pageOf } from '../../foundation/http/pages.ts';
import { invalidInput } from '../../foundation/http/problems.ts';
import { fail, type Route, respond, route } from '../../foundation/http/route.ts';
import { newest, positionAt, positionText } from '../transactions/position.ts';
import { transactionRecordOf } from '../transactions/routes.ts';
import type { SettlementService } from './service.ts';
import { settlementId, settlementKey, settlementRecordOf } from './settlement.ts';

/** The read-only operations on settlements. An id that is invalid and one without movements are both a 404. */
export function settlementRoutes(settlements: SettlementService): Route[] {
  const unknown = () => fail(404, 'settlement_not_found', 'There is no such settlement');
  return [
    route(listSettlements, async ({ caller: { businessId }, query }) => {
      const { currency = null, from = null, to = null, cursor, limit } = query;
      if (from !== null && to !== null && from > to)
        return invalidInput({ path: 'query.from', message: 'must not be after `to`' });
      const before = cursor.after === null ? null : (settlementKey(cursor.after) ?? null);
      const local = await settlements.local(businessId);
      const rows = await settlements.list({ businessId, local, currency, from, to, before, limit: limit + 1 });
      const { items, nextCursor } = pageOf(rows, query, settlementId);
      return respond(200, { items: items.map(sums => settlementRecordOf(sums, local)), nextCursor });
    }),

    route(getSettlement, async ({ caller: { businessId }, params }) => {
      const key = settlementKey(params.id);
      if (!key) return unknown();
      const local = await settlements.local(businessId);
      const found = await settlements.byKey(businessId, key, local);
      return found ? respond(200, settlementRecordOf(found, local)) : unknown();
    }),

    route(listSettlementTransactions, async ({ caller: { businessId }, params, query }) => {
      const { limit, cursor } = query;
      const key = settlementKey(params.id);
      if (!key) return unknown();
      const local = await settlements.local(businessId);
      const before = cursor.after === null ? newest : positionAt(cursor.after);
      const rows = await settlements.lines({ businessId, key, local, before, limit: limit + 1 });
      if (rows.length === 0 && cursor.after === null) return unknown();
      const { items, nextCursor } = pageOf(rows, query, positionText);
      return respond(200, { items: items.map(transactionRecordOf), nextCursor });
    }),
  ];
}
