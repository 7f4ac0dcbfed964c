import { continueTrace } from '../context.ts';
import type { Database } from '../database/database.ts';
import { firstTrace } from './store.ts';

/**
 * Continues the trace in which a payment or a refund began, for what a job, a callback or the customer's next request does about it.
 * `subjectId` is that of its events.
 */
export async function inTraceOf<Value>(
  database: Database,
  of: { readonly paymentId: string; readonly subjectId: string },
  work: () => Promise<Value>,
): Promise<Value> {
  const begun = await database.first(firstTrace, of);
  return continueTrace(begun?.trace ?? null, work);
}
