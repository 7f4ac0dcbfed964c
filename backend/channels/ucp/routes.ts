import { getUcpProfile, verifyUcpPayment } from '@florin/shared/contracts/api-v1/ucp.ts';
import { createUcpInvoice } from '@florin/shared/contracts/ucp.ts';
import { errorBy, type ProblemTable } from '../../foundation/http/problems.ts';
import { fail, type Route, respond, route } from '../../foundation/http/route.ts';
import { timestamp } from '../../money/payments/payment.ts';
import type { UcpInvoiceRow } from './rows.ts';
import type { UcpRefusal, UcpService, VerifiedPayment, VerifyRefusal } from './service.ts';

/** The HTTP operations of UCP. Amounts are in the currency's smallest unit, or in satoshis for the currency `SAT`. */
export function ucpRoutes(ucp: UcpService): Route[] {
  return [
    route(createUcpInvoice, async ({ caller, body }) => {
      const { merchant_id: businessId, checkout_id: checkoutId, currency, amount: amountMinor } = body;
      const isByKey = caller.kind !== 'none';
      if (isByKey && caller.businessId !== businessId) return errorBy(invoiceProblems, { kind: 'merchant_not_found' });
      const made = await ucp.invoice({ businessId, checkoutId, currency, amountMinor, isByKey: isByKey ? 1 : 0 });
      if (!made.ok) return errorBy(invoiceProblems, made.refusal);
      const { row, bolt11, paymentHash, isNew } = made.value;
      const answer = { ...factsOf(row, paymentHash), bolt11, expires_at: timestamp(row.expiresAt) };
      return isNew ? respond(201, answer) : respond(200, answer);
    }),

    route(verifyUcpPayment, async ({ caller, body, call }) => {
      const proof = { preimage: body.preimage.toLowerCase(), checkoutId: body.checkout_id };
      const verified = await ucp.verify(caller.businessId, proof, call.storing(proven));
      return verified.ok ? proven(verified.value) : errorBy(verifyProblems, verified.refusal);
    }),

    route(getUcpProfile, async ({ caller }) => {
      const profile = await ucp.profile(caller.businessId);
      if (!profile) return fail(409, 'lightning_not_enabled', invoiceProblems.lightning_not_enabled.message);
      const { merchantId, invoiceEndpoint, displayName, currencies } = profile;
      return respond(200, {
        merchant_id: merchantId,
        invoice_endpoint: invoiceEndpoint,
        display_name: displayName,
        supported_currencies: [...currencies],
      });
    }),
  ];
}

function factsOf({ id, currency, amountMinor: amount, amountSats }: UcpInvoiceRow, paymentHash: string) {
  const facts = { invoice_id: id, payment_hash: paymentHash, currency, amount, amount_sats: amountSats };
  return currency === 'SAT' ? facts : { ...facts, fx_rate: amountSats / amount };
}

function proven({ row, paymentHash }: VerifiedPayment) {
  const settledAt = timestamp(row.settledAt ?? row.createdAt);
  return respond(200, { settled: true as const, ...factsOf(row, paymentHash), settled_at: settledAt });
}

const unavailable = { status: 503, message: 'The invoice provider cannot answer right now: try again' } as const;

const invoiceProblems = {
  merchant_not_found: { status: 404, message: 'There is no such merchant' },
  lightning_not_enabled: { status: 409, message: 'This merchant is not paid over Lightning' },
  unsupported_currency: {
    status: 400,
    path: 'currency',
    message: 'is not one of this merchant’s supported_currencies',
  },
  amount_out_of_range: { status: 400, path: 'amount', message: 'exceeds what can be paid over Lightning' },
  amount_mismatch: { status: 409, message: 'This checkout_id has an invoice with another currency or amount' },
  rate_limited: { status: 429, message: 'Too many invoices of this merchant are unpaid: try again later' },
  provider_unavailable: unavailable,
} as const satisfies ProblemTable<UcpRefusal['kind']>;

const verifyProblems = {
  invoice_not_found: { status: 404, message: 'There is no invoice with the payment hash of this preimage' },
  binding_mismatch: { status: 403, message: 'This preimage does not prove a payment of this checkout_id' },
  invoice_not_settled: { status: 409, message: 'This invoice is not paid yet: try again in a moment' },
  amount_mismatch: { status: 409, message: 'The invoice was paid with another amount than requested' },
  invoice_expired: { status: 410, message: 'The invoice has expired unpaid: request a new one' },
  provider_unavailable: unavailable,
} as const satisfies ProblemTable<VerifyRefusal['kind']>;
