import type { PaymentConfirmation } from '@florin/backend/money/payments/confirmation.ts';
import type { Business } from '@florin/backend/people/businesses/service.ts';
import type { ReceiptsOffered } from '@florin/backend/web/ui/confirmation.ts';
import type { Presentation } from '@florin/backend/web/ui/presentation.ts';

/** A page in one state, made as the service makes it. */
export type State = (presentation: Presentation) => { readonly html: string; readonly contentSecurityPolicy: string };

export const minutes = 60_000;
export const now = Date.UTC(2026, 10, 25, 12, 0);

export const shop: Business = {
  id: 'biz_1',
  name: 'Harbour Street Coffee',
  addressLinesJson: '["1 High Street","London W1A 1AA"]',
  countryCode: 'GB',
  currency: 'GBP',
  locale: 'en-GB',
  timeZone: 'Europe/London',
  accentColour: null,
  receiptFooter: null,
  passwordProtectRefundsAndVoids: true,
  paymentLinksEnabled: true,
  takesCards: true,
  takesWallets: true,
  takesLightning: true,
  takesOnChain: true,
  quickAmountsJson: '[]',
  confirmAboveMinor: null,
  playsSounds: 0,
  saleReference: 'none',
  tipPercentsJson: '[]',
  createdAt: now,
};

export const byCard: PaymentConfirmation = {
  id: 'pay_0192f0c1a2b3c4d5e6f7a8b9c0d1e2f3',
  invoiceNumber: 'INV-000123',
  method: 'card',
  amountMinor: 24_50,
  amountSats: null,
  currency: 'GBP',
  cardScheme: 'Visa',
  cardLastFour: '0821',
  takenAt: now,
  returned: 0,
};
export const inBitcoin: PaymentConfirmation = {
  ...byCard,
  invoiceNumber: 'INV-000124',
  method: 'lightning',
  amountSats: 49_000,
  cardScheme: null,
  cardLastFour: null,
};

export const receipts: ReceiptsOffered = { urlOf: () => 'http://pages.test/r/token', sendsEmails: true };
