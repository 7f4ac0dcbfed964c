import type { Clock, Random } from '@florin/shared/ports.ts';
import { parsePaymentRequest } from 'invoices';
import { sha256, signedInvoice } from './bolt11.ts';
import type { FailureReason, ForeignInvoiceRecord, ForeignOutcome, PaymentRecord, Store } from './store.ts';

export type Payments = ReturnType<typeof paymentBook>;
export type PayProblem = 'invalid' | 'already_paid' | 'in_transition';

/** The initial channel balance on this node's side. */
const firstBalanceMsat = 50_000_000_000;
/** That of its channels on both sides. */
const capacityMsat = 200_000_000_000;
const feeOf = (amountMsat: number) => Math.ceil(amountMsat / 1000);

/** Outgoing Lightning payments to invoices of a simulated outside node, whose preimages the sandbox has. */
export function paymentBook(options: { store: Store; clock: Clock; random: Random; foreignKey: Uint8Array }) {
  const { store, clock, random } = options;
  const listeners = new Set<(payment: PaymentRecord) => void>();
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

  function save(payment: PaymentRecord): PaymentRecord {
    store.put('payment', payment.paymentHash, payment);
    for (const listen of listeners) listen(payment);
    return payment;
  }

  function balanceMsat(): number {
    const received = store.all('invoice').reduce((sum, one) => sum + (one.state === 'SETTLED' ? one.paidMsat : 0), 0);
    const spent = store
      .all('payment')
      .reduce((sum, one) => sum + (one.status === 'FAILED' ? 0 : one.amountMsat + one.feeMsat), 0);
    return firstBalanceMsat + received - spent;
  }

  function finish(payment: PaymentRecord, how: { preimage: string } | { reason: FailureReason }): PaymentRecord {
    return 'preimage' in how
      ? save({ ...payment, status: 'SUCCEEDED', preimage: how.preimage })
      : save({ ...payment, status: 'FAILED', failureReason: how.reason, feeMsat: 0 });
  }

  function attempt(payment: PaymentRecord, feeLimitMsat: number): PaymentRecord {
    const foreign = store.get('foreignInvoice', payment.paymentHash);
    const { amountMsat } = payment;
    const feeMsat = feeOf(amountMsat);
    if (balanceMsat() < amountMsat + feeMsat) return finish(payment, { reason: 'FAILURE_REASON_INSUFFICIENT_BALANCE' });
    // A fee limit of 0 permits only free routes, of which there are none.
    if (!foreign || foreign.outcome === 'noRoute' || feeMsat > feeLimitMsat)
      return finish(payment, { reason: 'FAILURE_REASON_NO_ROUTE' });
    if (foreign.outcome === 'refused') return finish(payment, { reason: 'FAILURE_REASON_INCORRECT_PAYMENT_DETAILS' });
    const underWay = save({ ...payment, feeMsat });
    return foreign.outcome === 'stuck' ? underWay : finish(underWay, { preimage: foreign.preimage });
  }

  return {
    balanceMsat,
    /** What the other sides of its channels hold. */
    receivableMsat: () => Math.max(0, capacityMsat - balanceMsat()),
    get: (paymentHash: string) => store.get('payment', paymentHash),
    all: () => store.all('payment'),
    foreignInvoices: () => store.all('foreignInvoice'),

    /** A genuine invoice of another node, for this node to pay. */
    foreignInvoice(wanted: {
      amountSats: number | null;
      memo: string;
      outcome: ForeignOutcome;
      expiresInSeconds: number;
    }): ForeignInvoiceRecord {
      const preimage = hex(random.bytes(32));
      const paymentHash = sha256(Buffer.from(preimage, 'hex'));
      const amountMsat = (wanted.amountSats ?? 0) * 1000;
      const bolt11 = signedInvoice({
        privateKey: options.foreignKey,
        paymentHash,
        paymentSecret: hex(random.bytes(32)),
        amountMsat: wanted.amountSats === null ? null : amountMsat,
        description: { memo: wanted.memo },
        createdAt: clock.now(),
        expiresInSeconds: wanted.expiresInSeconds,
      });
      const { outcome } = wanted;
      return store.put('foreignInvoice', paymentHash, { paymentHash, preimage, bolt11, amountMsat, outcome });
    },

    /** Pays once: a second request for the same hash is refused unless the first has failed. */
    send(request: { bolt11: string; amountMsat: number; feeLimitMsat: number }): PaymentRecord | PayProblem {
      const parsed = parsed11(request.bolt11);
      if (!parsed || Date.parse(parsed.expires_at) <= clock.now()) return 'invalid';
      const earlier = store.get('payment', parsed.id);
      if (earlier && earlier.status !== 'FAILED')
        return earlier.status === 'SUCCEEDED' ? 'already_paid' : 'in_transition';
      const invoiceMsat = Number(parsed.mtokens ?? 0);
      if ((invoiceMsat === 0) === (request.amountMsat === 0)) return 'invalid';
      return attempt(
        {
          paymentHash: parsed.id,
          bolt11: request.bolt11,
          amountMsat: invoiceMsat || request.amountMsat,
          feeMsat: 0,
          createdAt: clock.now(),
          index: earlier?.index ?? 1 + store.all('payment').length,
          status: 'IN_FLIGHT',
          failureReason: 'FAILURE_REASON_NONE',
          preimage: '',
        },
        request.feeLimitMsat,
      );
    },

    /** Ends a stuck payment. */
    resolve(paymentHash: string, outcome: 'succeeds' | 'fails'): PaymentRecord | undefined {
      const payment = store.get('payment', paymentHash);
      const foreign = store.get('foreignInvoice', paymentHash);
      if (payment?.status !== 'IN_FLIGHT' || !foreign) return undefined;
      return finish(
        payment,
        outcome === 'succeeds' ? { preimage: foreign.preimage } : { reason: 'FAILURE_REASON_TIMEOUT' },
      );
    },

    listen(listen: (payment: PaymentRecord) => void): () => void {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
  };
}

function parsed11(request: string) {
  try {
    return parsePaymentRequest({ request });
  } catch {
    return undefined;
  }
}
