import { provesPayment } from '../invoice.ts';
import { type BitcoinNode, malformed, type NotFound, type PaymentFailure, type PaymentOutcome } from '../node.ts';
import { asUnknown, type Lnd } from './connection.ts';
import { errorOf, parsedJson, payment, streamed, unknownFrom, type WirePayment } from './wire.ts';

/** How long the node itself keeps trying. Its timeout proves nothing: parts may still be in flight. */
const attemptSeconds = 60;

const failures: Readonly<Record<string, PaymentFailure>> = {
  FAILURE_REASON_TIMEOUT: 'timeout',
  FAILURE_REASON_NO_ROUTE: 'no_route',
  FAILURE_REASON_INCORRECT_PAYMENT_DETAILS: 'rejected_by_receiver',
  FAILURE_REASON_INSUFFICIENT_BALANCE: 'insufficient_balance',
  FAILURE_REASON_CANCELED: 'cancelled',
};

/** Outgoing Lightning payments, identified by hash: LND pays a hash at most once unless it failed. */
export function lndPayments(lnd: Lnd): Pick<BitcoinNode, 'payInvoice' | 'lookupPayment'> {
  return {
    async payInvoice(request) {
      let last: PaymentOutcome | undefined;
      const end = await lnd.stream(
        {
          method: 'POST',
          path: '/v2/router/send',
          body: {
            payment_request: request.bolt11,
            timeout_seconds: attemptSeconds,
            fee_limit_sat: String(request.feeLimitSats),
            no_inflight_updates: false,
          },
        },
        {
          isMoney: true,
          ...(request.waitMs === undefined ? {} : { maxMs: request.waitMs }),
          onLine(line) {
            last = outcomeOf(line, request.paymentHash);
            return last.kind !== 'inFlight';
          },
        },
      );
      if (last) return last;
      if (end.kind === 'ended') return { kind: 'unknown', cause: 'connection_lost' };
      return end.kind === 'reply' ? refusalOf(end) : end;
    },

    async lookupPayment(paymentHash) {
      let found: PaymentOutcome | NotFound | undefined;
      const name = Buffer.from(paymentHash, 'hex').toString('base64url');
      const end = await lnd.stream(
        { method: 'GET', path: `/v2/router/track/${name}?no_inflight_updates=false` },
        {
          onLine(line) {
            found = outcomeOf(line, paymentHash);
            return true;
          },
        },
      );
      if (found) return found;
      if (end.kind === 'ended') return { kind: 'unknown', cause: 'connection_lost' };
      if (end.kind !== 'reply') return asUnknown(end);
      return errorOf(end)?.message === "payment isn't initiated" ? { kind: 'notFound' } : unknownFrom(end);
    },
  };
}

function outcomeOf(line: string, paymentHash: string): PaymentOutcome {
  const message = streamed(payment).safeParse(parsedJson(line));
  if (!message.success) return malformed;
  if ('error' in message.data) return { kind: 'unknown', cause: 'node_error', message: message.data.error.message };
  const { result } = message.data;
  return result.payment_hash === paymentHash ? stateOf(result) : malformed;
}

function stateOf(found: WirePayment): PaymentOutcome {
  switch (found.status) {
    case 'UNKNOWN':
    case 'INITIATED':
    case 'IN_FLIGHT':
      return { kind: 'inFlight' };
    case 'FAILED':
      return { kind: 'failed', reason: failures[found.failure_reason] ?? 'other' };
    case 'SUCCEEDED':
      return provesPayment(found.payment_preimage, found.payment_hash)
        ? { kind: 'succeeded', preimage: found.payment_preimage, feeMsat: found.fee_msat }
        : malformed;
  }
}

/** A refusal before the payment began is final if LND's message is unambiguous. */
function refusalOf(reply: Parameters<typeof errorOf>[0]): PaymentOutcome {
  const message = errorOf(reply)?.message ?? '';
  if (message === 'invoice is already paid') return { kind: 'failed', reason: 'already_paid' };
  if (message.startsWith('payment is in transition')) return { kind: 'inFlight' };
  if (/^(invalid payment request|invoice expired|invoice not for current active network)/.test(message))
    return { kind: 'failed', reason: 'invalid_invoice' };
  return unknownFrom(reply);
}
