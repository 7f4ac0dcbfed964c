import { hash } from 'node:crypto';
import { system } from '@florin/shared/actor.ts';
import { minorOfSats } from '@florin/shared/bitcoin.ts';
import type { PaymentLinkStatus } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { claimStatuses } from '@florin/shared/contracts/claims.ts';
import type { Clock, Instant } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { type InvoiceProgress, progressOf } from '../../bitcoin/invoices/progress.ts';
import type { BitcoinClaimRow, BitcoinInvoiceRow } from '../../bitcoin/invoices/rows.ts';
import type { InvoiceWithReceipts } from '../../bitcoin/invoices/service.ts';
import type { Database } from '../../foundation/database/database.ts';
import { writeByRequestId } from '../../foundation/idempotency/call.ts';
import type { BrowserDetails, CardFields, Gateways, Wallet } from '../../gateways/gateway.ts';
import type { NewPayment } from '../../money/payments/authorisation.ts';
import { confirmationOf, type PaymentConfirmation } from '../../money/payments/confirmation.ts';
import { isBitcoin, newestFirst, tookMoney } from '../../money/payments/payment.ts';
import type { PaymentRow } from '../../money/payments/rows.ts';
import type { PaymentService } from '../../money/payments/service.ts';
import { paymentsOfLink } from '../../money/payments/store.ts';
import { type CustomerStep, customerStepOf } from '../../money/payments/three-d-secure.ts';
import type { Business, BusinessService } from '../../people/businesses/service.ts';
import type { BitcoinRefusal, ClaimOnLink, LinkBitcoin, OpenPayment } from './bitcoin.ts';
import { linkStatusOf } from './link.ts';
import type { LinkPaymentRefusal } from './refusals.ts';
import type { PaymentLinkRow } from './rows.ts';
import { linkForCustomer, linkForUpdate } from './store.ts';

/** The progress of a link's payment, as its customer may see it. */
export type CustomerProgress =
  | { readonly kind: 'none' }
  /** Sent to the gateway, awaiting the reply. */
  | { readonly kind: 'sending' }
  /** The reply was lost: the gateway is polled for the outcome. */
  | { readonly kind: 'checking' }
  /** The customer has to complete their bank's check. */
  | ({ readonly kind: 'at_bank' } & CustomerStep)
  /** Another customer of this link is completing their bank's check. */
  | { readonly kind: 'at_bank_elsewhere'; readonly endsAt: Instant }
  | { readonly kind: 'declined'; readonly by: 'bank' | 'bank_check' | 'bank_check_incomplete' }
  /** No money was taken: the gateway was not reached. */
  | { readonly kind: 'failed' }
  /** The business voided it. */
  | { readonly kind: 'voided' }
  | { readonly kind: 'paid' }
  /** The amount is requested in bitcoin; meanwhile nothing else can pay the link. */
  | ({ readonly kind: 'bitcoin' } & BitcoinRequest);

export type BitcoinRequest = Pick<BitcoinInvoiceRow, 'bolt11' | 'address' | 'amountSats' | 'rate' | 'expiresAt'> &
  Pick<InvoiceProgress, 'confirmedSats' | 'seenSats' | 'isOver'>;

/** The claim whose return is least advanced. */
export type CustomerClaim = Pick<BitcoinClaimRow, 'status' | 'amountSats'> & {
  /** At the price of its invoice. */
  readonly worthMinor: number;
};

/** A link as customers see it. */
export type CustomerLink = {
  readonly id: string;
  readonly business: Pick<Business, 'id' | 'name' | 'accentColour' | 'locale' | 'timeZone'>;
  readonly description: string;
  readonly amountMinor: number;
  readonly paidMinor: number;
  readonly currency: string;
  readonly status: PaymentLinkStatus;
  readonly expiresAt: Instant;
  readonly successUrl: string | null;
  readonly externalReference: string | null;
  /** The payments that pay the link, oldest first. */
  readonly payments: readonly PaymentConfirmation[];
  readonly progress: CustomerProgress;
  /** Whether the business has a bitcoin node. */
  readonly takesBitcoin: boolean;
  /** Bitcoin that does not pay the link and is to be returned. */
  readonly claim: CustomerClaim | undefined;
  /** Undefined if the business takes no cards online. */
  readonly cardFields: CardFields | undefined;
  readonly now: Instant;
  /** Changes with the content of the page. */
  readonly state: string;
};

