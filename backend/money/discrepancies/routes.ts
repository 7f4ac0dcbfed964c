import { listDiscrepancies, resolveDiscrepancy } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { decisionOf } from '../../foundation/http/decisions.ts';
import { pageBefore, pageOf } from '../../foundation/http/pages.ts';
import { errorBy } from '../../foundation/http/problems.ts';
import { type Route, respond, route } from '../../foundation/http/route.ts';
import { discrepancyRecordOf } from './discrepancy.ts';
import { resolutionProblems } from './problems.ts';
import type { DiscrepancyRow } from './rows.ts';
import type { DiscrepancyService } from './service.ts';
import { meaningsFor } from './words/words.ts';

/** The HTTP operations on discrepancies; the rules are in service.ts. */
export function discrepancyRoutes(discrepancies: DiscrepancyService): Route[] {
  return [
    route(listDiscrepancies, async ({ caller, query, languages }) => {
      const { status = null, kind = null, paymentId = null } = query;
      const { businessId } = caller;
      const rows = await discrepancies.list({ businessId, status, kind, paymentId, ...pageBefore(query) });
      const { items, nextCursor } = pageOf(rows, query, ({ id }) => id);
      const meanings = meaningsFor(languages());
      return respond(200, { items: items.map(row => discrepancyRecordOf(row, meanings)), nextCursor });
    }),

    route(resolveDiscrepancy, async request => {
      const meanings = meaningsFor(request.languages());
      const record = (row: DiscrepancyRow) => respond(200, discrepancyRecordOf(row, meanings));
      const resolved = await discrepancies.resolve(decisionOf(request, record));
      return resolved.ok ? record(resolved.value) : errorBy(resolutionProblems, resolved.refusal);
    }),
  ];
}
