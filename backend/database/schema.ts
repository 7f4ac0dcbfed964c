import type { ApiKeyRow } from '../api-keys/rows.ts';
import type { AuditChainRow, AuditEntryRow } from '../audit/rows.ts';
import type { BitcoinBackendRow } from '../bitcoin-backends/rows.ts';
import type { BitcoinReturnRow } from '../bitcoin-claims/rows.ts';
import type {
  BitcoinClaimDestinationRow,
  BitcoinClaimRow,
  BitcoinFollowRow,
  BitcoinInvoiceRow,
  BitcoinReceiptRow,
} from '../bitcoin-invoices/rows.ts';
import type { BusinessRow } from '../businesses/rows.ts';
import type { CheckoutRow, CheckoutSettingsRow } from '../checkouts/rows.ts';
import type { DiscrepancyRow } from '../discrepancies/rows.ts';
import type { EventConsumerRow, EventTable } from '../events/rows.ts';
import type { GatewayAccountRow } from '../gateway-accounts/rows.ts';
import type { IdempotencyRecordRow } from '../idempotency/rows.ts';
import type { KioskKeyRow } from '../kiosk-keys/rows.ts';
import type { EmailRow, RecipientRow } from '../notifications/rows.ts';
import type { LinkInvoiceRow, PaymentLinkRow } from '../payment-links/rows.ts';
import type { EarlyReversalRow, PaymentRow } from '../payments/rows.ts';
import type { RefundRow, WithdrawnRefundRow } from '../refunds/rows.ts';
import type { StaffNonceRow, StaffRow, TerminalLockoutsRow } from '../staff/rows.ts';
import type {
  SaleInvoiceRow,
  TerminalChannelRow,
  TerminalCommandRow,
  TerminalSaleRow,
} from '../terminal-sales/rows.ts';
import type { DeviceEntryRow, EnrolmentRow, TerminalAlertRow, TerminalRow } from '../terminals/rows.ts';
import type { TimelineEventRow } from '../timeline/rows.ts';
import type { TipLinkRow } from '../tip-links/rows.ts';
import type { UcpInvoiceRow } from '../ucp/rows.ts';
import type { AttemptRow, DeliveryRow, WebhookRow } from '../webhooks/rows.ts';
import type { WithdrawalRow } from '../withdrawals/rows.ts';
import type { CounterRow } from './rows.ts';

/**
 * The tables under their domain names. `…At` is an Instant (milliseconds), `…Minor` an amount in the smallest unit,
 * `…Json` a JSON text; booleans are 0 or 1 on both databases.
 */
export interface Tables {
  businesses: BusinessRow;
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
  apiKeys: ApiKeyRow;
  terminals: TerminalRow;
  staff: StaffRow;
  staffNonces: StaffNonceRow;
  terminalLockouts: TerminalLockoutsRow;
  paymentLinks: PaymentLinkRow;
  linkInvoices: LinkInvoiceRow;
  saleInvoices: SaleInvoiceRow;
  payments: PaymentRow;
  refunds: RefundRow;
  auditEntries: AuditEntryRow;
  auditChains: AuditChainRow;
  idempotencyRecords: IdempotencyRecordRow;
  timelineEvents: TimelineEventRow;
  events: EventTable;
  eventConsumers: EventConsumerRow;
  discrepancies: DiscrepancyRow;
  deviceEntries: DeviceEntryRow;
  enrolments: EnrolmentRow;
  terminalAlerts: TerminalAlertRow;
  earlyReversals: EarlyReversalRow;
  withdrawnRefunds: WithdrawnRefundRow;
  notificationRecipients: RecipientRow;
  emails: EmailRow;
  webhooks: WebhookRow;
  webhookDeliveries: DeliveryRow;
  webhookAttempts: AttemptRow;
  kioskKeys: KioskKeyRow;
  terminalSales: TerminalSaleRow;
  terminalCommands: TerminalCommandRow;
  terminalChannels: TerminalChannelRow;
}
