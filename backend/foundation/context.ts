import { AsyncLocalStorage } from 'node:async_hooks';
import { spanIdOf, type Trace, traceBegunBy, traceOf, traceparentOf } from '@florin/shared/signing/trace-context.ts';

/** What the running work belongs to: a request or a job, for its log lines, and its trace, for the requests it makes. */

type Facts = Readonly<Record<string, unknown>>;
type Work<Value> = () => Value;
/**
 * `name`: the id of the request or job, followed by the number of each part; the span's own id is derived from it when a
 * request is made. `parts`: how many spans follow from it, the requests it made and work for other traces.
 */
type Span = { readonly trace: Trace; readonly name: string; parts: number };
type Context = { readonly facts: Facts; readonly span: Span | undefined };

const context = new AsyncLocalStorage<Context>();

const spanOf = (trace: Trace, name: string): Span => ({ trace, name, parts: 0 });

function within<Value>(facts: Facts, span: Span | undefined, work: Work<Value>): Value {
  return context.run({ facts, span }, work);
}

/** The facts of every log line of the running work. */
export function contextFacts(): Facts | undefined {
  const current = context.getStore();
  return current?.span ? { traceId: current.span.trace.traceId, ...current.facts } : current?.facts;
}

/** Adds facts. Work outside a trace begins one of its own, with the id that this gives. */
export function withFacts<Value>(facts: Facts, newId: () => string, work: Work<Value>): Value {
  const current = context.getStore();
  return within({ ...current?.facts, ...facts }, current?.span ?? begun(newId()), work);
}

/** As `withFacts`, apart from the surrounding facts and trace. */
export function apart<Value>(facts: Facts, newId: () => string, work: Work<Value>): Value {
  return within(facts, begun(newId()), work);
}

const begun = (id: string) => spanOf(traceBegunBy(id), id);

/** Serves a request: in its caller's trace, or in a new one, whose id is that of the request. */
export function serving<Value>(
  { requestId, traceparent }: { readonly requestId: string; readonly traceparent: string | undefined },
  work: Work<Value>,
): Value {
  return within({ requestId }, spanOf(traceOf(traceparent) ?? traceBegunBy(requestId), requestId), work);
}

/** The work as part of what runs now, whoever calls it. `AsyncLocalStorage.bind` does the same for ten times the cost. */
export function bound<Args extends readonly unknown[], Value>(
  work: (...args: Args) => Value,
): (...args: Args) => Value {
  const current = context.getStore();
  return current ? (...args) => context.run(current, work, ...args) : work;
}

/** The trace of the running work as a record keeps it, for whoever continues it: its id and its flags. */
export function traceToKeep(): string | null {
  const span = context.getStore()?.span;
  return span ? `${span.trace.traceId}-${span.trace.isSampled ? '01' : '00'}` : null;
}

/** The id in a kept trace, for the log. */
export const keptTraceId = (kept: string) => kept.slice(0, 32);

/** Continues a kept trace; where none was kept the work stays in the current one. */
export function continueTrace<Value>(kept: string | null, work: Work<Value>): Value {
  if (kept === null) return work();
  return continued({ traceId: keptTraceId(kept), isSampled: kept.endsWith('-01') }, work);
}

/** Continues the trace that a sale at a terminal began. */
export function inTraceBegunBy<Value>(saleId: string, work: Work<Value>): Value {
  return continued(traceBegunBy(saleId), work);
}

function continued<Value>(trace: Trace, work: Work<Value>): Value {
  const { facts = {}, span } = context.getStore() ?? {};
  return within(facts, spanOf(trace, span ? nextPart(span) : trace.traceId), work);
}

/** The headers that carry the trace to whoever this work calls, with a new span for each call. */
export function traceHeaders(): { readonly traceparent?: string } {
  const span = context.getStore()?.span;
  return span ? { traceparent: traceparentOf(span.trace, spanIdOf(nextPart(span))) } : {};
}

function nextPart(span: Span): string {
  span.parts += 1;
  return `${span.name}.${span.parts}`;
}
