import type { paymentMethod } from './contracts/api-v1/payment-links.ts';
import type { paymentStatus } from './contracts/api-v1/refunds.ts';

type Words<Code extends string> = Readonly<Record<Code, string>>;

/**
 * What codes of payments are called in English, on the screens of the portal and in files for spreadsheets alike. Types alone
 * are imported: a page loads the words without the schemas.
 */
export const paymentWords = {
  methods: {
    card: 'Card',
    apple_pay: 'Apple Pay',
    google_pay: 'Google Pay',
    lightning: 'Lightning',
    onchain: 'Bitcoin on-chain',
  } satisfies Words<(typeof paymentMethod.options)[number]>,
  statuses: {
    pending: 'Checking',
    declined: 'Declined',
    failed: 'Not charged',
    unsettled: 'Paid',
    settled: 'Settled',
    cancelled: 'Voided',
    settlement_rejected: 'Not paid out',
    partly_refunded: 'Partly refunded',
    refunded: 'Refunded',
  } satisfies Words<(typeof paymentStatus.options)[number]>,
};
