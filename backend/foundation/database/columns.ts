import { tables } from './migrations/0001-tables.ts';
import { portalUserColumns, portalUserTables } from './migrations/0002-portal-users.ts';
import { portalBusinessColumns, portalRecordsTables, recipientColumns } from './migrations/0003-portal-records.ts';
import { exportTables } from './migrations/0004-search-and-exports.ts';
import { apiRequestsTables } from './migrations/0005-api-requests.ts';
import { receiptsTables } from './migrations/0006-receipts.ts';
import { apiRequestIssueColumns, webhookHealthColumns } from './migrations/0007-webhook-health.ts';
import { receiptPrintedColumns } from './migrations/0008-receipt-printed.ts';
import { approvalNonceColumns, approvalRefundColumns } from './migrations/0012-approvals.ts';
import { savedViewTables } from './migrations/0013-saved-views.ts';
import { counterSettingsColumns } from './migrations/0016-counter-settings.ts';
import { saleFactColumns, saleReferenceColumns } from './migrations/0017-sale-facts.ts';
import { paymentTipColumns, tipSettingColumns } from './migrations/0018-tips.ts';
import { permanentKeyTables } from './migrations/0019-permanent-keys.ts';
import { traceColumns } from './migrations/0020-traces.ts';
import { discrepancyColumns, readerClosingTables } from './migrations/0021-reader-closings.ts';
import { terminalDiagnosticsTables, terminalHealthColumns } from './migrations/0022-terminal-care.ts';

/** Every table with its columns: those of the first release and what later migrations add. */
export const columns = {
  ...tables,
  ...portalUserTables,
  ...portalRecordsTables,
  ...exportTables,
  ...receiptsTables,
  ...savedViewTables,
  ...permanentKeyTables,
  ...readerClosingTables,
  discrepancies: discrepancyColumns,
  ...terminalDiagnosticsTables,
  businesses: {
    ...tables.businesses,
    ...portalBusinessColumns,
    ...counterSettingsColumns,
    ...saleReferenceColumns,
    ...tipSettingColumns,
  },
  payments: { ...tables.payments, ...saleFactColumns, ...paymentTipColumns },
  notificationRecipients: { ...tables.notificationRecipients, ...recipientColumns },
  terminalSales: { ...tables.terminalSales, ...receiptPrintedColumns },
  events: { ...tables.events, ...traceColumns },
  terminalChannels: { ...tables.terminalChannels, ...terminalHealthColumns },
  bitcoinInvoices: { ...tables.bitcoinInvoices, ...traceColumns },
  webhookDeliveries: { ...tables.webhookDeliveries, ...traceColumns },
  webhooks: { ...tables.webhooks, ...webhookHealthColumns },
  apiRequests: { ...apiRequestsTables.apiRequests, ...apiRequestIssueColumns },
  staffNonces: { ...tables.staffNonces, ...approvalNonceColumns },
  refunds: { ...tables.refunds, ...approvalRefundColumns },
  emails: { ...tables.emails, ...portalUserColumns.emails },
};
