import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, Random, Timers } from '@florin/shared/ports.ts';
import { systemClock, systemRandom, systemTimers } from '../../../foundation/platform/system.ts';
import { listener, readBody, sendJson } from '../http.ts';
import { applyFault } from '../lightning-node/apply-fault.ts';
import { type Call, faultQueue } from '../lightning-node/faults.ts';
import { type Invoices, invoiceBook } from '../lightning-node/invoices.ts';
import { type Payments, paymentBook } from '../lightning-node/payments.ts';
import { sendReply } from '../lightning-node/reply.ts';
import { type InvoiceRecord, openStore, type PaymentRecord } from '../lightning-node/store.ts';
import type { Answer } from '../lightning-node/wire.ts';

export type PhoenixdSandbox = {
  readonly url: string;
  readonly password: string;
  readonly limitedPassword: string;
  readonly invoices: Invoices;
  readonly payments: Payments;
  readonly faults: ReturnType<typeof faultQueue>;
  refuseConnections(): Promise<void>;
  acceptConnections(): Promise<void>;
  requests(): readonly Call[];
  close(): Promise<void>;
};

const maxBodyBytes = 64 * 1024;
const notFound: Answer = { status: 404, content: undefined };

/**
 * phoenixd's HTTP interface to the sandbox Lightning node's ledger: form-encoded requests, JSON responses, HTTP Basic.
 * In memory.
 */