export type CustomerPayment = {
  readonly linkId: string;
  readonly attempt: string;
  readonly method: 'card' | Wallet;
  readonly paymentToken: string;
  /** The amount shown to the customer. */
  readonly amountMinor: number;
  readonly browser: BrowserDetails;
};

export type CustomerRefusal =
  | Exclude<LinkPaymentRefusal, { kind: 'payment_link_deleted' | 'amount_exceeds_balance' | 'part_payment_refused' }>
  | { readonly kind: 'part_payment_unavailable' }
  | { readonly kind: 'method_not_offered' };

/** Customers' operations on links, authorised by the link's id. `attempt` identifies the payment that a page shows. */
export type CustomerLinks = {
  /** Undefined if it does not exist or was deleted. */
  view(linkId: string, attempt?: string): Promise<CustomerLink | undefined>;
  /** Pays the whole amount, once per attempt. */
  pay(payment: CustomerPayment): Promise<Result<CustomerLink, CustomerRefusal>>;
  /** Continues with the result of this step of the bank's check. */
  continueAtBank(request: {
    linkId: string;
    attempt: string;
    step: CustomerStep['step'];
    response: Readonly<Record<string, string>>;
  }): Promise<CustomerLink | undefined>;
  /** Requests the amount in bitcoin. */
  payInBitcoin(linkId: string): Promise<Result<undefined, CustomerRefusal | BitcoinRefusal>>;
  /** Ends the bitcoin request, to pay another way. */
  leaveBitcoin(linkId: string): Promise<Result<undefined, CustomerRefusal>>;
  /** Records a return destination for bitcoin that did not pay the link. */
  claim(linkId: string, destination: string): ReturnType<LinkBitcoin['claim']>;
  /** The normalised return destination, or why it is invalid. */
  destinationOf(linkId: string, given: string): ReturnType<LinkBitcoin['destinationOf']>;
  /** Abandons this payment if it waits for the bank's check, so that the link can be paid again. */
  abandon(linkId: string, attempt: string): Promise<CustomerLink | undefined>;
};

export type CustomerLinkOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly businesses: Pick<BusinessService, 'find'>;
  readonly gateways: Gateways;
  readonly takesBitcoin: (businessId: string) => Promise<boolean>;
  readonly payments: Pick<PaymentService, 'authoriseOnline' | 'continueOnline' | 'abandonOnline'>;
};

/**
 * The payment page's operations. A customer always pays the whole amount of a link: partial payments are for the API.
 */
