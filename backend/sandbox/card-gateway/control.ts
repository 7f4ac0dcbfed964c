import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { type FaultInput, fault } from './faults.ts';
import { readBody, sendJson } from './http.ts';
import type { SettlementRun, SettlementStage } from './settlement.ts';
import type { CallbackRow, RequestRow, TransactionRow } from './store.ts';

/** What a test or a person may do to the sandbox from outside the money's own path. */
export type Control = {
  addFault(fault: FaultInput): void;
  clearFaults(): void;
  faults(): readonly unknown[];
  refuseConnections(forMs?: number): Promise<void>;
  acceptConnections(): Promise<void>;
  settle(stage?: SettlementStage): SettlementRun;
  transactions(): TransactionRow[];
  requests(): RequestRow[];
  callbacks(): CallbackRow[];
  /** The gateway's own account of each sale: what it took and gave back. */
  ledger(): SaleLedger[];
  advanceDuplicates(seconds: number): void;
  resetDuplicates(): void;
  reset(): void;
};

export type SaleLedger = {
  xref: string;
  merchantID: string;
  transactionUnique: string;
  state: string;
  currencyCode: string;
  takenMinor: number;
  /** Linked refunds and uncapped credits together, less those cancelled or rejected. */
  returnedMinor: number;
  refunds: { xref: string; transactionUnique: string; action: string; state: string; amountMinor: number }[];
};

const milliseconds = z.int().min(0).max(3_600_000);
const bodies = {
  refuse: z.strictObject({ forMs: milliseconds.optional() }),
  settle: z.strictObject({ stage: z.enum(['tender', 'complete', 'all']).default('all') }),
  advance: z.strictObject({ seconds: z.int().min(0).max(1_000_000) }),
  none: z.strictObject({}),
};

type Answer = { status: number; content: unknown };

/** The control interface over HTTP: JSON in, JSON out, on a port of its own so that refused connections do not touch it. */
export function controlHandler(control: Control) {
  const routes: Record<string, (body: unknown) => Answer | Promise<Answer>> = {
    'GET /control/faults': () => answer(control.faults()),
    'POST /control/faults': withBody(fault, next => {
      control.addFault(next);
      return { added: next.kind };
    }),
    'DELETE /control/faults': () => {
      control.clearFaults();
      return answer({});
    },
    'POST /control/refuse-connections': withBody(bodies.refuse, async ({ forMs }) => {
      await control.refuseConnections(forMs);
      return {};
    }),
    'POST /control/accept-connections': withBody(bodies.none, async () => {
      await control.acceptConnections();
      return {};
    }),
    'POST /control/settle': withBody(bodies.settle, ({ stage }) => control.settle(stage)),
    'GET /control/transactions': () => answer(control.transactions()),
    'GET /control/requests': () => answer(control.requests()),
    'GET /control/callbacks': () => answer(control.callbacks()),
    'GET /control/ledger': () => answer(control.ledger()),
    'POST /control/duplicates/advance': withBody(bodies.advance, ({ seconds }) => {
      control.advanceDuplicates(seconds);
      return {};
    }),
    'POST /control/duplicates/reset': withBody(bodies.none, () => {
      control.resetDuplicates();
      return {};
    }),
    'POST /control/reset': withBody(bodies.none, () => {
      control.reset();
      return {};
    }),
  };
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const route = routes[`${request.method} ${path}`];
    if (!route) return sendJson(response, 404, { error: 'unknown control path', paths: Object.keys(routes) });
    const raw = await readBody(request, 64 * 1024);
    if (raw === undefined) return sendJson(response, 413, { error: 'body too large' });
    const body = parseJson(raw.toString('utf8'));
    if (body === undefined) return sendJson(response, 400, { error: 'body is not JSON' });
    const { status, content } = await route(body);
    sendJson(response, status, content);
  };
}

function withBody<Body>(schema: z.ZodType<Body>, run: (body: Body) => unknown) {
  return async (raw: unknown): Promise<Answer> => {
    const parsed = schema.safeParse(raw);
    if (!parsed.success) {
      const issues = parsed.error.issues.map(issue => ({ path: issue.path.join('.'), message: issue.message }));
      return { status: 400, content: { error: 'invalid body', issues } };
    }
    return answer((await run(parsed.data)) as object);
  };
}

function answer(content: unknown): Answer {
  return { status: 200, content };
}

function parseJson(text: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
