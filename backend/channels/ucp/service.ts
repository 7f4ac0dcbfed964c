import { hash } from 'node:crypto';
import { bitcoin, satsOf } from '@florin/shared/bitcoin.ts';
import { ucpInvoicePath } from '@florin/shared/contracts/ucp.ts';
import { type Clock, type Ids, idPrefixes } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { progressOf } from '../../bitcoin/invoices/progress.ts';
import type { BitcoinInvoiceRow } from '../../bitcoin/invoices/rows.ts';
import type { BitcoinInvoices } from '../../bitcoin/invoices/service.ts';
import type { Rates } from '../../bitcoin/rates/service.ts';
import { type Database, KeyTaken, readingAgain, type Transaction } from '../../foundation/database/database.ts';
import type { DurableWrite } from '../../foundation/idempotency/call.ts';
import type { Business, BusinessService } from '../../people/businesses/service.ts';
import type { UcpInvoiceRow } from './rows.ts';
import {
  acceptUcpInvoice,
  insertUcpInvoice,
  lastUcpInvoice,
  openUcpInvoicesWithoutKey,
  ucpInvoiceByHash,
  ucpInvoiceById,
  ucpInvoicesForUpdate,
} from './store.ts';

export type UcpRequest = Pick<UcpInvoiceRow, 'businessId' | 'checkoutId' | 'currency' | 'amountMinor' | 'isByKey'>;
export type UcpInvoice = {
  readonly row: UcpInvoiceRow;
  readonly bolt11: string;
  readonly paymentHash: string;
  /** Whether this request created it. */
  readonly isNew: boolean;
};
export type UcpRefusal =
  | { readonly kind: 'merchant_not_found' }
  | { readonly kind: 'lightning_not_enabled' }
  | { readonly kind: 'unsupported_currency' }
  | { readonly kind: 'amount_out_of_range' }
  | { readonly kind: 'amount_mismatch' }
  | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number }
  | ProviderUnavailable;
export type VerifyRefusal =
  | { readonly kind: 'invoice_not_found' }
  | { readonly kind: 'binding_mismatch' }
  | { readonly kind: 'invoice_not_settled' }
  | { readonly kind: 'amount_mismatch' }
  | { readonly kind: 'invoice_expired' }
  | ProviderUnavailable;
/** The node or the exchange rates are unavailable. */
type ProviderUnavailable = { readonly kind: 'provider_unavailable'; readonly retryAfterSeconds: number };
export type UcpProfile = {
  readonly merchantId: string;
  readonly invoiceEndpoint: string;
  readonly displayName: string;
  readonly currencies: readonly string[];
};
export type VerifiedPayment = { readonly row: UcpInvoiceRow; readonly paymentHash: string };

/** Lightning invoices for UCP checkouts, and the verification of their payment. */
export type UcpService = {
  /** The invoice of a checkout: the same until it has expired unpaid. */
  invoice(request: UcpRequest): Promise<Result<UcpInvoice, UcpRefusal>>;
  verify(
    businessId: string,
    proof: { readonly preimage: string; readonly checkoutId: string },
    write: DurableWrite<VerifiedPayment>,
  ): Promise<Result<VerifiedPayment, VerifyRefusal>>;
  /** The business's UCP profile; undefined if it cannot be paid over Lightning. */
  profile(businessId: string): Promise<UcpProfile | undefined>;
};

/** UCP's name for satoshis. */
const sat = 'SAT';
/** The limit of unpaid invoices created without a key, so that they cannot fill the node. */
const maxOpenInvoices = 200;
const unavailable: ProviderUnavailable = { kind: 'provider_unavailable', retryAfterSeconds: 10 };

/** Other processes changed the checkout's invoices twice meanwhile: the caller may retry. */
function askAgainIfTaken(error: unknown) {
  if (error instanceof KeyTaken) return err(unavailable);
  throw error;
}

