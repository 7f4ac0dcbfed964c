import type { EmailRefusal } from '@florin/backend/money/receipts/receipt.ts';
import { errorPage } from '@florin/backend/web/error-page.ts';
import { noReceiptPage, receiptPage } from '@florin/backend/web/receipt/page.ts';
import { noTipPage, tipPage } from '@florin/backend/web/tip/page.ts';
import { contentSecurityPolicy } from '@florin/backend/web/ui/policy.ts';
import type { Presentation } from '@florin/backend/web/ui/presentation.ts';
import type { ReceiptFacts } from '@florin/shared/receipts/document.ts';
import { now, type State, shop } from './shop.ts';

const shown =
  (html: (presentation: Presentation) => string): State =>
  presentation => ({ html: html(presentation), contentSecurityPolicy: contentSecurityPolicy() });

const lnurl = `LNURL1${'DP68GURN8GHJ7M'.repeat(8)}`;
const tip = {
  link: {
    row: {
      id: 'tip_1',
      businessId: shop.id,
      name: 'Anna',
      lightningName: 'anna',
      minimumSats: 100,
      maximumSats: 100_000,
      receivedSats: 0,
      tipCount: 0,
      createdAt: now,
      deletedAt: null,
    },
    url: 'http://pages.test/tip/tip_1',
    lnurl,
    lightningAddress: 'anna@pages.test',
  },
  business: shop,
};

/** The page of a tip link in each of its states. */
export const tipStates: Readonly<Record<string, State>> = {
  open: shown(presentation => tipPage(tip, presentation)),
  unknown: shown(noTipPage),
};

const sale: ReceiptFacts = {
  id: 'rcp_0192f0c1a2b3c4d5e6f7a8b9c0d1e2f3',
  url: 'http://pages.test/r/token',
  kind: 'sale',
  business: { id: shop.id, name: shop.name, addressLines: ['1 High Street', 'London W1A 1AA'], countryCode: 'GB' },
  at: new Date(now).toISOString(),
  timeZone: shop.timeZone,
  amountMinor: 24_50,
  currency: 'GBP',
  amountSats: null,
  tipMinor: 2_00,
  description: 'Two chairs',
  reference: 'order-7',
  paidWith: {
    method: 'card',
    cardScheme: 'Visa',
    cardLastFour: '0821',
    entryMode: 'contactless',
    authorisationCode: '123456',
    transactionId: null,
  },
  paymentId: 'pay_0192f0c1a2b3c4d5e6f7a8b9c0d1e2f3',
  invoiceNumber: 'INV-000123',
  sale: null,
  returns: [],
  remainingMinor: 24_50,
  remainingSats: null,
};
const returned = { at: sale.at, amountMinor: 5_00, amountSats: null, url: 'http://pages.test/r/other' };
const ofSale = { url: sale.url, at: sale.at, amountMinor: 24_50, amountSats: null };
const bitcoinSale: ReceiptFacts = {
  ...sale,
  amountSats: 49_000,
  remainingSats: 49_000,
  paidWith: {
    ...sale.paidWith,
    method: 'onchain',
    cardScheme: null,
    cardLastFour: null,
    entryMode: null,
    authorisationCode: null,
    transactionId: 'ab'.repeat(32),
  },
};
const facts: Readonly<Record<string, ReceiptFacts>> = {
  sale,
  'refunded sale': {
    ...sale,
    returns: [
      { ...returned, kind: 'refund' },
      { ...returned, kind: 'void', url: null },
      { ...returned, kind: 'rejected' },
    ],
    remainingMinor: 0,
  },
  void: { ...sale, kind: 'void', sale: ofSale },
  refund: { ...sale, kind: 'refund', sale: ofSale },
  bitcoin: bitcoinSale,
};
const outcomes: Readonly<
  Record<Exclude<EmailRefusal['kind'], 'receipt_not_found'> | 'sent' | 'address_invalid', true>
> = {
  sent: true,
  address_invalid: true,
  too_many_addresses: true,
  too_many_emails: true,
};
const receipt = (of: ReceiptFacts, email?: keyof typeof outcomes) =>
  shown(presentation =>
    receiptPage(
      { facts: of, business: shop, language: null },
      { token: 'token', email, sendsEmails: true },
      presentation,
    ),
  );

/** The page of a receipt in each of its states. */
export const receiptStates: Readonly<Record<string, State>> = {
  ...Object.fromEntries(Object.entries(facts).map(([name, each]) => [name, receipt(each)])),
  ...Object.fromEntries(
    Object.keys(outcomes).map(email => [`e-mail ${email}`, receipt(sale, email as keyof typeof outcomes)]),
  ),
  unknown: shown(noReceiptPage),
};

/** The error page for each kind of refusal. */
export const errorStates: Readonly<
  Record<string, (presentation: Presentation) => ReturnType<ReturnType<typeof errorPage>>>
> = Object.fromEntries(
  [404, 403, 429, 500].map(status => [
    String(status),
    presentation => errorPage(async () => presentation)({ status }, []),
  ]),
);
