import { timingSafeEqual } from 'node:crypto';
import { type Actor, actorColumns } from '@florin/shared/actor.ts';
import { bitcoin, satsOf } from '@florin/shared/bitcoin.ts';
import { customerUrlProblem } from '@florin/shared/contracts/customer-url.ts';
import { type Clock, type Ids, idPrefixes, type Random } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { BitcoinClaims, ClaimRequestRefusal } from '../../bitcoin/invoices/claims.ts';
import { progressOf } from '../../bitcoin/invoices/progress.ts';
import type { BitcoinInvoices } from '../../bitcoin/invoices/service.ts';
import { invoiceForUpdate, receiptsOfInvoice } from '../../bitcoin/invoices/store.ts';
import type { Rates } from '../../bitcoin/rates/service.ts';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import type { DurableWrite } from '../../foundation/idempotency/call.ts';
import type { Outbound } from '../../foundation/outbound/outbound.ts';
import { newSecret, secretHash } from '../../foundation/secret.ts';
import type { Business, BusinessService } from '../../people/businesses/service.ts';
import type { CheckoutChanges } from './changes.ts';
import { nothingPaid } from './checkout.ts';
import type { CheckoutRow } from './rows.ts';
import type { HostedCheckoutSettings } from './settings.ts';
import {
  type CheckoutList,
  checkoutById,
  checkoutForUpdate,
  checkoutsOfBusiness,
  insertCheckout,
  openCheckoutsWithoutKey,
} from './store.ts';

export type NewCheckout = Pick<
  CheckoutRow,
  'businessId' | 'amountMinor' | 'currency' | 'orderId' | 'externalReference' | 'successUrl' | 'webhookUrl'
> & {
  /** `system` if no key was used. */
  readonly by: Actor;
};

export type CheckoutRefusal =
  | { readonly kind: 'business_not_found' }
  | { readonly kind: 'bitcoin_not_available' }
  | { readonly kind: 'rate_unavailable'; readonly retryAfterSeconds: number }
  | { readonly kind: 'amount_out_of_range' }
  | { readonly kind: 'too_many_open_checkouts'; readonly limit: number; readonly retryAfterSeconds: number }
  | UrlRefused;
export type UrlRefused = {
  readonly kind: 'url_refused';
  readonly field: 'successUrl' | 'webhookUrl';
  readonly problem: string;
};

/** Checkouts on a hosted page, paid in bitcoin. Specification: Hosted checkout. */
export type CheckoutService = {
  create(
    checkout: NewCheckout,
    write: DurableWrite<CheckoutRow>,
  ): Promise<Result<{ readonly checkout: CheckoutRow; readonly cancelToken: string }, CheckoutRefusal>>;
  find(id: string): Promise<CheckoutRow | undefined>;
  list(list: CheckoutList): Promise<CheckoutRow[]>;
  /** Whether this token cancels it. */
  isCancelToken(checkout: CheckoutRow, token: string): boolean;
  /** Cancels it unless it is paid or being paid, and returns it. Idempotent. */
  cancel(checkout: CheckoutRow, by: Actor, write: DurableWrite<CheckoutRow>): Promise<CheckoutRow>;
  /** The normalised return destination, or why it is invalid. */
  destinationOf(checkout: CheckoutRow, given: string): ReturnType<BitcoinClaims['destinationOf']>;
  /** Records the customer's return destination; refused if nothing is to be returned or too many differ. */
  claim(
    checkout: CheckoutRow,
    destination: string,
    write: DurableWrite<CheckoutRow>,
  ): Promise<Result<CheckoutRow, ClaimRequestRefusal>>;
};

/**
 * Creates, cancels and lists checkouts. Callers without an API key are limited to a number of open checkouts per
 * business.
 */
