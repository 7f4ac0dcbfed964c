import type { Actor } from '@florin/shared/actor.ts';
import { bitcoin } from '@florin/shared/bitcoin.ts';
import { type Clock, type Ids, idPrefixes } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { OnInvoiceChanged } from '../../bitcoin/invoices/receipts.ts';
import type { BitcoinInvoices } from '../../bitcoin/invoices/service.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { DurableWrite } from '../../foundation/idempotency/call.ts';
import type { ChangeLog } from '../../people/businesses/change-log.ts';
import type { Business, BusinessService } from '../../people/businesses/service.ts';
import { lnurlOf, metadataOf, satsAsked } from './lnurl.ts';
import type { TipLinkRow } from './rows.ts';
import {
  deleteTipLink,
  insertTipLink,
  openTips,
  receivedAt,
  setReceived,
  tipByHash,
  tipLinkById,
  tipLinkByName,
  tipLinkForUpdate,
  tipLinkPage,
} from './store.ts';

/** A tip link with its addresses. */
export type TipLink = {
  readonly row: TipLinkRow;
  readonly url: string;
  readonly lnurl: string;
  readonly lightningAddress: string;
};
export type NewTipLink = Pick<TipLinkRow, 'name' | 'lightningName' | 'minimumSats' | 'maximumSats'>;
export type NewTipLinkRefusal = { readonly kind: 'bitcoin_not_available' } | { readonly kind: 'name_taken' };
export type PayRequest = {
  readonly callback: string;
  readonly minimumSats: number;
  readonly maximumSats: number;
  readonly metadata: string;
};
export type TipInvoice = { readonly bolt11: string; readonly verifyUrl: string };
export type TipRefusal =
  | { readonly kind: 'tip_link_not_found' }
  | { readonly kind: 'amount_refused' }
  | { readonly kind: 'too_many_open_tips' }
  | { readonly kind: 'node_unavailable' };

/** Links where customers give tips over Lightning. */
export type TipLinkService = {
  create(
    businessId: string,
    link: NewTipLink,
    by: Actor,
    write: DurableWrite<TipLinkRow>,
  ): Promise<Result<TipLinkRow, NewTipLinkRefusal>>;
  list(businessId: string, page: { readonly before: string; readonly limit: number }): Promise<TipLinkRow[]>;
  find(businessId: string, id: string): Promise<TipLinkRow | undefined>;
  remove(businessId: string, id: string, by: Actor): Promise<TipLinkRow | undefined>;
  withAddresses(row: TipLinkRow): TipLink;
  /** As customers see it; undefined once it was deleted. */
  forCustomers(id: string): Promise<{ readonly link: TipLink; readonly business: Business } | undefined>;
  payRequest(id: string): Promise<PayRequest | undefined>;
  /** As `forCustomers`, by the part before the @ of its Lightning address. */
  payRequestOfAddress(name: string): Promise<PayRequest | undefined>;
  invoice(id: string, amountMsat: string | undefined): Promise<Result<TipInvoice, TipRefusal>>;
  verify(id: string, paymentHash: string): Promise<{ bolt11: string; preimage: string | null } | undefined>;
  readonly onInvoiceChanged: OnInvoiceChanged;
};

const tipLifetimeMs = 10 * 60_000;
/** The limit of unpaid tips, which are created without a key, so that they cannot fill the node. */
const maxOpenTips = 100;

