import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { controlPage } from '../control-page.ts';
import { isFromThisMachine, readBody, sendJson } from '../http.ts';
import type { Chain } from './chain.ts';
import type { esploraServer } from './esplora.ts';
import { type FaultInput, fault } from './faults.ts';
import type { Invoices, PayRefusal } from './invoices.ts';
import type { Payments } from './payments.ts';
import type { ForeignInvoiceRecord, InvoiceRecord, RequestRecord } from './store.ts';

/** What a customer's wallet, the chain or a test may do to the sandbox from outside the node's own interface. */
export type Control = {
  readonly invoices: Pick<Invoices, 'get' | 'all' | 'pay' | 'release' | 'expire' | 'cancel'>;
  readonly chain: Pick<
    Chain,
    | 'payTo'
    | 'mine'
    | 'replace'
    | 'drop'
    | 'restore'
    | 'reorganise'
    | 'transactions'
    | 'height'
    | 'newAddress'
    | 'balances'
  >;
  readonly payments: Pick<Payments, 'get' | 'all' | 'foreignInvoices' | 'resolve' | 'balanceMsat'>;
  /** The same chain as Esplora tells of it, at `/esplora` of the control port. */
  readonly esplora: ReturnType<typeof esploraServer>;
  foreignInvoice(wanted: ForeignInvoiceInput): ForeignInvoiceRecord;
  addFault(fault: FaultInput): void;
  clearFaults(): void;
  faults(): readonly unknown[];
  refuseConnections(forMs?: number): Promise<void>;
  acceptConnections(): Promise<void>;
  /** Cuts every connection; new ones are taken. */
  dropConnections(): Promise<void>;
  requests(): readonly RequestRecord[];
  credentials(): Readonly<Record<string, unknown>>;
  reset(): void;
};

const milliseconds = z.int().min(0).max(3_600_000);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const sats = z.int().min(1).max(21e14);
const bolt11OrHash = { bolt11: z.string().min(1).optional(), paymentHash: hash.optional() };
const foreignInvoice = z.strictObject({
  amountSats: sats.nullable().default(1_000),
  memo: z.string().max(600).default('From another node'),
  outcome: z.enum(['succeeds', 'noRoute', 'refused', 'stuck']).default('succeeds'),
  expiresInSeconds: z.int().min(1).default(3_600),
});
export type ForeignInvoiceInput = z.input<typeof foreignInvoice>;
export const foreignInvoiceSchema = foreignInvoice;

const bodies = {
  none: z.strictObject({}),
  refuse: z.strictObject({ forMs: milliseconds.optional() }),
  pay: z.strictObject({ ...bolt11OrHash, amountMsat: z.int().min(1).optional(), hold: z.boolean().default(false) }),
  invoice: z.strictObject(bolt11OrHash),
  release: z.strictObject({ ...bolt11OrHash, outcome: z.enum(['settle', 'cancel']) }),
  payTo: z.strictObject({ address: z.string().min(1), amountSats: sats }),
  mine: z.strictObject({ blocks: z.int().min(1).max(1_000).default(1), txId: hash.optional() }),
  replace: z.strictObject({ txId: hash, amountSats: sats.optional() }),
  transaction: z.strictObject({ txId: hash }),
  reorganise: z.strictObject({ blocks: z.int().min(1).max(100).default(1) }),
  resolve: z.strictObject({ paymentHash: hash, outcome: z.enum(['succeeds', 'fails']) }),
};

const sendPage = controlPage(new URL('page/', import.meta.url));

type Answer = { status: number; content: unknown };
type Run = (body: unknown) => Answer | Promise<Answer>;

const payRefusals: Readonly<Record<PayRefusal, number>> = {
  unknown_invoice: 404,
  already_paid: 409,
  expired: 409,
  cancelled: 409,
  amount_too_low: 409,
};

/** The control interface over HTTP: JSON in, JSON out, on a port of its own so that refused connections do not touch it. */
export function controlHandler(control: Control) {
  const routes: Record<string, Run> = { ...walletRoutes(control), ...chainRoutes(control), ...nodeRoutes(control) };
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isFromThisMachine(request))
      return sendJson(response, 403, { error: 'only programs and pages of this machine' });
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (request.method === 'GET' && path.startsWith('/esplora/'))
      return control.esplora.handle(path.slice('/esplora'.length), response);
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