export function customerLinks({
  open,
  bitcoin,
  ...options
}: CustomerLinkOptions & { readonly open: OpenPayment; readonly bitcoin: LinkBitcoin }): CustomerLinks {
  const { database, clock, businesses, gateways, payments } = options;

  /** As the gateway and the business's own choice allow. */
  async function cardFieldsOf(businessId: string): Promise<CardFields | undefined> {
    const business = await businesses.find(businessId);
    const accountId = business?.takesCards ? await gateways.accountForNewPayments(businessId) : undefined;
    const fields = accountId === undefined ? undefined : (await gateways.ofAccount(accountId)).cardFields;
    return fields && (business?.takesWallets ? fields : { ...fields, wallets: [] });
  }

  async function paymentsOf({ businessId, id }: PaymentLinkRow): Promise<PaymentRow[]> {
    return newestFirst(await database.all(paymentsOfLink, { businessId, paymentLinkId: id }));
  }

  async function view(linkId: string, attempt?: string): Promise<CustomerLink | undefined> {
    const link = await database.first(linkForCustomer, { id: linkId });
    if (!link) return undefined;
    const { id, businessId, description, amountMinor, amountPaidMinor, currency, expiresAt, successUrl } = link;
    const [business, cardFields, takesBitcoin, made, asked, claims, inBitcoin] = await Promise.all([
      businesses.find(businessId),
      cardFieldsOf(businessId),
      options.takesBitcoin(businessId),
      paymentsOf(link),
      bitcoin.current(id),
      bitcoin.claimsOf(id),
      bitcoin.paying(id),
    ]);
    if (!business) return undefined;
    const now = clock.now();
    const status = linkStatusOf(link, now);
    const progress = asked ? bitcoinRequestOf(asked) : customerProgressOf(made, attempt);
    const claim = leastAdvanced(claims);
    const byCard = made.filter(payment => tookMoney(payment) && !isBitcoin(payment.method));
    const payments = [...byCard, ...inBitcoin]
      .toSorted((a, b) => a.createdAt - b.createdAt)
      .map(payment => confirmationOf(payment, { showsCard: isOf(attempt)(payment) }));
    const facts = [status, amountPaidMinor, claim, progress.kind, stepOf(progress), payments];
    return {
      id,
      business,
      description,
      amountMinor,
      paidMinor: amountPaidMinor,
      currency,
      expiresAt,
      successUrl,
      status,
      externalReference: link.externalReference,
      payments,
      progress,
      cardFields,
      takesBitcoin,
      claim,
      now,
      state: hash('sha256', JSON.stringify(facts)).slice(0, 16),
    };
  }

  async function shown(linkId: string, attempt?: string): Promise<Result<CustomerLink, CustomerRefusal>> {
    const link = await view(linkId, attempt);
    return link ? ok(link) : err({ kind: 'payment_link_not_found' });
  }

  return {
    view,

    async pay({ linkId, attempt, method, paymentToken, amountMinor, browser }) {
      const link = await database.first(linkForCustomer, { id: linkId });
      if (!link) return err({ kind: 'payment_link_not_found' });
      const { businessId } = link;
      const fields = await cardFieldsOf(businessId);
      if (!fields || (method !== 'card' && !fields.wallets.includes(method)))
        return err({ kind: 'method_not_offered' });
      const paid = await payments.authoriseOnline({
        businessId,
        by: system,
        open: async (tx): Promise<Result<NewPayment, LinkPaymentRefusal | CustomerRefusal>> => {
          const allowed = await open(tx, { businessId, linkId, amountMinor: null });
          if (!allowed.ok) return allowed;
          // Refused for a link paid in part, or if the amount is not the one shown.
          const isWhole = allowed.value.amountMinor === link.amountMinor && amountMinor === link.amountMinor;
          return isWhole ? ok({ ...allowed.value, method }) : err({ kind: 'part_payment_unavailable' });
        },
        card: { paymentToken },
        browser,
        // An attempt acts like an Idempotency-Key: a repeat returns the existing payment.
        write: writeByRequestId(database, requestIdOf(attempt), tx =>
          tx.first(linkForUpdate, { businessId: link.businessId, id: link.id }),
        ),
      });
      return paid.ok ? shown(linkId, attempt) : err(customerRefusalOf(paid.refusal));
    },

    async continueAtBank({ linkId, attempt, step, response }) {
      const link = await database.first(linkForCustomer, { id: linkId });
      const mine = link && (await paymentsOf(link)).find(isOf(attempt));
      if (mine) {
        const { businessId, id: paymentId } = mine;
        await payments.continueOnline({ businessId, paymentId, step, response });
      }
      return view(linkId, attempt);
    },

    async payInBitcoin(linkId) {
      const link = await database.first(linkForCustomer, { id: linkId });
      const business = link && (await businesses.find(link.businessId));
      if (!link || !business) return err({ kind: 'payment_link_not_found' });
      const started = await bitcoin.start(link, business.name);
      return started.ok ? ok(undefined) : err(customerRefusalOf(started.refusal));
    },

    async leaveBitcoin(linkId) {
      const link = await database.first(linkForCustomer, { id: linkId });
      return link ? bitcoin.stop(link) : err({ kind: 'payment_link_not_found' });
    },

    destinationOf: (linkId, given) => bitcoin.destinationOf(linkId, given),

    async claim(linkId, destination) {
      const link = await database.first(linkForCustomer, { id: linkId });
      return link ? bitcoin.claim(link.id, destination) : err({ kind: 'nothing_to_claim' });
    },

    async abandon(linkId, attempt) {
      const link = await database.first(linkForCustomer, { id: linkId });
      const mine = link && (await paymentsOf(link)).find(isOf(attempt));
      if (mine) await payments.abandonOnline({ businessId: mine.businessId, paymentId: mine.id });
      return view(linkId, attempt);
    },
  };
}

