import { recordReaderClosing } from '@florin/shared/contracts/device-v1/reader-closings.ts';
import { fail, type Route, respond, route } from '../../foundation/http/route.ts';
import type { ReaderClosingService } from './service.ts';

/** The operation of terminals on ends of day of their readers; the rules are in comparison.ts. */
export function readerClosingRoutes(closings: ReaderClosingService): Route[] {
  return [
    route(recordReaderClosing, async ({ caller, params, body }) => {
      const { businessId, terminalId } = caller;
      const { closedAt, ...facts } = body;
      const key = { id: params.closingId, businessId, terminalId };
      const recorded = await closings.record({ ...facts, ...key, closedAt: Date.parse(closedAt) });
      if (!recorded.ok)
        return fail(409, recorded.refusal.kind, 'This end of day is known already, and was another one');
      const { id: closingId, comparison, currency, totalMinor, recordedMinor, recordedCount } = recorded.value;
      const amounts = { totalInCents: totalMinor, recordedInCents: recordedMinor, recordedCount };
      return respond(200, { closingId, comparison, currency, ...amounts });
    }),
  ];
}