/** Keeps at most one payable invoice per checkout, and accepts at most one paid invoice per checkout as its payment. */
export function ucpService(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly rates: Rates;
  readonly businesses: Pick<BusinessService, 'find'>;
  readonly invoices: BitcoinInvoices;
  /** The public base URL, without a trailing slash. */
  readonly publicUrl: string;
  /** How long an amount is fixed. */
  readonly lifetimeMs: number;
}): UcpService {
  const { database, clock, ids, rates, businesses, invoices, publicUrl, lifetimeMs } = options;

  const currenciesOf = ({ currency }: Business) => [sat, currency];
  const isLightning = async (businessId: string, amountSats = 1) =>
    (await invoices.networks(businessId, amountSats)).includes('lightning');

  async function price({ currency, amountMinor }: UcpRequest) {
    if (currency === sat) return ok({ amountSats: amountMinor, rate: null });
    const rate = await rates.current(currency);
    if (!rate) return err(unavailable);
    const amountSats = satsOf({ amountMinor, currency }, rate.price) ?? Number.POSITIVE_INFINITY;
    return ok({ amountSats, rate: rate.price });
  }

  const openWithoutKey = async (tx: Transaction, businessId: string) =>
    Number((await tx.first(openUcpInvoicesWithoutKey, { businessId }))?.count ?? 0);

  /** @throws KeyTaken if another process has just created the checkout's next invoice or returned the last one */
  async function insert(
    request: UcpRequest,
    { name }: Business,
    priced: Pick<BitcoinInvoiceRow, 'amountSats' | 'rate'>,
    last: UcpInvoiceRow | undefined,
  ): Promise<UcpInvoiceRow | undefined> {
    const { businessId, checkoutId, currency, amountMinor, isByKey } = request;
    return database.write(async tx => {
      if (last && !(await invoices.endUnpaid(tx, last.invoiceId)))
        throw new KeyTaken('the last invoice can still be paid');
      if (isByKey === 0 && (await openWithoutKey(tx, businessId)) >= maxOpenInvoices) return undefined;
      const id = ids.next(idPrefixes.ucpInvoice);
      const createdAt = clock.now();
      const expiresAt = createdAt + lifetimeMs;
      const { id: invoiceId } = invoices.create(tx, {
        businessId,
        purpose: 'ucp',
        purposeId: id,
        memo: `${name.slice(0, 60)}: ${checkoutId.slice(0, 60)}`,
        ...priced,
        amountMinor,
        currency: currency === sat ? bitcoin : currency,
        expiresAt,
      });
      const { amountSats } = priced;
      const number = (last?.number ?? 0) + 1;
      const about = { id, invoiceId, number, amountSats, expiresAt, createdAt, settledAt: null, acceptedAt: null };
      const row: UcpInvoiceRow = { businessId, checkoutId, currency, amountMinor, isByKey, ...about };
      if ((await tx.run(insertUcpInvoice, row)) === 0) throw new KeyTaken('the checkout has an invoice already');
      return row;
    });
  }

  /** The invoice that still pays this checkout; undefined if a new one may be created. */
  async function invoiceToPay(
    last: UcpInvoiceRow,
    request: UcpRequest,
  ): Promise<Result<UcpInvoiceRow, UcpRefusal> | undefined> {
    let row = last;
    const isSame = row.currency === request.currency && row.amountMinor === request.amountMinor;
    if (row.settledAt === null && clock.now() >= row.expiresAt) {
      // A new invoice only once the node has cancelled this one: a checkout is paid once.
      await invoices.stop(row.invoiceId);
      row = (await database.first(ucpInvoiceById, { id: row.id })) ?? row;
      const found = await invoices.find(row.invoiceId);
      if (found?.invoice.lightning === 'open') return err(unavailable);
      if (found?.receipts.length === 0) return undefined;
    }
    return isSame ? ok(row) : err({ kind: 'amount_mismatch' });
  }

  async function make(
    request: UcpRequest,
    business: Business,
  ): Promise<Result<Pick<UcpInvoice, 'row' | 'isNew'>, UcpRefusal>> {
    const last = await database.first(lastUcpInvoice, request);
    const known = last && (await invoiceToPay(last, request));
    if (known) return known.ok ? ok({ row: known.value, isNew: false }) : known;
    const priced = await price(request);
    if (!priced.ok) return priced;
    if (!(await isLightning(business.id, priced.value.amountSats))) return err({ kind: 'amount_out_of_range' });
    const row = await insert(request, business, priced.value, last);
    return row ? ok({ row, isNew: true }) : err({ kind: 'rate_limited', retryAfterSeconds: 60 });
  }

  /** Never throws KeyTaken, because the checkout's rows are locked. */
  async function accept(tx: Transaction, row: UcpInvoiceRow): Promise<boolean> {
    const all = await tx.all(ucpInvoicesForUpdate, row);
    const accepted = all.find(one => one.acceptedAt !== null);
    if (accepted) return accepted.id === row.id;
    await tx.run(acceptUcpInvoice, { id: row.id, acceptedAt: clock.now() });
    return true;
  }

  /** Why an invoice without a proper settlement proves nothing. */
  async function whyNotSettled({ invoiceId }: UcpInvoiceRow, isAnswered: boolean): Promise<VerifyRefusal> {
    const found = await invoices.find(invoiceId);
    if (found && progressOf(found.invoice, found.receipts).confirmedSats > 0) return { kind: 'amount_mismatch' };
    if (!isAnswered) return unavailable;
    return { kind: found?.invoice.lightning === 'open' ? 'invoice_not_settled' : 'invoice_expired' };
  }

  return {
    async invoice(request) {
      const business = await businesses.find(request.businessId);
      if (!business) return err({ kind: 'merchant_not_found' });
      if (!(await isLightning(business.id))) return err({ kind: 'lightning_not_enabled' });
      if (!currenciesOf(business).includes(request.currency)) return err({ kind: 'unsupported_currency' });
      const made = await readingAgain(() => make(request, business)).catch(askAgainIfTaken);
      if (!made.ok) return made;
      const { row, isNew } = made.value;
      const before = await invoices.find(row.invoiceId);
      const opened = before?.invoice.bolt11 === null ? await invoices.open(row.invoiceId, 'lightning') : undefined;
      if (opened && !opened.ok) return err(unavailable);
      const invoice = opened?.value ?? before?.invoice;
      if (!invoice || invoice.bolt11 === null || invoice.paymentHash === null) return err(unavailable);
      return ok({ row, bolt11: invoice.bolt11, paymentHash: invoice.paymentHash, isNew });
    },

    async verify(businessId, { preimage, checkoutId }, write) {
      const paymentHash = hash('sha256', Buffer.from(preimage, 'hex'));
      const found = await database.first(ucpInvoiceByHash, { businessId, paymentHash });
      if (!found) return err({ kind: 'invoice_not_found' });
      if (found.checkoutId !== checkoutId) return err({ kind: 'binding_mismatch' });
      const isAnswered = found.settledAt !== null || (await invoices.refreshLightning(found.invoiceId));
      const row = await database.first(ucpInvoiceById, { id: found.id });
      if (!row || row.settledAt === null) return err(await whyNotSettled(found, isAnswered));
      const verified = { row, paymentHash };
      const accepted = await write.run(async tx => ((await accept(tx, row)) ? verified : undefined));
      return accepted ? ok(accepted) : err({ kind: 'binding_mismatch' });
    },

    async profile(businessId) {
      const business = await businesses.find(businessId);
      if (!business || !(await isLightning(businessId))) return undefined;
      return {
        merchantId: businessId,
        invoiceEndpoint: `${publicUrl}${ucpInvoicePath}`,
        displayName: business.name,
        currencies: currenciesOf(business),
      };
    },
  };
}
