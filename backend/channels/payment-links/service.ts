import type { Actor } from '@florin/shared/actor.ts';
import { type Ids, idPrefixes } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { payingReceipts, progressOf } from '../../bitcoin/invoices/progress.ts';
import type { OnInvoiceChanged } from '../../bitcoin/invoices/receipts.ts';
import { receiptsOfInvoices } from '../../bitcoin/invoices/store.ts';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import { type DurableWrite, unkeyedWrite } from '../../foundation/idempotency/call.ts';
import type { Gateways } from '../../gateways/gateway.ts';
import type { NewPayment } from '../../money/payments/authorisation.ts';
import { newestFirst, takenMinor } from '../../money/payments/payment.ts';
import type { PaymentRow } from '../../money/payments/rows.ts';
import type { PaymentService } from '../../money/payments/service.ts';
import { paymentsOfLink, paymentsOfLinks } from '../../money/payments/store.ts';
import type { BusinessService } from '../../people/businesses/service.ts';
import { type LinkBitcoinOptions, linkBitcoin } from './bitcoin.ts';
import { type CustomerLinks, customerLinks } from './customer.ts';
import { type BitcoinOnLink, linkStatusOf, noBitcoin } from './link.ts';
import type { LinkCreationRefusal, LinkPaymentRefusal, LinkRemovalRefusal, Undecided } from './refusals.ts';
import type { PaymentLinkRow } from './rows.ts';
import {
  addPaid,
  bitcoinOfLinks,
  deleteLink,
  insertLink,
  type LinkList,
  linkById,
  linkForUpdate,
  linksOfBusiness,
  openLinkInvoice,
  type PendingOfLink,
  pendingOfLink,
  reopenLink,
  subtractPaid,
} from './store.ts';

export type NewLink = Pick<
  PaymentLinkRow,
  'businessId' | 'description' | 'amountMinor' | 'currency' | 'minimumAmountMinor' | 'externalReference' | 'successUrl'
> & {
  readonly allowPartPayment: boolean;
  /** Default: one week from now. */
  readonly expiresAt: number | null;
};

export type LinkWithPayments = {
  readonly link: PaymentLinkRow;
  readonly payments: readonly PaymentRow[];
  readonly bitcoin: BitcoinOnLink;
};

/** Payment links with their payments and refunds. Specification: Payment link. */
export type PaymentLinkService = {
  create(link: NewLink, write?: DurableWrite<PaymentLinkRow>): Promise<Result<PaymentLinkRow, LinkCreationRefusal>>;
  byId(businessId: string, id: string): Promise<LinkWithPayments | undefined>;
  /** Newest first, before the id `before`. */
  list(options: LinkList): Promise<LinkWithPayments[]>;
  remove(businessId: string, id: string): Promise<Result<LinkWithPayments, LinkRemovalRefusal>>;
  payment(businessId: string, paymentId: string): Promise<PaymentRow | undefined>;
  /** Takes a card payment by a token of the gateway's hosted card fields; default amount: the whole balance. */
  pay(request: {
    businessId: string;
    linkId: string;
    amountMinor: number | null;
    paymentToken: string;
    by: Actor;
    write: DurableWrite<PaymentRow>;
  }): Promise<Result<PaymentRow, LinkPaymentRefusal>>;
  /** Counts a payment towards its link, in the transaction that approves it. */
  addPayment(tx: Transaction, payment: PaymentRow): Promise<void>;
  /**
   * Subtracts a counted payment that was voided or whose settlement was rejected. Only the latter reopens a paid link.
   */
  subtractPayment(tx: Transaction, payment: PaymentRow): Promise<void>;
  /** Handles bitcoin received on an invoice of a link. */
  readonly onInvoiceChanged: OnInvoiceChanged;
  /** Customers' operations on links. */
  readonly customers: CustomerLinks;
};

const linkLifetimeMs = 7 * 24 * 3_600_000;

export type PaymentLinkOptions = LinkBitcoinOptions & {
  readonly ids: Ids;
  readonly payments: Pick<PaymentService, 'authoriseOnline' | 'continueOnline' | 'abandonOnline' | 'byId'>;
  readonly businesses: Pick<BusinessService, 'find'>;
  readonly gateways: Gateways;
  /** Whether the business has a bitcoin node. */
  readonly takesBitcoin: (businessId: string) => Promise<boolean>;
};

