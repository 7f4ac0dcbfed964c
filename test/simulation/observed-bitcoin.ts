import type { BitcoinReturnRow } from '../../backend/bitcoin/claims/rows.ts';
import type {
  BitcoinClaimDestinationRow,
  BitcoinClaimRow,
  BitcoinInvoiceRow,
  BitcoinReceiptRow,
} from '../../backend/bitcoin/invoices/rows.ts';
import type { WithdrawalRow } from '../../backend/bitcoin/withdrawals/rows.ts';
import type { CheckoutRow } from '../../backend/channels/checkouts/rows.ts';
import type { LinkInvoiceRow, PaymentLinkRow } from '../../backend/channels/payment-links/rows.ts';
import type { SaleInvoiceRow } from '../../backend/channels/terminal-sales/rows.ts';
import type { TipLinkRow } from '../../backend/channels/tip-links/rows.ts';
import type { UcpInvoiceRow } from '../../backend/channels/ucp/rows.ts';
import { type Statement, statement } from '../../backend/foundation/database/database.ts';

/** The auditor's own queries of bitcoin, checkouts and links, independent of the stores. */

type Table =
  | 'bitcoinInvoices'
  | 'bitcoinReceipts'
  | 'bitcoinClaims'
  | 'bitcoinClaimDestinations'
  | 'bitcoinReturns'
  | 'checkouts'
  | 'paymentLinks'
  | 'linkInvoices'
  | 'withdrawals'
  | 'tipLinks'
  | 'saleInvoices'
  | 'ucpInvoices';
const all = (table: Table) => statement<object, unknown>(({ db }) => db.selectFrom(table).selectAll());

export const allInvoices = all('bitcoinInvoices') as Statement<object, BitcoinInvoiceRow>;
export const allReceipts = all('bitcoinReceipts') as Statement<object, BitcoinReceiptRow>;
export const allClaims = all('bitcoinClaims') as Statement<object, BitcoinClaimRow>;
export const allDestinations = all('bitcoinClaimDestinations') as Statement<object, BitcoinClaimDestinationRow>;
export const allReturns = all('bitcoinReturns') as Statement<object, BitcoinReturnRow>;
export const allCheckouts = all('checkouts') as Statement<object, CheckoutRow>;
export const allLinks = all('paymentLinks') as Statement<object, PaymentLinkRow>;
export const allLinkInvoices = all('linkInvoices') as Statement<object, LinkInvoiceRow>;
export const allWithdrawals = all('withdrawals') as Statement<object, WithdrawalRow>;
export const allSaleInvoices = all('saleInvoices') as Statement<object, SaleInvoiceRow>;
export const allTipLinks = all('tipLinks') as Statement<object, TipLinkRow>;
export const allUcpInvoices = all('ucpInvoices') as Statement<object, UcpInvoiceRow>;
