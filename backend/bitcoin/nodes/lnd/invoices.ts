import { createHash, createHmac } from 'node:crypto';
import { createdInvoice, matchesRequest, provesPayment } from '../invoice.ts';
import {
  type Answer,
  type BitcoinNode,
  type CreateInvoiceOutcome,
  type FollowEnd,
  type FollowRequest,
  type InvoiceRequest,
  type InvoiceState,
  malformed,
  type NotFound,
  type SettledInvoice,
  type Unknown,
} from '../node.ts';
import { asUnknown, type Lnd } from './connection.ts';
import {
  addedInvoice,
  errorOf,
  invoice,
  parsedJson,
  readReply,
  streamed,
  unknownFrom,
  type WireInvoice,
} from './wire.ts';

/** Limits how long a connection that broke unnoticed is used; the next one reports what settled meanwhile. */
const maxStreamMs = 10 * 60_000;

type Invoices = Pick<BitcoinNode, 'createInvoice' | 'lookupInvoice' | 'cancelInvoice' | 'followInvoices'>;

/** Invoices of an LND node. The preimage is derived from the label, so that a label always finds its invoice. */
export function lndInvoices(lnd: Lnd, invoiceKey: Uint8Array): Invoices {
  const preimageOf = (label: string) => createHmac('sha256', invoiceKey).update(label).digest();

  async function wireInvoice(paymentHash: string): Promise<Answer<WireInvoice> | NotFound> {
    const reply = await lnd.ask({ method: 'GET', path: `/v1/invoice/${paymentHash}` });
    if (reply.kind !== 'reply') return asUnknown(reply);
    if (reply.status !== 200 && isMissing(errorOf(reply)?.message)) return { kind: 'notFound' };
    const found = readReply(invoice, reply);
    return found.kind === 'unknown' || found.value.r_hash === paymentHash ? found : malformed;
  }

  /** The earlier invoice of this label, if it is for the same request. */
  async function earlier(request: InvoiceRequest, paymentHash: string): Promise<CreateInvoiceOutcome> {
    const found = await wireInvoice(paymentHash);
    if (found.kind === 'notFound') return { kind: 'unknown', cause: 'node_error' };
    if (found.kind === 'unknown') return found;
    const { payment_request } = found.value;
    const made = await createdInvoice(payment_request, paymentHash);
    if (!made) return malformed;
    return (await matchesRequest(payment_request, request))
      ? { kind: 'created', invoice: made }
      : { kind: 'label_taken' };
  }

  return {
    async createInvoice(request) {
      const preimage = preimageOf(request.label);
      const paymentHash = createHash('sha256').update(preimage).digest('hex');
      const { description } = request;
      const reply = await lnd.ask({
        method: 'POST',
        path: '/v1/invoices',
        body: {
          value: String(request.amountSats),
          expiry: String(request.expiresInSeconds),
          r_preimage: preimage.toString('base64'),
          private: lnd.privateHints,
          ...('memo' in description
            ? { memo: description.memo }
            : { description_hash: Buffer.from(description.sha256, 'hex').toString('base64') }),
        },
      });
      if (reply.kind !== 'reply') return asUnknown(reply);
      if (reply.status !== 200 && errorOf(reply)?.message.includes('already exists'))
        return earlier(request, paymentHash);
      const added = readReply(addedInvoice, reply);
      if (added.kind === 'unknown') return added;
      const { payment_request, r_hash } = added.value;
      const made = await createdInvoice(payment_request, paymentHash);
      return made && r_hash === paymentHash && (await matchesRequest(payment_request, request))
        ? { kind: 'created', invoice: made }
        : malformed;
    },

    async lookupInvoice(paymentHash) {
      const found = await wireInvoice(paymentHash);
      return found.kind === 'answered' ? stateOf(found.value) : found;
    },

    async cancelInvoice(paymentHash): Promise<Answer<null>> {
      const body = { payment_hash: Buffer.from(paymentHash, 'hex').toString('base64') };
      const reply = await lnd.ask({ method: 'POST', path: '/v2/invoices/cancel', body });
      if (reply.kind !== 'reply') return asUnknown(reply);
      return reply.status === 200 || /already (settled|cancell?ed)/.test(errorOf(reply)?.message ?? '')
        ? { kind: 'answered', value: null }
        : unknownFrom(reply);
    },

    followInvoices: request => follow(lnd, request),
  };
}

/** LND reports a settled invoice once; a new subscription repeats those after its settle index. */
async function follow(lnd: Lnd, { after, signal, onOpen, onSettled }: FollowRequest): Promise<FollowEnd> {
  const settleIndex = after ?? '0';
  let problem: Unknown | undefined;
  const end = await lnd.stream(
    { method: 'GET', path: `/v1/invoices/subscribe?settle_index=${encodeURIComponent(settleIndex)}` },
    {
      signal,
      maxMs: maxStreamMs,
      ...(onOpen ? { onOpen } : {}),
      async onLine(line) {
        const message = streamed(invoice).safeParse(parsedJson(line));
        if (!message.success) problem = malformed;
        else if ('error' in message.data) problem = { kind: 'unknown', cause: 'node_error' };
        else {
          const { result } = message.data as { result: WireInvoice };
          // The stream also reports added invoices.
          const state = stateOf(result);
          if (state.kind === 'unknown') problem = state;
          if (state.kind === 'settled') await onSettled(state, String(result.settle_index));
        }
        return problem !== undefined;
      },
    },
  );
  if (problem) return problem;
  if (end.kind === 'ended')
    return end.by === 'signal' ? { kind: 'aborted' } : { kind: 'unknown', cause: 'connection_lost' };
  return end.kind === 'reply' ? unknownFrom(end) : asUnknown(end);
}

function stateOf(found: WireInvoice): InvoiceState {
  switch (found.state) {
    case 'OPEN':
      return { kind: 'open' };
    case 'ACCEPTED':
      return { kind: 'held' };
    case 'CANCELED':
      return { kind: 'cancelled' };
    case 'SETTLED':
      return settled(found) ?? malformed;
  }
}

/** Settled only with proof: the preimage of the hash. */
export function settled(found: WireInvoice): SettledInvoice | undefined {
  const { r_preimage: preimage, r_hash: paymentHash, amt_paid_msat: receivedMsat, settle_date } = found;
  if (!provesPayment(preimage, paymentHash) || receivedMsat <= 0) return undefined;
  return { kind: 'settled', paymentHash, preimage, receivedMsat, settledAt: settle_date * 1000 };
}

function isMissing(message: string | undefined): boolean {
  return message === 'unable to locate invoice' || message === 'there are no existing invoices';
}
