import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { controlPage } from '../control-page.ts';
import { isFromThisMachine, readBody, sendJson } from '../http.ts';
import { type FaultInput, fault } from './faults.ts';
import type { SettlementOptions, SettlementRun, SettlementStage } from './settlement.ts';
import type { CallbackRow, RequestRow, TransactionRow } from './store.ts';
import type { CallbackOptions, UnsolicitedRefusal } from './unsolicited.ts';

/** What a test or a person may do to the sandbox from outside the money's own path. */
export type Control = {
  addFault(fault: FaultInput): void;
  clearFaults(): void;
  faults(): readonly unknown[];
  refuseConnections(forMs?: number): Promise<void>;
  acceptConnections(): Promise<void>;
  settle(stage?: SettlementStage, about?: SettlementOptions): SettlementRun;
  /** Approves an approved operation again and posts a callback about it. */
  secondApproval(xref: string): { xref: string } | UnsolicitedRefusal;
  /** Posts a callback about a transaction, with other values or signed with another secret where given. */
  callback(about: CallbackOptions): UnsolicitedRefusal | undefined;
  knows(xref: string): boolean;
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
  settle: z.strictObject({
    stage: z.enum(['tender', 'complete', 'all']).default('all'),
    xref: z.string().optional(),
    outcome: z.enum(['accepted', 'rejected']).optional(),
  }),
  secondApproval: z.strictObject({ xref: z.string() }),
  callback: z.strictObject({
    xref: z.string(),
    fields: z.record(z.string(), z.string()).optional(),
    secret: z.string().optional(),
  }),
  advance: z.strictObject({ seconds: z.int().min(0).max(1_000_000) }),
  none: z.strictObject({}),
};

const sendPage = controlPage(new URL('page/', import.meta.url));

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
    'POST /control/settle': bodyTo(bodies.settle, ({ stage, ...about }) =>
      about.xref === undefined || control.knows(about.xref)
        ? answer(control.settle(stage, about))
        : refuse('no_such_transaction'),
    ),
    'POST /control/second-approval': bodyTo(bodies.secondApproval, ({ xref }) => {
      const approved = control.secondApproval(xref);
      return typeof approved === 'string' ? refuse(approved) : answer(approved);
    }),
    'POST /control/callback': bodyTo(bodies.callback, about => {
      const refusal = control.callback(about);
      return refusal === undefined ? answer({}) : refuse(refusal);
    }),
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
    if (!isFromThisMachine(request))
      return sendJson(response, 403, { error: 'only programs and pages of this machine' });
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (request.method === 'GET' && sendPage(path, response)) return;
    const key = `${request.method} ${path}`;
    const route = Object.hasOwn(routes, key) ? routes[key] : undefined;
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
  return bodyTo(schema, async body => answer(await run(body)));
}

function bodyTo<Body>(schema: z.ZodType<Body>, run: (body: Body) => Answer | Promise<Answer>) {
  return async (raw: unknown): Promise<Answer> => {
    const parsed = schema.safeParse(raw);
    if (!parsed.success) {
      const issues = parsed.error.issues.map(issue => ({ path: issue.path.join('.'), message: issue.message }));
      return { status: 400, content: { error: 'invalid body', issues } };
    }
    return run(parsed.data);
  };
}

function answer(content: unknown): Answer {
  return { status: 200, content };
}

function refuse(why: UnsolicitedRefusal): Answer {
  return { status: why === 'no_such_transaction' ? 404 : 409, content: { error: why } };
}

function parseJson(text: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