/** Tip links and their invoices. A tip expires after ten minutes, and a link has a limit of unpaid ones. */
export function tipLinkService(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly changes: ChangeLog;
  readonly businesses: Pick<BusinessService, 'find'>;
  readonly invoices: Pick<BitcoinInvoices, 'create' | 'open' | 'networks'>;
  /** The public base URL, without a trailing slash. */
  readonly publicUrl: string;
}): TipLinkService {
  const { database, clock, ids, changes, businesses, invoices, publicUrl } = options;
  const payUrl = (id: string) => `${publicUrl}/lnurl/tip/${id}`;
  const changeOf = (change: string, { businessId, id, name }: TipLinkRow, by: Actor) => ({
    businessId,
    kind: 'setting_changed' as const,
    by,
    detail: { change, tipLinkId: id, name },
  });

  function withAddresses(row: TipLinkRow): TipLink {
    const { id, lightningName } = row;
    return {
      row,
      url: `${publicUrl}/tip/${id}`,
      lnurl: lnurlOf(payUrl(id)),
      lightningAddress: `${lightningName ?? id}@${new URL(publicUrl).host}`,
    };
  }

  async function open(id: string): Promise<TipLink | undefined> {
    const row = await database.first(tipLinkById, { id });
    return row?.deletedAt === null ? withAddresses(row) : undefined;
  }

  async function metadata({ row, lightningAddress: address }: TipLink): Promise<string> {
    const business = await businesses.find(row.businessId);
    return metadataOf({ name: `${row.name} (${business?.name ?? ''})`, address });
  }

  async function payRequest(id: string): Promise<PayRequest | undefined> {
    const link = await open(id);
    if (!link) return undefined;
    const { minimumSats, maximumSats } = link.row;
    return { callback: `${payUrl(id)}/invoice`, minimumSats, maximumSats, metadata: await metadata(link) };
  }

  return {
    withAddresses,
    list: (businessId, page) => database.all(tipLinkPage, { businessId, ...page }),

    async create(businessId, link, by, write) {
      if (!(await invoices.networks(businessId, link.minimumSats)).includes('lightning'))
        return err({ kind: 'bitcoin_not_available' });
      const id = ids.next(idPrefixes.tipLink);
      const none = { receivedSats: 0, tipCount: 0, deletedAt: null };
      const row: TipLinkRow = { ...link, ...none, id, businessId, createdAt: clock.now() };
      const made = await write.run(async tx => {
        if ((await tx.run(insertTipLink, row)) === 0) return undefined;
        await changes.append(tx, changeOf('tip_link_created', row, by));
        return row;
      });
      return made ? ok(made) : err({ kind: 'name_taken' });
    },

    async find(businessId, id) {
      const row = await database.first(tipLinkById, { id });
      return row?.businessId === businessId ? row : undefined;
    },

    remove: (businessId, id, by) =>
      database.write(async tx => {
        const isChanged = (await tx.run(deleteTipLink, { businessId, id, deletedAt: clock.now() })) === 1;
        const row = await tx.first(tipLinkById, { id });
        if (row && isChanged) await changes.append(tx, changeOf('tip_link_deleted', row, by));
        return row?.businessId === businessId ? row : undefined;
      }),

    async forCustomers(id) {
      const link = await open(id);
      const business = link && (await businesses.find(link.row.businessId));
      return business && { link, business };
    },

    payRequest,

    async payRequestOfAddress(name) {
      const named = await database.first(tipLinkByName, { lightningName: name.toLowerCase() });
      return payRequest(named?.id ?? name);
    },

    async invoice(id, amountMsat) {
      const link = await open(id);
      if (!link) return err({ kind: 'tip_link_not_found' });
      const { businessId, minimumSats, maximumSats } = link.row;
      const amountSats = satsAsked(amountMsat);
      if (amountSats === undefined || amountSats < minimumSats || amountSats > maximumSats)
        return err({ kind: 'amount_refused' });
      const memo = await metadata(link);
      const made = await database.write(async tx => {
        if (Number((await tx.first(openTips, { id }))?.count ?? 0) >= maxOpenTips) return undefined;
        const asked = { businessId, purpose: 'tip', purposeId: id, memo, amountSats, rate: null } as const;
        const amount = { amountMinor: amountSats, currency: bitcoin, expiresAt: clock.now() + tipLifetimeMs };
        return invoices.create(tx, { ...asked, ...amount });
      });
      if (!made) return err({ kind: 'too_many_open_tips' });
      const opened = await invoices.open(made.id, 'lightning');
      if (!opened.ok || opened.value.bolt11 === null) return err({ kind: 'node_unavailable' });
      const { bolt11, paymentHash } = opened.value;
      return ok({ bolt11, verifyUrl: `${payUrl(id)}/verify/${paymentHash}` });
    },

    async verify(id, paymentHash) {
      const tip = await database.first(tipByHash, { id, paymentHash });
      return tip && tip.bolt11 !== null ? { bolt11: tip.bolt11, preimage: tip.preimage } : undefined;
    },

    /** Its invoice is locked first, then the link, then its total is updated. */
    async onInvoiceChanged(tx, { invoice }) {
      const id = invoice.purposeId;
      if (!(await tx.first(tipLinkForUpdate, { id }))) return;
      const received = await tx.first(receivedAt, { id });
      await tx.run(setReceived, {
        id,
        receivedSats: Number(received?.sats ?? 0),
        tipCount: Number(received?.count ?? 0),
      });
    },
  };
}
