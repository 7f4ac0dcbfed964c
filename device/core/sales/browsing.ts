import { getSale, listSales, type SaleRecord, type SaleReturn } from '@florin/shared/contracts/device-v1/sales.ts';
import type { SearchTerm } from '@florin/shared/contracts/payment-search.ts';
import type { Cancel, Instant, Log, Timers } from '@florin/shared/ports.ts';
import type { Notice, Screen, UnchargedSale } from '../../ipc/view.ts';
import type { TrustedTime } from '../staff/time.ts';
import type { Store } from '../store/store.ts';
import type { Connection } from '../sync/connection.ts';
import type { DisplaySettings } from '../words.ts';
import { isFoundBy, listedSales } from './listed.ts';
import { saleCodeIn } from './receipt-code.ts';
import { receiptCopy, returnReceiptCopy } from './receipt-copy.ts';
import { saleRecordNotice, unchargedNotice } from './words.ts';

const salesPerPage = 25;
/** How often a sale on the screen is read again: it may settle, or be refunded from elsewhere, while staff look at it. */
const rereadMs = 15_000;
/** The delay before a failed list request is repeated while the service is reachable. */
const readAgainMs = 3_000;

type Search = {
  readonly text: string;
  /** What it was taken for; null until the service has answered. */
  readonly terms: readonly SearchTerm[] | null;
};

type Shown =
  | {
      readonly name: 'recent_sales';
      readonly busy: boolean;
      readonly sales: readonly SaleRecord[];
      readonly cursor: string | null;
      /** Every record since then is in the list; null if there are no earlier ones. */
      readonly completeBackTo: Instant | null;
      readonly search: Search | null;
      readonly notice: Notice | null;
    }
  | { readonly name: 'find_sale'; readonly text: string }
  | { readonly name: 'sale_detail'; readonly sale: SaleRecord; readonly opensReceipts: boolean }
  | { readonly name: 'return_receipt'; readonly sale: SaleRecord; readonly of: SaleReturn }
  | { readonly name: 'uncharged_sale'; readonly sale: UnchargedSale };

export type SalesBrowsingPorts = {
  readonly store: Store;
  readonly connection: Connection;
  readonly time: Pick<TrustedTime, 'now'>;
  readonly timers: Timers;
  readonly log: Log;
  readonly displaySettings: () => DisplaySettings;
  readonly changed: () => void;
};

/** Of a text that sales are searched by. */
const maxSearchLength = 100;

/** Recent sales and the details of one: read from the service, or from the stored copy while offline. */
export class SalesBrowsing {
  readonly #ports: SalesBrowsingPorts;
  #shown: Shown | undefined;
  /** What the list was last searched for, to which the details of a sale lead back. */
  #searched: string | null = null;
  #reread: Cancel | undefined;

  constructor(ports: SalesBrowsingPorts) {
    this.#ports = ports;
  }