/** Payment links and the decision, under the link's lock, whether a payment may be taken. */
export function paymentLinkService(options: PaymentLinkOptions): PaymentLinkService {
  const { database, clock, ids, payments } = options;

  async function withPayments(link: PaymentLinkRow): Promise<LinkWithPayments> {
    const { businessId, id } = link;
    const [payments, bitcoins] = await Promise.all([
      database.all(paymentsOfLink, { businessId, paymentLinkId: id }),
      bitcoinOnLinks(database, [id]),
    ]);
    return { link, payments: newestFirst(payments), bitcoin: bitcoins.get(id) ?? noBitcoin };
  }

  /** Specification: requirements for creating a link. */
  async function creationRefusal(businessId: string): Promise<LinkCreationRefusal | undefined> {
    const business = await options.businesses.find(businessId);
    if (!business?.paymentLinksEnabled) return { kind: 'payment_links_disabled' };
    const takesCards = business.takesCards && (await options.gateways.accountForNewPayments(businessId)) !== undefined;
    return takesCards || (await options.takesBitcoin(businessId)) ? undefined : { kind: 'no_payment_method' };
  }

  /** Decides under the link's lock; amounts of pending payments are not available. */
  async function open(
    tx: Transaction,
    request: { businessId: string; linkId: string; amountMinor: number | null },
  ): Promise<Result<NewPayment, LinkPaymentRefusal>> {
    const { businessId, linkId } = request;
    const link = await tx.first(linkForUpdate, { businessId, id: linkId });
    if (!link) return err({ kind: 'payment_link_not_found' });
    if (link.deletedAt !== null) return err({ kind: 'payment_link_deleted' });
    const status = linkStatusOf(link, clock.now());
    if (status === 'EXPIRED') return err({ kind: 'payment_link_expired' });
    if (status === 'PAID') return err({ kind: 'payment_link_paid' });
    if (await tx.first(openLinkInvoice, { paymentLinkId: linkId })) return err({ kind: 'payment_in_progress' });
    const pending = await tx.first(pendingOfLink, { paymentLinkId: linkId });
    const unpaidMinor = link.amountMinor - link.amountPaidMinor;
    const balanceMinor = unpaidMinor - (pending?.totalMinor ?? 0);
    const amountMinor = request.amountMinor ?? balanceMinor;
    const undecided = undecidedOf(pending);
    if (undecided && (amountMinor > balanceMinor || amountMinor === 0) && amountMinor <= unpaidMinor)
      return err(undecided);
    if (amountMinor > balanceMinor || amountMinor === 0) return err({ kind: 'amount_exceeds_balance', balanceMinor });
    if (amountMinor < balanceMinor) {
      const minimumMinor = link.allowPartPayment === 1 ? (link.minimumAmountMinor ?? 1) : balanceMinor;
      if (amountMinor < minimumMinor) return err({ kind: 'part_payment_refused', minimumMinor });
    }
    return ok({ businessId, paymentLinkId: linkId, amountMinor, currency: link.currency });
  }

  const bitcoin = linkBitcoin({ ...options, open });

  /** The business's own operations take precedence over an unpaid bitcoin request, which any customer can start. */
  async function closeIdleBitcoin(key: { businessId: string; id: string }): Promise<void> {
    if (await database.first(linkById, key)) await bitcoin.closeAtNode(key);
  }

  return {
    customers: customerLinks({ ...options, open, bitcoin }),
    onInvoiceChanged: bitcoin.onInvoiceChanged,

    async create({ allowPartPayment, expiresAt, ...given }, write = unkeyedWrite(database)) {
      const refusal = await creationRefusal(given.businessId);
      if (refusal) return err(refusal);
      const now = clock.now();
      const link: PaymentLinkRow = {
        ...given,
        id: ids.next(idPrefixes.paymentLink),
        allowPartPayment: allowPartPayment ? 1 : 0,
        amountPaidMinor: 0,
        paidAt: null,
        expiresAt: expiresAt ?? now + linkLifetimeMs,
        createdAt: now,
        deletedAt: null,
      };
      return ok(
        await write.run(async tx => {
          await tx.run(insertLink, link);
          return link;
        }),
      );
    },

    async byId(businessId, id) {
      const link = await database.first(linkById, { businessId, id });
      return link && withPayments(link);
    },

    async list(list) {
      const links = await database.all(linksOfBusiness, { ...list, now: clock.now() });
      const { businessId } = list;
      const ids = links.map(({ id }) => id);
      const linkIdsJson = JSON.stringify(ids);
      const bitcoins = await bitcoinOnLinks(database, ids);
      const payments = Map.groupBy(
        await database.all(paymentsOfLinks, { businessId, linkIdsJson }),
        ({ paymentLinkId }) => paymentLinkId,
      );
      return links.map(link => ({
        link,
        payments: newestFirst(payments.get(link.id) ?? []),
        bitcoin: bitcoins.get(link.id) ?? noBitcoin,
      }));
    },

    async remove(businessId, id) {
      await closeIdleBitcoin({ businessId, id });
      const removed = await database.write(async (tx): Promise<Result<PaymentLinkRow, LinkRemovalRefusal>> => {
        const inBitcoin = await bitcoin.release(tx, { businessId, id });
        if (inBitcoin) return err(inBitcoin);
        const link = await tx.first(linkForUpdate, { businessId, id });
        if (!link) return err({ kind: 'payment_link_not_found' });
        if (link.paidAt !== null) return err({ kind: 'payment_link_paid' });
        const undecided = undecidedOf(await tx.first(pendingOfLink, { paymentLinkId: id }));
        if (undecided) return err(undecided);
        return ok((await tx.first(deleteLink, { id, deletedAt: clock.now() })) ?? link);
      });
      return removed.ok ? ok(await withPayments(removed.value)) : removed;
    },

    payment: (businessId, paymentId) => payments.byId(businessId, paymentId),

    async pay({ businessId, linkId, amountMinor, paymentToken, by, write }) {
      const key = { businessId, id: linkId };
      if ((await options.gateways.accountForNewPayments(businessId)) !== undefined) await closeIdleBitcoin(key);
      return payments.authoriseOnline({
        businessId,
        by,
        open: async tx => {
          const inBitcoin = await bitcoin.release(tx, key);
          return inBitcoin ? err(inBitcoin) : open(tx, { businessId, linkId, amountMinor });
        },
        card: { paymentToken },
        write,
      });
    },

    async subtractPayment(tx, payment) {
      const { paymentLinkId } = payment;
      if (paymentLinkId === null) return;
      await tx.run(subtractPaid, { id: paymentLinkId, amountMinor: takenMinor(payment) });
      // A void is the merchant's decision and leaves a paid link closed, as a refund does; rejected money never
      // arrived.
      if (payment.status === 'settlement_rejected') await tx.run(reopenLink, { id: paymentLinkId });
    },

    async addPayment(tx, payment) {
      const { paymentLinkId } = payment;
      const now = clock.now();
      if (paymentLinkId !== null) await tx.run(addPaid, { id: paymentLinkId, amountMinor: takenMinor(payment), now });
    },
  };
}

