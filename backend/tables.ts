import type { BitcoinBackendRow } from './bitcoin/backends/rows.ts';
import type { BitcoinReturnRow } from './bitcoin/claims/rows.ts';
import type {
  BitcoinClaimDestinationRow,
  BitcoinClaimRow,
  BitcoinFollowRow,
  BitcoinInvoiceRow,
  BitcoinReceiptRow,
} from './bitcoin/invoices/rows.ts';
import type { WithdrawalRow } from './bitcoin/withdrawals/rows.ts';
import type { CheckoutRow, CheckoutSettingsRow } from './channels/checkouts/rows.ts';
import type { ExportChunkRow, ExportRow } from './channels/exports/rows.ts';
import type { KioskKeyRow } from './channels/kiosk-keys/rows.ts';
import type { LinkInvoiceRow, PaymentLinkRow } from './channels/payment-links/rows.ts';
import type {
  SaleInvoiceRow,
  TerminalChannelRow,
  TerminalCommandRow,
  TerminalSaleRow,
} from './channels/terminal-sales/rows.ts';
import type {
  DeviceEntryRow,
  EnrolmentRow,
  TerminalAlertRow,
  TerminalDiagnosticsRow,
  TerminalRow,
} from './channels/terminals/rows.ts';
import type { TipLinkRow } from './channels/tip-links/rows.ts';
import type { UcpInvoiceRow } from './channels/ucp/rows.ts';
import type { CounterRow } from './foundation/database/rows.ts';
import type { EventConsumerRow, EventTable } from './foundation/events/rows.ts';
import type { IdempotencyRecordRow } from './foundation/idempotency/rows.ts';
import type { PermanentKeyRow } from './foundation/secrets/rows.ts';
import type { GatewayAccountRow } from './gateways/accounts/rows.ts';
import type { EmailRow, RecipientRow, TerminalSilenceRow } from './messaging/notifications/rows.ts';
import type { AttemptRow, DeliveryRow, WebhookRow } from './messaging/webhooks/rows.ts';
import type { DiscrepancyRow } from './money/discrepancies/rows.ts';
import type { MoneyTotalRow } from './money/overview/rows.ts';
import type { EarlyReversalRow, PaymentRow } from './money/payments/rows.ts';
import type { ReaderClosingRow, ReaderSaleRow } from './money/reader-closings/rows.ts';
import type { ReceiptEmailRow, ReceiptKeyRow, ReceiptRow } from './money/receipts/rows.ts';
import type { RefundRow, WithdrawnRefundRow } from './money/refunds/rows.ts';
import type { ApiKeyRow } from './people/api-keys/rows.ts';
import type { ApiRequestRow } from './people/api-requests/rows.ts';
import type { AuditChainRow, AuditEntryRow, AuditSubjectRow } from './people/audit/rows.ts';
import type { BusinessLogoRow, BusinessRow } from './people/businesses/rows.ts';
import type { DashboardRow } from './people/dashboards/rows.ts';
import type {
  PortalPasskeyRow,
  PortalRecoveryCodeRow,
  PortalSessionRow,
  PortalThrottleRow,
  PortalTokenRow,
  PortalUserRow,
} from './people/portal-users/rows.ts';
import type { SavedViewRow } from './people/saved-views/rows.ts';
import type { StaffNonceRow, StaffRow, TerminalLockoutsRow } from './people/staff/rows.ts';
import type { InvitationRow, MembershipRow, RoleRow } from './people/team/rows.ts';

/**
 * The tables under their domain names. `…At` is an Instant (milliseconds), `…Minor` an amount in the smallest unit,
 * `…Json` a JSON text; booleans are 0 or 1 on both databases.
 */
declare module './foundation/database/database.ts' {
  interface Tables {
    businesses: BusinessRow;
    businessLogos: BusinessLogoRow;
    gatewayAccounts: GatewayAccountRow;
    bitcoinBackends: BitcoinBackendRow;
    bitcoinInvoices: BitcoinInvoiceRow;
    bitcoinReceipts: BitcoinReceiptRow;
    bitcoinFollows: BitcoinFollowRow;
    bitcoinClaims: BitcoinClaimRow;
    bitcoinClaimDestinations: BitcoinClaimDestinationRow;
    bitcoinReturns: BitcoinReturnRow;
    checkouts: CheckoutRow;
    checkoutSettings: CheckoutSettingsRow;
    withdrawals: WithdrawalRow;
    tipLinks: TipLinkRow;
    ucpInvoices: UcpInvoiceRow;
    counters: CounterRow;
    permanentKeys: PermanentKeyRow;
    apiKeys: ApiKeyRow;
    apiRequests: ApiRequestRow;
    savedViews: SavedViewRow;
    terminals: TerminalRow;
    portalUsers: PortalUserRow;
    portalSessions: PortalSessionRow;
    portalTokens: PortalTokenRow;
    portalPasskeys: PortalPasskeyRow;
    portalRecoveryCodes: PortalRecoveryCodeRow;
    portalThrottles: PortalThrottleRow;
    memberships: MembershipRow;
    roles: RoleRow;
    invitations: InvitationRow;
    staff: StaffRow;
    staffNonces: StaffNonceRow;
    terminalLockouts: TerminalLockoutsRow;
    paymentLinks: PaymentLinkRow;
    linkInvoices: LinkInvoiceRow;
    saleInvoices: SaleInvoiceRow;
    payments: PaymentRow;
    receipts: ReceiptRow;
    receiptKeys: ReceiptKeyRow;
    receiptEmails: ReceiptEmailRow;
    refunds: RefundRow;
    auditEntries: AuditEntryRow;
    auditChains: AuditChainRow;
    auditSubjects: AuditSubjectRow;
    moneyTotals: MoneyTotalRow;
    dashboards: DashboardRow;
    idempotencyRecords: IdempotencyRecordRow;
    events: EventTable;
    eventConsumers: EventConsumerRow;
    discrepancies: DiscrepancyRow;
    readerSales: ReaderSaleRow;
    readerClosings: ReaderClosingRow;
    deviceEntries: DeviceEntryRow;
    enrolments: EnrolmentRow;
    terminalAlerts: TerminalAlertRow;
    terminalDiagnostics: TerminalDiagnosticsRow;
    earlyReversals: EarlyReversalRow;
    withdrawnRefunds: WithdrawnRefundRow;
    exports: ExportRow;
    exportChunks: ExportChunkRow;
    notificationRecipients: RecipientRow;
    terminalSilences: TerminalSilenceRow;
    emails: EmailRow;
    webhooks: WebhookRow;
    webhookDeliveries: DeliveryRow;
    webhookAttempts: AttemptRow;
    kioskKeys: KioskKeyRow;
    terminalSales: TerminalSaleRow;
    terminalCommands: TerminalCommandRow;
    terminalChannels: TerminalChannelRow;
  }
}
