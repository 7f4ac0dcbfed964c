import * as apiKeys from './api-v1/api-keys.ts';
import * as apiRequests from './api-v1/api-requests.ts';
import * as audit from './api-v1/audit.ts';
import * as bitcoinBackends from './api-v1/bitcoin-backends.ts';
import * as bitcoinClaims from './api-v1/bitcoin-claims.ts';
import * as business from './api-v1/business.ts';
import * as checkouts from './api-v1/checkouts.ts';
import * as dashboard from './api-v1/dashboard.ts';
import * as devices from './api-v1/devices.ts';
import * as discrepancies from './api-v1/discrepancies.ts';
import * as exports from './api-v1/exports.ts';
import * as gatewayAccounts from './api-v1/gateway-accounts.ts';
import * as kioskKeys from './api-v1/kiosk-keys.ts';
import * as notificationRecipients from './api-v1/notification-recipients.ts';
import * as overview from './api-v1/overview.ts';
import * as paymentLinks from './api-v1/payment-links.ts';
import * as payments from './api-v1/payments.ts';
import * as problems from './api-v1/problems.ts';
import * as refundOptions from './api-v1/refund-options.ts';
import * as refunds from './api-v1/refunds.ts';
import * as savedViews from './api-v1/saved-views.ts';
import * as settlements from './api-v1/settlements.ts';
import * as staff from './api-v1/staff.ts';
import * as staffLogs from './api-v1/staff-logs.ts';
import * as team from './api-v1/team.ts';
import * as terminalSales from './api-v1/terminal-sales.ts';
import * as tipLinks from './api-v1/tip-links.ts';
import * as transactions from './api-v1/transactions.ts';
import * as ucpPayments from './api-v1/ucp.ts';
import * as webhooks from './api-v1/webhooks.ts';
import * as withdrawals from './api-v1/withdrawals.ts';
import * as callbacks from './callbacks.ts';
import * as claims from './claims.ts';
import type { AnyContract } from './contract.ts';
import * as bitcoinSales from './device-v1/bitcoin.ts';
import * as commands from './device-v1/commands.ts';
import * as dayTotals from './device-v1/day-totals.ts';
import * as diagnostics from './device-v1/diagnostics.ts';
import * as enrolment from './device-v1/enrolment.ts';
import * as mode from './device-v1/mode.ts';
import * as readerClosings from './device-v1/reader-closings.ts';
import * as printing from './device-v1/receipts.ts';
import * as terminalRefunds from './device-v1/refunds.ts';
import * as sales from './device-v1/sales.ts';
import * as sync from './device-v1/sync.ts';
import * as kioskSales from './kiosk-v1/sales.ts';
import * as lnurl from './lnurl.ts';
import * as pages from './pages.ts';
import * as me from './portal/me.ts';
import * as portalPages from './portal/pages.ts';
import * as signIn from './portal/sign-in.ts';
import * as receipts from './receipts.ts';
import * as ucp from './ucp.ts';

const apiV1 = [
  apiKeys,
  apiRequests,
  audit,
  bitcoinBackends,
  bitcoinClaims,
  business,
  checkouts,
  dashboard,
  savedViews,
  devices,
  discrepancies,
  exports,
  gatewayAccounts,
  notificationRecipients,
  overview,
  paymentLinks,
  payments,
  problems,
  refunds,
  refundOptions,
  settlements,
  staff,
  staffLogs,
  team,
  webhooks,
  tipLinks,
  withdrawals,
  kioskKeys,
  terminalSales,
  transactions,
  ucpPayments,
] as const;
const kioskV1 = [kioskSales] as const;
const others = [
  callbacks,
  claims,
  lnurl,
  ucp,
  pages,
  portalPages,
  receipts,
  bitcoinSales,
  commands,
  dayTotals,
  readerClosings,
  diagnostics,
  enrolment,
  mode,
  printing,
  terminalRefunds,
  sales,
  sync,
] as const;

type File = Readonly<Record<string, unknown>>;
type ContractsOf<Exports> = Exports extends unknown
  ? { readonly [Name in keyof Exports as Exports[Name] extends AnyContract ? Name : never]: Exports[Name] }
  : never;
type All<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer Every) => void
  ? Every
  : never;

/** The operations of files by name; other exports are ignored. */
function contractsOf<const Files extends readonly File[]>(files: Files): All<ContractsOf<Files[number]>> {
  const exported = files.flatMap(file => Object.values(file)).filter(isContract);
  return Object.fromEntries(exported.map(each => [each.name, each])) as All<ContractsOf<Files[number]>>;
}

/** The public operations by name: main API and kiosk API. */
export const apiOperations = contractsOf(apiV1);
export const kioskOperations = contractsOf(kioskV1);
/** Signing in to the portal, and what its user does with their own account; they belong to no business. */
export const portalOperations = contractsOf([signIn, me] as const);

/** All operations: every contract that the files above export. */
export const operations: readonly AnyContract[] = [
  apiOperations,
  kioskOperations,
  contractsOf(others),
  portalOperations,
].flatMap((group: File) => Object.values(group).filter(isContract));

function isContract(value: unknown): value is AnyContract {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'responses' in value;
}