export function checkoutService(options: {
  database: Database;
  clock: Clock;
  ids: Ids;
  random: Random;
  rates: Rates;
  businesses: Pick<BusinessService, 'find'>;
  invoices: BitcoinInvoices;
  changes: CheckoutChanges;
  outbound: Pick<Outbound, 'problemWith'>;
  allowLoopback: boolean;
  settings: HostedCheckoutSettings;
}): CheckoutService {
  const { database, clock, ids, random, rates, businesses, invoices, changes, outbound, settings } = options;

  async function urlRefused({ successUrl, webhookUrl }: NewCheckout): Promise<UrlRefused | undefined> {
    const success = successUrl === null ? undefined : customerUrlProblem(successUrl, options);
    if (success !== undefined) return { kind: 'url_refused', field: 'successUrl', problem: success };
    const webhook = webhookUrl === null ? undefined : await outbound.problemWith(webhookUrl);
    return webhook === undefined ? undefined : { kind: 'url_refused', field: 'webhookUrl', problem: webhook };
  }

  /** Converts the price to satoshis; the rate is fixed from then on. */
  async function price({ amountMinor, currency }: NewCheckout) {
    if (currency === bitcoin) return ok({ amountSats: amountMinor, rate: null });
    const rate = await rates.current(currency);
    if (!rate) return err({ kind: 'rate_unavailable', retryAfterSeconds: 10 } as const);
    return ok({
      amountSats: satsOf({ amountMinor, currency }, rate.price) ?? Number.POSITIVE_INFINITY,
      rate: rate.price,
    });
  }

  function rowsOf(
    tx: Transaction,
    input: NewCheckout,
    business: Business,
    priced: Pick<CheckoutRow, 'amountSats' | 'rate'>,
  ) {
    const { by, ...given } = input;
    const { businessId, amountMinor, currency } = given;
    const id = ids.next(idPrefixes.checkout);
    const cancelToken = newSecret('cancel_', random);
    const createdAt = clock.now();
    const expiresAt = createdAt + settings.lifetimeMs;
    const memo = `${business.name.slice(0, 60)}: ${given.orderId.slice(0, 60)}`;
    const asked = {
      businessId,
      purpose: 'checkout',
      purposeId: id,
      memo,
      amountMinor,
      currency,
      expiresAt,
      ...priced,
    } as const;
    const invoice = invoices.create(tx, asked);
    const { actorKind, actorId } = actorColumns(by);
    const checkout: CheckoutRow = {
      ...given,
      ...priced,
      id,
      invoiceId: invoice.id,
      status: 'PENDING',
      sequence: 1,
      cancelTokenHash: secretHash(cancelToken),
      paidJson: JSON.stringify(nothingPaid),
      network: null,
      actorKind,
      actorId,
      expiresAt,
      createdAt,
      endedAt: null,
    };
    return { checkout, cancelToken };
  }

  async function isFull(tx: Transaction, { businessId, by }: NewCheckout): Promise<boolean> {
    if (by.kind !== 'system') return false;
    const open = await tx.first(openCheckoutsWithoutKey, { businessId });
    return (open?.count ?? 0) >= settings.maxOpenWithoutKey;
  }

  return {
    async create(input, write) {
      const refused = await urlRefused(input);
      if (refused) return err(refused);
      const business = await businesses.find(input.businessId);
      if (!business) return err({ kind: 'business_not_found' });
      const priced = await price(input);
      if (!priced.ok) return err(priced.refusal);
      if ((await invoices.networks(business.id, priced.value.amountSats)).length === 0)
        return err({ kind: await invoices.whyNone(business.id) });
      let token = '';
      const checkout = await write.run(async tx => {
        if (await isFull(tx, input)) return undefined;
        const made = rowsOf(tx, input, business, priced.value);
        await tx.run(insertCheckout, made.checkout);
        token = made.cancelToken;
        return made.checkout;
      });
      if (!checkout)
        return err({ kind: 'too_many_open_checkouts', limit: settings.maxOpenWithoutKey, retryAfterSeconds: 60 });
      return ok({ checkout, cancelToken: token });
    },

    list: list => database.all(checkoutsOfBusiness, list),

    find: id => database.first(checkoutById, { id }),

    isCancelToken: ({ cancelTokenHash }, token) =>
      timingSafeEqual(Buffer.from(secretHash(token)), Buffer.from(cancelTokenHash)),

    async cancel({ id, invoiceId }, by, write) {
      // The node is polled and the Lightning invoice cancelled first, so that a payment in progress is recorded.
      await invoices.stop(invoiceId);
      return write.run(async tx => {
        const before = await tx.first(invoiceForUpdate, { id: invoiceId });
        const checkout = await tx.first(checkoutForUpdate, { id });
        if (!before || !checkout) throw new Error(`checkout ${id} is missing`);
        if (checkout.status !== 'PENDING') return checkout;
        await invoices.end(tx, invoiceId);
        const invoice = { ...before, status: 'ended' } as const;
        const receipts = await tx.all(receiptsOfInvoice, { invoiceId });
        return changes.cancel(tx, checkout, { invoice, receipts, progress: progressOf(invoice, receipts) }, by);
      });
    },

    destinationOf: ({ invoiceId }, given) => invoices.claims.destinationOf([invoiceId], given),

    claim: ({ id, invoiceId }, destination, write) =>
      database.write(async (tx): Promise<Result<CheckoutRow, ClaimRequestRefusal>> => {
        await write.begin(tx);
        const requested = await invoices.claims.request(tx, [invoiceId], destination);
        if (!requested.ok) return requested;
        const before = await tx.first(checkoutForUpdate, { id });
        const [claim] = requested.value;
        if (!before || !claim) throw new Error(`checkout ${id} is missing`);
        const checkout = await changes.claimed(tx, before, claim);
        await write.finish(tx, checkout);
        return ok(checkout);
      }),
  };
}