export async function startPhoenixdSandbox(
  options: { readonly clock?: Clock; readonly timers?: Timers; readonly random?: Random } = {},
): Promise<PhoenixdSandbox> {
  const { clock = systemClock, timers = systemTimers, random = systemRandom } = options;
  const store = openStore(':memory:');
  const ports = { store, clock, random };
  const invoices = invoiceBook({ ...ports, privateKey: random.bytes(32) });
  const payments = paymentBook({ ...ports, foreignKey: random.bytes(32) });
  const faults = faultQueue();
  const externalIds = new Map<string, string>();
  const [password, limitedPassword] = ['full-password-of-the-sandbox', 'limited-password-of-the-sandbox'] as const;
  const routes = routesOver({ invoices, payments, externalIds });
  let requests: Call[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://phoenixd');
    const found = routes.find(one => one.method === request.method && one.path.test(url.pathname));
    const body = (await readBody(request, maxBodyBytes))?.toString('utf8') ?? '';
    const given = Buffer.from((request.headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
    const isFull = given.endsWith(`:${password}`);
    if (!isFull && !given.endsWith(`:${limitedPassword}`)) return void response.writeHead(401).end();
    if (!found) return void response.writeHead(404).end();
    requests = [...requests, found.call];
    const carryOut = () =>
      !isFull && found.call === 'SEND_PAYMENT'
        ? { status: 403, content: undefined }
        : found.run({
            name: found.path.exec(url.pathname)?.[1] ?? '',
            query: url.searchParams,
            form: new URLSearchParams(body),
          });
    const fault = faults.take(found.call);
    if (fault) return applyFault(fault, { carryOut, response, timers });
    const answer = carryOut();
    if (answer.content === undefined) response.writeHead(answer.status).end();
    else if (answer.status === 200 && found.call === 'SEND_PAYMENT' && isPending(answer)) holdOpen(answer, response);
    else sendReply(response, answer);
  }

  /** phoenixd responds to a payment once it has ended. */
  function holdOpen(answer: Answer, response: ServerResponse): void {
    const { paymentHash } = answer.content as { paymentHash: string };
    const stop = payments.listen(payment => {
      if (payment.paymentHash !== paymentHash || payment.status === 'IN_FLIGHT') return;
      stop();
      if (!response.destroyed) sendJson(response, 200, paidOnWire(payment));
    });
    response.once('close', stop);
  }

  const server = listener({ port: 0, handle });
  await server.open();
  return {
    url: server.url(),
    password,
    limitedPassword,
    invoices,
    payments,
    faults,
    refuseConnections: () => server.close(),
    acceptConnections: () => server.open(),
    requests: () => requests,
    async close() {
      await server.close();
      store.close();
    },
  };
}

type Asked = { readonly name: string; readonly query: URLSearchParams; readonly form: URLSearchParams };
type Route = {
  readonly call: Call;
  readonly method: 'GET' | 'POST';
  readonly path: RegExp;
  readonly run: (asked: Asked) => Answer;
};

function routesOver(books: { invoices: Invoices; payments: Payments; externalIds: Map<string, string> }): Route[] {
  const { invoices, payments, externalIds } = books;
  const onWire = (invoice: InvoiceRecord) => incomingOnWire(invoice, externalIds.get(invoice.paymentHash) ?? null);
  const page = <Item>(items: readonly Item[], query: URLSearchParams): Answer => {
    const offset = Number(query.get('offset') ?? 0);
    return { status: 200, content: items.slice(offset, offset + Number(query.get('limit') ?? 20)) };
  };
  return [
    {
      call: 'GET_INFO',
      method: 'GET',
      path: /^\/getinfo$/,
      run: () => ({
        status: 200,
        content: { nodeId: invoices.publicKey, chain: 'regtest', version: '0.6.2', channels: [{ state: 'Normal' }] },
      }),
    },
    {
      call: 'BALANCE',
      method: 'GET',
      path: /^\/getbalance$/,
      run: () => ({
        status: 200,
        content: { balanceSat: Math.floor(payments.balanceMsat() / 1000), feeCreditSat: 0 },
      }),
    },
    {
      call: 'ADD_INVOICE',
      method: 'POST',
      path: /^\/createinvoice$/,
      run({ form }) {
        const added = invoices.add({
          valueMsat: Number(form.get('amountSat') ?? 0) * 1000,
          memo: form.get('description') ?? '',
          descriptionHash: form.get('descriptionHash') ?? '',
          expiresInSeconds: Number(form.get('expirySeconds') ?? 3_600),
        });
        if (!added) return { status: 500, content: undefined };
        const externalId = form.get('externalId');
        if (externalId) externalIds.set(added.paymentHash, externalId);
        const { paymentHash, bolt11: serialized, valueMsat } = added;
        return { status: 200, content: { amountSat: valueMsat / 1000, paymentHash, serialized } };
      },
    },
    {
      call: 'LOOKUP_INVOICE',
      method: 'GET',
      path: /^\/payments\/incoming\/([0-9a-f]{64})$/,
      run({ name }) {
        const invoice = invoices.get(name);
        return invoice ? { status: 200, content: onWire(invoice) } : notFound;
      },
    },
    {
      call: 'SUBSCRIBE_INVOICES',
      method: 'GET',
      path: /^\/payments\/incoming$/,
      run({ query }) {
        const from = Number(query.get('from') ?? 0);
        const externalId = query.get('externalId');
        const listed = invoices
          .all()
          .filter(one => (externalId ? externalIds.get(one.paymentHash) === externalId : true))
          .filter(one => query.get('all') === 'true' || (one.state === 'SETTLED' && one.settledAt >= from));
        return page(listed.map(onWire).reverse(), query);
      },
    },
    {
      call: 'TRACK_PAYMENT',
      method: 'GET',
      path: /^\/payments\/outgoingbyhash\/([0-9a-f]{64})$/,
      run({ name }) {
        const payment = payments.get(name);
        return payment ? { status: 200, content: outgoingOnWire(payment) } : notFound;
      },
    },
    {
      call: 'TRACK_PAYMENT',
      method: 'GET',
      path: /^\/payments\/outgoing$/,
      run({ query }) {
        const from = Number(query.get('from') ?? 0);
        return page(
          payments
            .all()
            .filter(one => one.createdAt >= from)
            .map(outgoingOnWire),
          query,
        );
      },
    },
    {
      call: 'SEND_PAYMENT',
      method: 'POST',
      path: /^\/payinvoice$/,
      run({ form }) {
        const made = payments.send({
          bolt11: form.get('invoice') ?? '',
          amountMsat: 0,
          feeLimitMsat: Number.MAX_SAFE_INTEGER,
        });
        if (typeof made !== 'string') return { status: 200, content: paidOnWire(made) };
        return made === 'invalid'
          ? { status: 400, content: undefined }
          : { status: 200, content: { paymentHash: '0'.repeat(64), reason: made.replaceAll('_', ' ') } };
      },
    },
  ];
}

function isPending({ content }: Answer): boolean {
  return typeof content === 'object' && content !== null && !('paymentPreimage' in content) && !('reason' in content);
}

function paidOnWire({ paymentHash, preimage, status, failureReason, feeMsat, amountMsat }: PaymentRecord): object {
  if (status === 'IN_FLIGHT') return { paymentHash };
  if (status === 'FAILED') return { paymentHash, reason: words[failureReason] ?? 'unknown' };
  return {
    recipientAmountSat: amountMsat / 1000,
    routingFeeSat: Math.ceil(feeMsat / 1000),
    paymentId: '00000000-0000-4000-8000-000000000000',
    paymentHash,
    paymentPreimage: preimage,
  };
}

const words: Readonly<Record<string, string>> = {
  FAILURE_REASON_NO_ROUTE: 'no route to the recipient',
  FAILURE_REASON_INCORRECT_PAYMENT_DETAILS: 'the recipient rejected the payment',
  FAILURE_REASON_INSUFFICIENT_BALANCE: 'not enough funds in wallet to afford payment',
};

function incomingOnWire(invoice: InvoiceRecord, externalId: string | null): object {
  const isPaid = invoice.state === 'SETTLED';
  return {
    type: 'incoming_payment',
    paymentHash: invoice.paymentHash,
    preimage: invoice.preimage,
    externalId,
    description: invoice.memo,
    invoice: invoice.bolt11,
    isPaid,
    isExpired: invoice.state === 'CANCELED',
    receivedSat: Math.floor(invoice.paidMsat / 1000),
    fees: 0,
    completedAt: isPaid ? invoice.settledAt : null,
    createdAt: invoice.createdAt,
  };
}

/** As in phoenixd, a failed payment is `isPaid` too: it has ended. */
function outgoingOnWire({ paymentHash, preimage, status, amountMsat, feeMsat, createdAt }: PaymentRecord): object {
  const hasEnded = status !== 'IN_FLIGHT';
  return {
    type: 'outgoing_payment',
    paymentHash,
    preimage: status === 'SUCCEEDED' ? preimage : null,
    isPaid: hasEnded,
    sent: Math.floor(amountMsat / 1000),
    fees: feeMsat,
    completedAt: hasEnded ? createdAt : null,
    createdAt,
  };
}