const requestIdOf = (attempt: string) => `page:${attempt}`;

function isOf(attempt: string | undefined) {
  return ({ clientRequestId }: PaymentRow) => attempt !== undefined && clientRequestId === requestIdOf(attempt);
}

function bitcoinRequestOf({ invoice, receipts }: InvoiceWithReceipts): CustomerProgress {
  const { bolt11, address, amountSats, expiresAt, rate } = invoice;
  const { confirmedSats, seenSats, isOver } = progressOf(invoice, receipts);
  return { kind: 'bitcoin', bolt11, address, amountSats, rate, expiresAt, confirmedSats, seenSats, isOver };
}

function leastAdvanced(claims: readonly ClaimOnLink[]): CustomerClaim | undefined {
  const status = claimStatuses.find(each => claims.some(({ claim }) => claim.status === each));
  if (status === undefined) return undefined;
  const such = claims.filter(({ claim }) => claim.status === status);
  const worthOf = ({ claim, invoice }: ClaimOnLink) =>
    minorOfSats({ sats: claim.amountSats, wholeSats: invoice.amountSats, wholeMinor: invoice.amountMinor });
  return {
    status,
    amountSats: such.reduce((sum, { claim }) => sum + claim.amountSats, 0),
    worthMinor: such.reduce((sum, one) => sum + worthOf(one), 0),
  };
}

/** The step that the page shows. */
function stepOf(progress: CustomerProgress): unknown {
  if (progress.kind === 'at_bank') return progress.step;
  if (progress.kind !== 'bitcoin') return undefined;
  return [progress.bolt11, progress.address, progress.seenSats, progress.confirmedSats];
}

function customerProgressOf(made: readonly PaymentRow[], attempt: string | undefined): CustomerProgress {
  const pending = made.find(({ status }) => status === 'pending');
  const mine = made.find(isOf(attempt));
  if (pending) {
    const step = customerStepOf(pending);
    if (step)
      return pending === mine
        ? { kind: 'at_bank', ...step }
        : { kind: 'at_bank_elsewhere', endsAt: pending.nextPollAt ?? pending.createdAt };
    return { kind: pending.polledAt === null ? 'sending' : 'checking' };
  }
  if (!mine) return { kind: 'none' };
  if (tookMoney(mine)) return { kind: 'paid' };
  if (mine.status === 'cancelled') return { kind: 'voided' };
  switch (mine.threeDSecureFailure) {
    case 'declined':
      return { kind: 'declined', by: 'bank_check' };
    case 'incomplete':
      return { kind: 'declined', by: 'bank_check_incomplete' };
    case null:
      return mine.status === 'failed' ? { kind: 'failed' } : { kind: 'declined', by: 'bank' };
  }
}

function customerRefusalOf<Other extends CustomerRefusal | BitcoinRefusal>(
  refusal: LinkPaymentRefusal | Other,
): CustomerRefusal | Other {
  if (refusal.kind === 'payment_link_deleted') return { kind: 'payment_link_not_found' };
  // The balance is not the one shown to this customer.
  if (refusal.kind === 'amount_exceeds_balance' || refusal.kind === 'part_payment_refused')
    return { kind: 'part_payment_unavailable' };
  return refusal;
}
