import type { BitcoinReturnRow } from '../../backend/bitcoin/claims/rows.ts';
import type { BitcoinClaimRow, BitcoinInvoiceRow, BitcoinReceiptRow } from '../../backend/bitcoin/invoices/rows.ts';
import type { WithdrawalRow } from '../../backend/bitcoin/withdrawals/rows.ts';
import type { CheckoutRow } from '../../backend/channels/checkouts/rows.ts';
import type { LinkInvoiceRow, PaymentLinkRow } from '../../backend/channels/payment-links/rows.ts';
import type { SaleInvoiceRow } from '../../backend/channels/terminal-sales/rows.ts';
import type { TipLinkRow } from '../../backend/channels/tip-links/rows.ts';
import type { UcpInvoiceRow } from '../../backend/channels/ucp/rows.ts';
import type { Tables, Transaction } from '../../backend/foundation/database/database.ts';
import type { PaymentRow } from '../../backend/money/payments/rows.ts';
import type { NodeLedger } from './node-ledger.ts';
import {
  allCheckouts,
  allClaims,
  allDestinations,
  allInvoices,
  allLinkInvoices,
  allLinks,
  allReceipts,
  allReturns,
  allSaleInvoices,
  allTipLinks,
  allUcpInvoices,
  allWithdrawals,
} from './observed-bitcoin.ts';
import type { Quote } from './rate-model.ts';

export type BitcoinShop = {
  readonly nodeLedger: NodeLedger;
  /** The prices returned by sources. */
  readonly quotes: readonly Quote[];
  /** The maximum age of a used price; undefined if a process was delayed after it had read the price. */
  readonly stalePriceMs: () => number | undefined;
  readonly now: () => number;
  /** How long an invoice's end waits for an unresponsive node. */
  readonly endWaitsForMs: number;
  /** How long after it was recorded a withdrawal may be sent. */
  readonly sendsWithinMs: number;
  readonly report: (what: string) => void;
};

export type Rows<Row> = ReadonlyMap<string, Row>;
export type PaymentRows = Rows<
  Pick<
    PaymentRow,
    | 'id'
    | 'method'
    | 'status'
    | 'amountMinor'
    | 'amountSats'
    | 'refundedSats'
    | 'gatewayReference'
    | 'paymentLinkId'
    | 'saleId'
  >
>;

/** Whether a transaction wrote any of these tables. */
export type Wrote = (...tables: readonly (keyof Tables)[]) => boolean;
export const bitcoinTables = [
  'bitcoinInvoices',
  'bitcoinReceipts',
  'bitcoinClaims',
  'bitcoinClaimDestinations',
  'bitcoinReturns',
  'checkouts',
  'paymentLinks',
  'linkInvoices',
  'withdrawals',
  'tipLinks',
  'ucpInvoices',
  'saleInvoices',
] as const satisfies readonly (keyof Tables)[];

/** The maximum error of a process's clock. */
export const skewMs = 2_500;
/** The bitcoin tables as of each transaction, with the node's own ledger. */
export class BitcoinRows {
  readonly shop: BitcoinShop;
  invoices: Rows<BitcoinInvoiceRow> = new Map();
  receipts: Rows<BitcoinReceiptRow> = new Map();
  claims: Rows<BitcoinClaimRow> = new Map();
  returns: readonly BitcoinReturnRow[] = [];
  /** The given destinations per claim, in order. */
  destinations: ReadonlyMap<string, readonly string[]> = new Map();
  checkouts: Rows<CheckoutRow> = new Map();
  links: Rows<PaymentLinkRow> = new Map();
  linkInvoices: Rows<LinkInvoiceRow> = new Map();
  withdrawals: Rows<WithdrawalRow> = new Map();
  tipLinks: Rows<TipLinkRow> = new Map();
  ucpInvoices: Rows<UcpInvoiceRow> = new Map();
  /** By invoice id. */
  saleInvoices: Rows<SaleInvoiceRow> = new Map();
  /** Receipts that ever left the chain. */
  readonly everReverted = new Set<string>();
  #receiptsOf: ReadonlyMap<string, readonly BitcoinReceiptRow[]> = new Map();

  constructor(shop: BitcoinShop) {
    this.shop = shop;
  }

  receiptsOf(invoiceId: string): readonly BitcoinReceiptRow[] {
    return this.#receiptsOf.get(invoiceId) ?? [];
  }

  sats(invoiceId: string, status: BitcoinReceiptRow['status']): number {
    const wanted = this.receiptsOf(invoiceId).filter(receipt => receipt.status === status);
    return wanted.reduce((sats, { amountSats }) => sats + amountSats, 0);
  }

  claimOf(invoiceId: string): BitcoinClaimRow | undefined {
    return [...this.claims.values()].find(claim => claim.invoiceId === invoiceId);
  }

  /** Reads the tables that were written. */
  async read(tx: Transaction, wrote: Wrote): Promise<void> {
    if (wrote('bitcoinInvoices')) this.invoices = byId(await tx.all(allInvoices, {}));
    if (wrote('bitcoinReceipts')) {
      this.receipts = byId(await tx.all(allReceipts, {}));
      this.#receiptsOf = Map.groupBy(this.receipts.values(), ({ invoiceId }) => invoiceId);
    }
    if (wrote('bitcoinClaims')) this.claims = byId(await tx.all(allClaims, {}));
    if (wrote('bitcoinClaimDestinations')) {
      const given = Map.groupBy(await tx.all(allDestinations, {}), ({ claimId }) => claimId);
      this.destinations = new Map([...given].map(([id, rows]) => [id, rows.map(({ destination }) => destination)]));
    }
    if (wrote('bitcoinReturns')) this.returns = await tx.all(allReturns, {});
    if (wrote('checkouts')) this.checkouts = byId(await tx.all(allCheckouts, {}));
    if (wrote('paymentLinks')) this.links = byId(await tx.all(allLinks, {}));
    if (wrote('linkInvoices'))
      this.linkInvoices = new Map((await tx.all(allLinkInvoices, {})).map(row => [row.invoiceId, row]));
    if (wrote('withdrawals')) this.withdrawals = byId(await tx.all(allWithdrawals, {}));
    if (wrote('tipLinks')) this.tipLinks = byId(await tx.all(allTipLinks, {}));
    if (wrote('saleInvoices'))
      this.saleInvoices = new Map((await tx.all(allSaleInvoices, {})).map(row => [row.invoiceId, row]));
    if (wrote('ucpInvoices')) this.ucpInvoices = byId(await tx.all(allUcpInvoices, {}));
  }

  /** An ended invoice cannot be paid over Lightning any more, unless the node was unreachable for too long. */
  *stillPayable(what: string, invoiceId: string) {
    const { nodeLedger, now, endWaitsForMs } = this.shop;
    const invoice = this.invoices.get(invoiceId);
    const booked = nodeLedger.invoices.get(invoice?.paymentHash ?? '');
    if (!invoice || !booked || now() >= invoice.expiresAt + endWaitsForMs - skewMs) return;
    // A payment after the expiry is late, whatever the reason.
    if (booked.settled && booked.settled.at < invoice.expiresAt - skewMs)
      yield `${what} has ended, and was paid over Lightning`;
    else if (!booked.settled && !booked.isCancelled && now() < booked.expiresAt)
      yield `${what} has ended, and can still be paid over Lightning`;
  }
}

function byId<Row extends { readonly id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map(row => [row.id, row]));
}
