import { type Trace, traceBegunBy } from '@florin/shared/signing/trace-context.ts';

type Facts = Readonly<Record<string, unknown>>;

/**
 * The trace of the refund or the sale that these facts name: one from the tap at the screen to the merchant's webhook, also
 * across restarts.
 */
export function traceAbout({ requestId, saleId }: Facts): Trace | undefined {
  const id = requestId ?? saleId;
  return typeof id === 'string' ? traceBegunBy(id) : undefined;
}

/** The facts of a log line, with the id of their trace. */
export function withTrace(facts: Record<string, unknown>): Record<string, unknown> {
  const trace = traceAbout(facts);
  return trace ? { ...facts, traceId: trace.traceId } : facts;
}
