import type { Clock, Random } from '@florin/shared/ports.ts';
import { publicKeyOf, sha256, signedInvoice } from './bolt11.ts';
import type { InvoiceRecord, Store } from './store.ts';

export type NewInvoice = {
  readonly valueMsat: number;
  readonly memo: string;
  readonly descriptionHash: string;
  readonly expiresInSeconds: number;
  /** Hexadecimal; chosen by the caller or generated. */
  readonly preimage?: string;
};

/** Errors of a wallet's payment attempt. */
export type PayRefusal = 'unknown_invoice' | 'already_paid' | 'expired' | 'cancelled' | 'amount_too_low';

export type Invoices = ReturnType<typeof invoiceBook>;

/** This node's invoices: created, paid by wallets, expired, cancelled; reports each settlement to its listener. */
export function invoiceBook(options: { store: Store; clock: Clock; random: Random; privateKey: Uint8Array }) {
  const { store, clock, random, privateKey } = options;
  const listeners = new Set<(invoice: InvoiceRecord) => void>();
  let lastAddIndex = store.all('invoice').reduce((last, one) => Math.max(last, one.addIndex), 0);
  let lastSettleIndex = store.all('invoice').reduce((last, one) => Math.max(last, one.settleIndex), 0);
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const save = (invoice: InvoiceRecord) => store.put('invoice', invoice.paymentHash, invoice);

  /** The current state of an invoice; an expired one is cancelled on access. */
  function get(paymentHash: string): InvoiceRecord | undefined {
    const invoice = store.get('invoice', paymentHash);
    if (invoice?.state !== 'OPEN') return invoice;
    return isExpired(invoice) ? save({ ...invoice, state: 'CANCELED' }) : invoice;
  }

  function isExpired(invoice: InvoiceRecord): boolean {
    return clock.now() >= invoice.createdAt + invoice.expiresInSeconds * 1000;
  }

  function settle(invoice: InvoiceRecord, paidMsat: number): InvoiceRecord {
    lastSettleIndex += 1;
    const settled = save({
      ...invoice,
      state: 'SETTLED',
      settleIndex: lastSettleIndex,
      settledAt: clock.now(),
      paidMsat,
    });
    for (const listen of listeners) listen(settled);
    return settled;
  }

  function whyNotPayable(invoice: InvoiceRecord | undefined, paidMsat: number): PayRefusal | undefined {
    if (!invoice) return 'unknown_invoice';
    if (invoice.state === 'SETTLED' || invoice.state === 'ACCEPTED') return 'already_paid';
    if (invoice.state === 'CANCELED') return isExpired(invoice) ? 'expired' : 'cancelled';
    return paidMsat < invoice.valueMsat ? 'amount_too_low' : undefined;
  }

  return {
    publicKey: publicKeyOf(privateKey),
    get,
    all: () => store.all('invoice').map(({ paymentHash }) => get(paymentHash) as InvoiceRecord),

    /** Undefined if an invoice of this preimage exists. */
    add(wanted: NewInvoice): InvoiceRecord | undefined {
      const preimage = wanted.preimage ?? hex(random.bytes(32));
      const paymentHash = sha256(Buffer.from(preimage, 'hex'));
      if (store.get('invoice', paymentHash)) return undefined;
      const paymentSecret = hex(random.bytes(32));
      lastAddIndex += 1;
      const createdAt = Math.floor(clock.now() / 1000) * 1000;
      const { memo, descriptionHash, valueMsat, expiresInSeconds } = wanted;
      const bolt11 = signedInvoice({
        privateKey,
        paymentHash,
        paymentSecret,
        amountMsat: valueMsat === 0 ? null : valueMsat,
        description: descriptionHash === '' ? { memo } : { hash: descriptionHash },
        createdAt,
        expiresInSeconds,
      });
      return save({
        paymentHash,
        preimage,
        paymentSecret,
        bolt11,
        memo,
        descriptionHash,
        valueMsat,
        createdAt,
        expiresInSeconds,
        addIndex: lastAddIndex,
        state: 'OPEN',
        settleIndex: 0,
        settledAt: 0,
        paidMsat: 0,
      });
    },

    /** A payment by a customer's wallet. Like a real node it accepts more than the requested amount, never less. */
    pay(paymentHash: string, how: { amountMsat?: number; hold?: boolean }): InvoiceRecord | PayRefusal {
      const invoice = get(paymentHash);
      const paidMsat = how.amountMsat ?? invoice?.valueMsat ?? 0;
      const refusal = whyNotPayable(invoice, paidMsat);
      if (refusal || !invoice) return refusal ?? 'unknown_invoice';
      return how.hold ? save({ ...invoice, state: 'ACCEPTED', paidMsat }) : settle(invoice, paidMsat);
    },

    /** Settles or cancels a held payment. */
    release(paymentHash: string, outcome: 'settle' | 'cancel'): InvoiceRecord | undefined {
      const invoice = store.get('invoice', paymentHash);
      if (invoice?.state !== 'ACCEPTED') return undefined;
      if (outcome === 'cancel') return save({ ...invoice, state: 'CANCELED', paidMsat: 0 });
      return settle(invoice, invoice.paidMsat);
    },

    cancel(paymentHash: string): InvoiceRecord | 'unknown_invoice' | 'already_settled' {
      const invoice = get(paymentHash);
      if (!invoice) return 'unknown_invoice';
      if (invoice.state === 'SETTLED') return 'already_settled';
      return save({ ...invoice, state: 'CANCELED', paidMsat: 0 });
    },

    /** Expires it now. */
    expire(paymentHash: string): InvoiceRecord | undefined {
      const invoice = get(paymentHash);
      return invoice?.state === 'OPEN' ? save({ ...invoice, expiresInSeconds: 0, state: 'CANCELED' }) : undefined;
    },

    settledAfter: (settleIndex: number) =>
      store
        .all('invoice')
        .filter(one => one.state === 'SETTLED' && one.settleIndex > settleIndex)
        .sort((a, b) => a.settleIndex - b.settleIndex),

    /** Reports each settlement from now on, until the returned function is called. */
    listen(listen: (invoice: InvoiceRecord) => void): () => void {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
  };
}