/** What customers' wallets do with this node's invoices. */
function walletRoutes({ invoices }: Control): Record<string, Run> {
  const find = ({ bolt11, paymentHash }: { bolt11?: string | undefined; paymentHash?: string | undefined }) =>
    paymentHash ??
    invoices.all().find(one => one.bolt11 === bolt11?.toLowerCase().replace(/^lightning:/, ''))?.paymentHash ??
    '';
  const changed = (invoice: InvoiceRecord | undefined) => (invoice ? answer(shown(invoice)) : notFound);
  return {
    'GET /control/invoices': () => answer(invoices.all().map(shown)),
    'POST /control/pay': withBody(bodies.pay, ({ amountMsat, hold, ...invoice }) => {
      const paid = invoices.pay(find(invoice), { hold, ...(amountMsat === undefined ? {} : { amountMsat }) });
      return typeof paid === 'string' ? { status: payRefusals[paid], content: { error: paid } } : answer(shown(paid));
    }),
    'POST /control/release': withBody(bodies.release, ({ outcome, ...invoice }) =>
      changed(invoices.release(find(invoice), outcome)),
    ),
    'POST /control/expire': withBody(bodies.invoice, invoice => changed(invoices.expire(find(invoice)))),
  };
}

function chainRoutes({ chain }: Control): Record<string, Run> {
  return {
    'GET /control/chain': () => answer({ height: chain.height(), transactions: chain.transactions() }),
    'POST /control/chain/pay': withBody(bodies.payTo, ({ address, amountSats }) =>
      answer(chain.payTo(address, amountSats)),
    ),
    'POST /control/chain/mine': withBody(bodies.mine, ({ blocks, txId }) =>
      answer({ height: chain.mine(blocks, txId) }),
    ),
    'POST /control/chain/replace': withBody(bodies.replace, ({ txId, amountSats }) => {
      const made = chain.replace(txId, amountSats);
      return made ? answer(made) : notFound;
    }),
    'POST /control/chain/drop': withBody(bodies.transaction, ({ txId }) => (chain.drop(txId) ? answer({}) : notFound)),
    'POST /control/chain/reorganise': withBody(bodies.reorganise, ({ blocks }) =>
      answer({ height: chain.reorganise(blocks) }),
    ),
  };
}

function nodeRoutes(control: Control): Record<string, Run> {
  const { payments } = control;
  return {
    'GET /control/credentials': () => answer(control.credentials()),
    'GET /control/requests': () => answer(control.requests()),
    'GET /control/payments': () => answer({ balanceMsat: payments.balanceMsat(), payments: payments.all() }),
    'GET /control/foreign-invoices': () => answer(payments.foreignInvoices()),
    'POST /control/foreign-invoices': withBody(foreignInvoice, wanted => answer(control.foreignInvoice(wanted))),
    'POST /control/payments/resolve': withBody(bodies.resolve, ({ paymentHash, outcome }) => {
      const payment = payments.resolve(paymentHash, outcome);
      return payment ? answer(payment) : notFound;
    }),
    'GET /control/faults': () => answer(control.faults()),
    'POST /control/faults': withBody(fault, next => {
      control.addFault(next);
      return answer({ added: next.kind });
    }),
    'DELETE /control/faults': () => {
      control.clearFaults();
      return answer({});
    },
    'POST /control/refuse-connections': withBody(bodies.refuse, async ({ forMs }) => {
      await control.refuseConnections(forMs);
      return answer({});
    }),
    'POST /control/accept-connections': withBody(bodies.none, async () => {
      await control.acceptConnections();
      return answer({});
    }),
    'POST /control/drop-connections': withBody(bodies.none, async () => {
      await control.dropConnections();
      return answer({});
    }),
    'POST /control/reset': withBody(bodies.none, () => {
      control.reset();
      return answer({});
    }),
  };
}

/** Without the preimage: a payer learns it by paying. */
function shown(invoice: InvoiceRecord) {
  const { preimage, paymentSecret: _, ...rest } = invoice;
  return { ...rest, preimage: invoice.state === 'SETTLED' ? preimage : null };
}

const notFound: Answer = { status: 404, content: { error: 'nothing of this name, or not in a state for it' } };

function withBody<Body>(schema: z.ZodType<Body>, run: (body: Body) => Answer | Promise<Answer>): Run {
  return async raw => {
    const parsed = schema.safeParse(raw);
    if (parsed.success) return run(parsed.data);
    const issues = parsed.error.issues.map(issue => ({ path: issue.path.join('.'), message: issue.message }));
    return { status: 400, content: { error: 'invalid body', issues } };
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
