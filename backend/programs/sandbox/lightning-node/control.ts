import { z } from 'zod';
import { controlPage } from '../control-page.ts';
import { type ControlResponse, type ControlRoute, controlServer, ok, withBody } from '../control-server.ts';
import type { Chain } from './chain.ts';
import type { esploraServer } from './esplora.ts';
import { type FaultInput, fault } from './faults.ts';
import type { Invoices, PayRefusal } from './invoices.ts';
import type { Payments } from './payments.ts';
import type { ForeignInvoiceRecord, InvoiceRecord, RequestRecord } from './store.ts';

/** Operations for wallets, the chain and tests, outside the node's own interface. */
export type Control = {
  readonly invoices: Pick<Invoices, 'add' | 'get' | 'all' | 'pay' | 'release' | 'expire' | 'cancel'>;
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
  readonly payments: Pick<Payments, 'get' | 'all' | 'send' | 'foreignInvoices' | 'resolve' | 'balanceMsat'>;
  /** The chain as an Esplora server, at `/esplora` of the control port. */
  readonly esplora: ReturnType<typeof esploraServer>;
  foreignInvoice(wanted: ForeignInvoiceInput): ForeignInvoiceRecord;
  addFault(fault: FaultInput): void;
  clearFaults(): void;
  faults(): readonly unknown[];
  refuseConnections(forMs?: number): Promise<void>;
  acceptConnections(): Promise<void>;
  /** Closes every connection; new ones are accepted. */
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

const payRefusals: Readonly<Record<PayRefusal, number>> = {
  unknown_invoice: 404,
  already_paid: 409,
  expired: 409,
  cancelled: 409,
  amount_too_low: 409,
};

/** The control interface over HTTP: JSON on a separate port, which stays open when node connections are refused. */
export function controlHandler(control: Control) {
  const routes: Record<string, ControlRoute> = {
    ...walletRoutes(control),
    ...chainRoutes(control),
    ...nodeRoutes(control),
  };
  return controlServer(routes, ({ method, path }, response) => {
    if (method !== 'GET') return false;
    if (!path.startsWith('/esplora/')) return sendPage(path, response);
    control.esplora.handle(path.slice('/esplora'.length), response);
    return true;
  });
}

/** Customer wallets' operations on this node's invoices. */
function walletRoutes({ invoices }: Control): Record<string, ControlRoute> {
  const find = ({ bolt11, paymentHash }: { bolt11?: string | undefined; paymentHash?: string | undefined }) =>
    paymentHash ??
    invoices.all().find(one => one.bolt11 === bolt11?.toLowerCase().replace(/^lightning:/, ''))?.paymentHash ??
    '';
  const changed = (invoice: InvoiceRecord | undefined) => (invoice ? ok(shown(invoice)) : notFound);
  return {
    'GET /control/invoices': () => ok(invoices.all().map(shown)),
    'POST /control/pay': withBody(bodies.pay, ({ amountMsat, hold, ...invoice }) => {
      const paid = invoices.pay(find(invoice), { hold, ...(amountMsat === undefined ? {} : { amountMsat }) });
      return typeof paid === 'string' ? { status: payRefusals[paid], content: { error: paid } } : ok(shown(paid));
    }),
    'POST /control/release': withBody(bodies.release, ({ outcome, ...invoice }) =>
      changed(invoices.release(find(invoice), outcome)),
    ),
    'POST /control/expire': withBody(bodies.invoice, invoice => changed(invoices.expire(find(invoice)))),
  };
}

function chainRoutes({ chain }: Control): Record<string, ControlRoute> {
  return {
    'GET /control/chain': () => ok({ height: chain.height(), transactions: chain.transactions() }),
    'POST /control/chain/pay': withBody(bodies.payTo, ({ address, amountSats }) =>
      ok(chain.payTo(address, amountSats)),
    ),
    'POST /control/chain/mine': withBody(bodies.mine, ({ blocks, txId }) => ok({ height: chain.mine(blocks, txId) })),
    'POST /control/chain/replace': withBody(bodies.replace, ({ txId, amountSats }) => {
      const made = chain.replace(txId, amountSats);
      return made ? ok(made) : notFound;
    }),
    'POST /control/chain/drop': withBody(bodies.transaction, ({ txId }) => (chain.drop(txId) ? ok({}) : notFound)),
    'POST /control/chain/reorganise': withBody(bodies.reorganise, ({ blocks }) =>
      ok({ height: chain.reorganise(blocks) }),
    ),
  };
}

function nodeRoutes(control: Control): Record<string, ControlRoute> {
  const { payments } = control;
  return {
    'GET /control/credentials': () => ok(control.credentials()),
    'GET /control/requests': () => ok(control.requests()),
    'GET /control/payments': () => ok({ balanceMsat: payments.balanceMsat(), payments: payments.all() }),
    'GET /control/foreign-invoices': () => ok(payments.foreignInvoices()),
    'POST /control/foreign-invoices': withBody(foreignInvoice, wanted => ok(control.foreignInvoice(wanted))),
    'POST /control/payments/resolve': withBody(bodies.resolve, ({ paymentHash, outcome }) => {
      const payment = payments.resolve(paymentHash, outcome);
      return payment ? ok(payment) : notFound;
    }),
    'GET /control/faults': () => ok(control.faults()),
    'POST /control/faults': withBody(fault, next => {
      control.addFault(next);
      return ok({ added: next.kind });
    }),
    'DELETE /control/faults': () => {
      control.clearFaults();
      return ok({});
    },
    'POST /control/refuse-connections': withBody(bodies.refuse, async ({ forMs }) => {
      await control.refuseConnections(forMs);
      return ok({});
    }),
    'POST /control/accept-connections': withBody(bodies.none, async () => {
      await control.acceptConnections();
      return ok({});
    }),
    'POST /control/drop-connections': withBody(bodies.none, async () => {
      await control.dropConnections();
      return ok({});
    }),
    'POST /control/reset': withBody(bodies.none, () => {
      control.reset();
      return ok({});
    }),
  };
}

/** Without the preimage, which a payer learns by paying. */
function shown(invoice: InvoiceRecord) {
  const { preimage, paymentSecret: _, ...rest } = invoice;
  return { ...rest, preimage: invoice.state === 'SETTLED' ? preimage : null };
}

const notFound: ControlResponse = { status: 404, content: { error: 'not found, or not in a state that allows this' } };
