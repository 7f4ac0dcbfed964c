import { type Instant, wait } from '@florin/shared/ports.ts';
import { z } from 'zod';
import type { ConnectionPorts } from '../connection.ts';
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
  type SettledInvoice,
} from '../node.ts';
import type { Phoenixd } from './connection.ts';
import { asUnknown, createdReply, type Incoming, incoming, readReply } from './wire.ts';

const followEveryMs = 2_000;
const pageSize = 100;
const maxMemoLength = 128;

type Invoices = Pick<BitcoinNode, 'createInvoice' | 'lookupInvoice' | 'cancelInvoice' | 'followInvoices'> & {
  settledInvoices(from: Instant): Promise<Answer<readonly SettledInvoice[]>>;
};

/**
 * Invoices of phoenixd, which chooses its own preimages: a label is stored as `externalId`, and looked up before an
 * invoice is created.
 */
export function phoenixdInvoices(phoenixd: Phoenixd, { timers }: ConnectionPorts): Invoices {
  async function list(query: Record<string, string>): Promise<Answer<Incoming[]>> {
    const reply = await phoenixd.ask('GET', `/payments/incoming?${new URLSearchParams(query)}`);
    return reply.kind === 'reply' ? readReply(z.array(incoming), reply) : asUnknown(reply);
  }

  /** Payments received from this time on, oldest first. */
  async function receivedFrom(from: number): Promise<Answer<Incoming[]>> {
    const found: Incoming[] = [];
    for (;;) {
      const page = await list({ from: String(from), limit: String(pageSize), offset: String(found.length) });
      if (page.kind === 'unknown') return page;
      found.push(...page.value);
      if (page.value.length < pageSize) break;
    }
    const value = found.filter(one => one.isPaid).sort((a, b) => (a.completedAt ?? 0) - (b.completedAt ?? 0));
    return { kind: 'answered', value };
  }

  async function create(request: InvoiceRequest): Promise<CreateInvoiceOutcome> {
    const { description } = request;
    const reply = await phoenixd.ask('POST', '/createinvoice', {
      amountSat: String(request.amountSats),
      expirySeconds: String(request.expiresInSeconds),
      externalId: request.label,
      ...('memo' in description ? { description: description.memo } : { descriptionHash: description.sha256 }),
    });
    if (reply.kind !== 'reply') return asUnknown(reply);
    const made = readReply(createdReply, reply);
    if (made.kind === 'unknown') return made;
    const invoice = await createdInvoice(made.value.serialized, made.value.paymentHash);
    return invoice && (await matchesRequest(invoice.bolt11, request)) ? { kind: 'created', invoice } : malformed;
  }

  return {
    async createInvoice(asked) {
      const request = { ...asked, description: shortened(asked.description) };
      const earlier = await list({ externalId: request.label, all: 'true' });
      if (earlier.kind === 'unknown') return earlier;
      const known = earlier.value.at(-1);
      if (!known) return create(request);
      const invoice = await createdInvoice(known.invoice ?? '', known.paymentHash);
      if (!invoice) return malformed;
      return (await matchesRequest(invoice.bolt11, request)) ? { kind: 'created', invoice } : { kind: 'label_taken' };
    },

    async lookupInvoice(paymentHash): Promise<InvoiceState> {
      const reply = await phoenixd.ask('GET', `/payments/incoming/${paymentHash}`);
      if (reply.kind !== 'reply') return asUnknown(reply);
      if (reply.status === 404 && reply.body === '') return { kind: 'notFound' };
      const found = readReply(incoming, reply);
      if (found.kind === 'unknown') return found;
      return found.value.paymentHash === paymentHash ? stateOf(found.value) : malformed;
    },

    async settledInvoices(from) {
      const received = await receivedFrom(from);
      if (received.kind === 'unknown') return received;
      const value = received.value.map(settled);
      return value.every(one => one !== undefined) ? { kind: 'answered', value } : malformed;
    },

    cancelInvoice: async () => ({ kind: 'unknown', cause: 'not_supported' }),

    /** phoenixd has no resumable stream: new payments are listed every two seconds. */
    async followInvoices({ after, signal, onOpen, onSettled }: FollowRequest): Promise<FollowEnd> {
      let from = after === null ? undefined : Number(after);
      const reported = new Set<string>();
      for (let isFirst = true; !signal.aborted; isFirst = false) {
        const received = await receivedFrom(from ?? 0);
        if (signal.aborted) break;
        if (received.kind === 'unknown') return received;
        if (isFirst) onOpen?.();
        for (const one of received.value) {
          const state = stateOf(one);
          if (state.kind === 'unknown') return state;
          const isNew = state.kind === 'settled' && !reported.has(one.paymentHash);
          reported.add(one.paymentHash);
          // Without a cursor it starts now: earlier payments are not reported.
          if (isNew && from !== undefined) await onSettled(state, String(one.completedAt));
        }
        from = received.value.reduce((last, one) => Math.max(last, one.completedAt ?? 0), from ?? 0);
        await wait(timers, followEveryMs, signal);
      }
      return { kind: 'aborted' };
    },
  };
}

function shortened(description: InvoiceRequest['description']): InvoiceRequest['description'] {
  return 'memo' in description ? { memo: description.memo.slice(0, maxMemoLength).toWellFormed() } : description;
}

function stateOf(found: Incoming): InvoiceState {
  if (found.isPaid) return settled(found) ?? malformed;
  return found.isExpired ? { kind: 'cancelled' } : { kind: 'open' };
}

/** Channel-opening fees are the merchant's cost and were paid by the customer, so they count as received. */
function settled({ paymentHash, preimage, receivedSat, fees, completedAt }: Incoming): SettledInvoice | undefined {
  const receivedMsat = receivedSat * 1000 + fees;
  if (!provesPayment(preimage, paymentHash) || !completedAt || receivedMsat <= 0) return undefined;
  return { kind: 'settled', paymentHash, preimage, receivedMsat, settledAt: completedAt };
}