  /** The screen of the list or of one sale; undefined while neither is open. */
  screen(): Screen | undefined {
    const shown = this.#shown;
    if (!shown) return undefined;
    if (shown.name === 'sale_detail') {
      const settings = this.#ports.displaySettings();
      const isReversalUnsent = this.#ports.store
        .pendingReports()
        .some(({ saleId, kind }) => saleId === shown.sale.saleId && kind === 'reverse');
      const notice = saleRecordNotice(shown.sale, { ...settings, isReversalUnsent });
      return { ...shown, notice, receipt: receiptCopy(shown.sale, settings) };
    }
    if (shown.name === 'return_receipt')
      return { ...shown, receipt: returnReceiptCopy(shown.sale, shown.of, this.#ports.displaySettings()) };
    if (shown.name === 'find_sale') return shown;
    if (shown.name === 'uncharged_sale')
      return { ...shown, notice: unchargedNotice(shown.sale, this.#ports.displaySettings().words) };
    const { busy, sales, cursor, completeBackTo, search, notice } = shown;
    return {
      name: 'recent_sales',
      busy,
      sales: listedSales(sales, this.#uncharged(search), completeBackTo),
      moreAvailable: cursor !== null,
      search: search && { text: search.text, terms: search.terms && [...search.terms] },
      notice,
    };
  }

  /** The sales that only this terminal knows; of a search, those that it finds by what the service took the text for. */
  #uncharged(search: Search | null): readonly UnchargedSale[] {
    const { store, time, displaySettings } = this.#ports;
    const all = store.unchargedSales();
    if (search === null) return all;
    const at = { timeZone: displaySettings().timeZone, now: time.now() };
    return all.filter(sale => isFoundBy(sale, search.terms ?? [], at));
  }

  /** The sale of the service whose details are shown. */
  sale(): SaleRecord | undefined {
    return this.#shown?.name === 'sale_detail' ? this.#shown.sale : undefined;
  }

  close(): void {
    this.#shown = undefined;
    this.#reread?.();
  }

  showRecent(): void {
    this.#searched = null;
    this.#list(this.#ports.store.salesSeen(salesPerPage));
  }

  showFind(): void {
    this.#show({ name: 'find_sale', text: this.#searched ?? '' });
  }

  /** Lists the sales that a text finds; the only one of a receipt or an invoice number is opened. */
  search(text: string): void {
    this.#searched = (saleCodeIn(text) ?? text).slice(0, maxSearchLength);
    this.#list([]);
  }

  /** One step back; false from the list, which has none. */
  back(): boolean {
    const shown = this.#shown;
    if (!shown || (shown.name === 'recent_sales' && this.#searched === null)) return false;
    if (shown.name === 'return_receipt') this.#showDetail(shown.sale, { opensReceipts: true });
    else if (
      shown.name !== 'recent_sales' &&
      shown.name !== 'find_sale' &&
      this.#searched !== null &&
      saleCodeIn(this.#searched) === undefined
    )
      this.search(this.#searched);
    else this.showRecent();
    return true;
  }

  #list(sales: readonly SaleRecord[]): void {
    const text = this.#searched;
    const search = text === null ? null : { text, terms: null };
    const completeBackTo = sales.length < salesPerPage ? null : createdAtOf(sales.at(-1));
    const before = { name: 'recent_sales', sales, cursor: null, completeBackTo, search, notice: null } as const;
    // Known at once, instead of after a request that nobody answers.
    if (this.#ports.connection.state() === 'offline') {
      this.#notReached({ ...before, busy: false });
      return;
    }
    this.#show({ ...before, busy: true });
    this.#background(async () => {
      const query = { limit: salesPerPage, ...(text === null ? {} : { q: text }) };
      const response = await this.#ports.connection.call(listSales, { query });
      const shown = this.#shown;
      if (shown?.name !== 'recent_sales' || shown.search?.text !== search?.text) return;
      if (response.kind !== 'answered') return this.#notReached(shown);
      const { items, searchedFor } = response.body;
      this.#ports.store.saveSales(items);
      const [only] = items;
      if (only && items.length === 1 && text !== null && saleCodeIn(text) !== undefined) return this.showSale(only);
      const found = search && { ...search, terms: searchedFor };
      const page = { sales: items, ...endOf(response.body) };
      this.#show({ name: 'recent_sales', busy: false, ...page, search: found, notice: null });
    });
  }

  /** A list that could not be read before is read again. */
  reconnected(): void {
    if (this.#shown?.name === 'recent_sales' && this.#shown.notice) this.#list(this.#shown.sales);
  }

  loadMore(): boolean {
    const before = this.#shown;
    if (before?.name !== 'recent_sales' || before.busy || before.cursor === null) return false;
    const { cursor } = before;
    const query = { limit: salesPerPage, cursor, ...(before.search ? { q: before.search.text } : {}) };
    this.#show({ ...before, busy: true });
    this.#background(async () => {
      const response = await this.#ports.connection.call(listSales, { query });
      const shown = this.#shown;
      if (shown?.name !== 'recent_sales' || shown.search?.text !== before.search?.text) return;
      if (response.kind !== 'answered') return this.#notReached(shown);
      const listed = new Set(shown.sales.map(sale => sale.saleId));
      const sales = [...shown.sales, ...response.body.items.filter(sale => !listed.has(sale.saleId))];
      this.#show({ ...shown, busy: false, sales, ...endOf(response.body) });
    });
    return true;
  }

  #notReached(shown: Extract<Shown, { name: 'recent_sales' }>): void {
    const { searchNotReached, salesNotReached } = this.#ports.displaySettings().words.terminal;
    this.#show({ ...shown, busy: false, notice: shown.search ? searchNotReached : salesNotReached });
    // No reconnection will be reported if the connection was never lost, so a timer repeats the request.
    if (this.#ports.connection.state() !== 'offline')
      this.#reread = this.#ports.timers.after(readAgainMs, () => this.reconnected());
  }

  find(saleId: string): SaleRecord | UnchargedSale | undefined {
    const { store } = this.#ports;
    const listed = this.#shown?.name === 'recent_sales' ? this.#shown.sales : [];
    const isIt = (sale: { readonly saleId: string }) => sale.saleId === saleId;
    return listed.find(isIt) ?? store.saleSeen(saleId) ?? store.unchargedSales().find(isIt);
  }

  showSale(sale: SaleRecord | UnchargedSale): void {
    if ('kind' in sale) this.#show({ name: 'uncharged_sale', sale });
    else this.#showDetail(sale, { opensReceipts: false });
  }

  #showDetail(sale: SaleRecord, { opensReceipts }: { readonly opensReceipts: boolean }): void {
    this.#show({ name: 'sale_detail', sale, opensReceipts });
    // The available actions may have changed since the list was read.
    this.#read(sale.saleId);
  }

  /** The receipt of a void or refund of the sale whose details are shown; false if there is none with this address. */
  showReturnReceipt(url: string): boolean {
    const sale = this.sale();
    const of = sale?.returns.find(({ receipt }) => receipt?.url === url);
    if (!sale || !of) return false;
    this.#show({ name: 'return_receipt', sale, of });
    return true;
  }

  recordChanged(record: SaleRecord): void {
    const shown = this.#shown;
    // What a receipt says of a void or refund does not change any more.
    if (shown?.name === 'uncharged_sale' && shown.sale.saleId === record.saleId)
      this.#show({ name: 'sale_detail', sale: record, opensReceipts: false });
    if (shown?.name === 'sale_detail' && shown.sale.saleId === record.saleId) this.#show({ ...shown, sale: record });
  }

  #read(saleId: string): void {
    this.#background(async () => {
      const response = await this.#ports.connection.call(getSale, { params: { saleId } });
      if (response.kind === 'answered') {
        this.#ports.store.saveSales([response.body]);
        this.recordChanged(response.body);
      }
      if (this.sale()?.saleId !== saleId) return;
      this.#reread = this.#ports.timers.after(rereadMs, () => this.#read(saleId));
    });
  }

  #show(shown: Shown): void {
    this.#reread?.();
    this.#shown = shown;
    this.#ports.changed();
  }

  #background(work: () => Promise<void>): void {
    work().catch((error: unknown) => this.#ports.log.error({ error: String(error) }, 'the sales could not be read'));
  }
}

function createdAtOf(sale: SaleRecord | undefined): Instant | null {
  return sale ? Date.parse(sale.createdAt) : null;
}

/** Where a page goes on, and until when the list is complete with it. */
function endOf(page: {
  readonly items: readonly SaleRecord[];
  readonly nextCursor: string | null;
  readonly searchedBackTo: string | null;
}) {
  const { items, nextCursor: cursor, searchedBackTo } = page;
  const last = searchedBackTo === null ? createdAtOf(items.at(-1)) : Date.parse(searchedBackTo);
  return { cursor, completeBackTo: cursor === null ? null : last };
}
