import type { Instant } from '@florin/shared/ports.ts';
import { z } from 'zod';
import { provesPayment } from '../invoice.ts';
import {
  type Answer,
  type BitcoinNode,
  type ListedPayment,
  malformed,
  type NotFound,
  type PaymentOutcome,
} from '../node.ts';
import type { Phoenixd } from './connection.ts';
import { asUnknown, listedOutgoing, type Outgoing, outgoing, paidReply, readReply } from './wire.ts';

const pageSize = 100;
const maxPages = 50;
/** Phoenix's fixed fee: 0.4 % and four satoshis. It accepts no fee limit. */
const feeOf = (amountSats: number) => Math.ceil(amountSats * 0.004) + 4;

/** Outgoing Lightning payments of phoenixd, identified by payment hash. */
export function phoenixdPayments(phoenixd: Phoenixd): Pick<BitcoinNode, 'payInvoice' | 'lookupPayment'> & {
  paymentsFrom(from: Instant): Promise<Answer<readonly ListedPayment[]>>;
} {
  async function page<Item>(item: z.ZodType<Item>, query: { offset: number; from?: number }): Promise<Answer<Item[]>> {
    const all = { all: 'true', limit: pageSize, ...query };
    const parameters = new URLSearchParams(Object.entries(all).map(([name, value]) => [name, String(value)]));
    const reply = await phoenixd.ask('GET', `/payments/outgoing?${parameters}`);
    return reply.kind === 'reply' ? readReply(z.array(item), reply) : asUnknown(reply);
  }

  /** Searches all payments, because phoenixd answers an unknown hash like an unknown path. */
  async function search(paymentHash: string): Promise<PaymentOutcome | NotFound> {
    for (let number = 0; number < maxPages; number += 1) {
      const found = await page(outgoing, { offset: number * pageSize });
      if (found.kind === 'unknown') return found;
      const known = found.value.find(one => one.paymentHash === paymentHash);
      if (known) return stateOf(known, paymentHash);
      if (found.value.length < pageSize) return { kind: 'notFound' };
    }
    return { kind: 'unknown', cause: 'node_error', message: 'too many payments to search' };
  }

  return {
    async payInvoice({ bolt11, paymentHash, amountSats, feeLimitSats, waitMs }) {
      if (feeOf(amountSats) > feeLimitSats) return { kind: 'failed', reason: 'no_route' };
      const reply = await phoenixd.send('/payinvoice', { invoice: bolt11 }, waitMs);
      if (reply.kind !== 'reply') return reply;
      const paid = readReply(paidReply, reply);
      if (paid.kind === 'unknown') return paid;
      if (paid.value.paymentHash !== paymentHash) return malformed;
      if ('reason' in paid.value) return failureOf(paid.value.reason);
      const { paymentPreimage: preimage, routingFeeSat } = paid.value;
      return provesPayment(preimage, paymentHash)
        ? { kind: 'succeeded', preimage, feeMsat: routingFeeSat * 1000 }
        : malformed;
    },

    async paymentsFrom(from) {
      const found: z.infer<typeof listedOutgoing>[] = [];
      for (;;) {
        const next = await page(listedOutgoing, { from, offset: found.length });
        if (next.kind === 'unknown') return next;
        found.push(...next.value);
        if (next.value.length < pageSize) break;
      }
      const value = found.flatMap(one => {
        const { paymentHash, sent: amountSats, createdAt: at } = one;
        // Without a hash it is a transaction of its channels.
        if (!paymentHash || stateOf(one, paymentHash).kind === 'failed') return [];
        return [{ paymentHash, amountSats, at }];
      });
      return { kind: 'answered', value };
    },

    async lookupPayment(paymentHash) {
      const reply = await phoenixd.ask('GET', `/payments/outgoingbyhash/${paymentHash}`);
      if (reply.kind !== 'reply') return asUnknown(reply);
      if (reply.status === 404) return search(paymentHash);
      const found = readReply(outgoing, reply);
      return found.kind === 'unknown' ? found : stateOf(found.value, paymentHash);
    },
  };
}

/** `isPaid` only means that it has ended; a payment succeeded if it has a preimage. */
function stateOf(found: Outgoing, paymentHash: string): PaymentOutcome {
  if (found.preimage)
    return provesPayment(found.preimage, paymentHash)
      ? { kind: 'succeeded', preimage: found.preimage, feeMsat: found.fees }
      : malformed;
  return found.completedAt ? { kind: 'failed', reason: 'other' } : { kind: 'inFlight' };
}

function failureOf(reason: string): PaymentOutcome {
  if (/already (been )?paid/i.test(reason)) return { kind: 'failed', reason: 'already_paid' };
  if (/in progress/i.test(reason)) return { kind: 'inFlight' };
  if (/balance|funds/i.test(reason)) return { kind: 'failed', reason: 'insufficient_balance' };
  if (/route/i.test(reason)) return { kind: 'failed', reason: 'no_route' };
  if (/rejected|recipient/i.test(reason)) return { kind: 'failed', reason: 'rejected_by_receiver' };
  return { kind: 'failed', reason: 'other' };
}