function undecidedOf(pending: PendingOfLink | undefined): Undecided | undefined {
  if (!pending || pending.totalMinor === 0) return undefined;
  return { kind: pending.polledAt === null ? 'payment_in_progress' : 'payment_outcome_unknown' };
}

async function bitcoinOnLinks(
  database: Database,
  linkIds: readonly string[],
): Promise<ReadonlyMap<string, BitcoinOnLink>> {
  const asked = await database.all(bitcoinOfLinks, { linkIdsJson: JSON.stringify(linkIds) });
  const invoiceIdsJson = JSON.stringify(asked.filter(({ status }) => status !== 'ended').map(one => one.invoiceId));
  const receipts = asked.length === 0 ? [] : await database.all(receiptsOfInvoices, { invoiceIdsJson });
  return new Map(
    [...Map.groupBy(asked, ({ paymentLinkId }) => paymentLinkId)].map(([linkId, ofLink]): [string, BitcoinOnLink] => {
      const dueSats = ofLink.reduce((sats, one) => sats + (one.claimedSats ?? 0) - (one.returnedSats ?? 0), 0);
      const receiptsOf = (id: string) => receipts.filter(({ invoiceId }) => invoiceId === id);
      const paid = ofLink.filter(({ status }) => status === 'paid');
      const paidBy = paid.map(({ invoiceId, amountSats, amountMinor }) => ({
        amountMinor,
        paymentIds: payingReceipts(amountSats, receiptsOf(invoiceId)).flatMap(({ paymentId }) => paymentId ?? []),
      }));
      const current = ofLink.find(({ status }) => status === 'open');
      if (!current) return [linkId, { dueSats, request: null, paidBy }];
      const { invoiceId, invoiceStatus: status, amountSats, expiresAt } = current;
      const { confirmedSats, seenSats } = progressOf({ status, amountSats }, receiptsOf(invoiceId));
      return [linkId, { dueSats, request: { amountSats, confirmedSats, seenSats, expiresAt }, paidBy }];
    }),
  );
}
