import type { CustomerLink, CustomerProgress } from '@florin/backend/channels/payment-links/customer.ts';
import { linkPage, noLinkPage } from '@florin/backend/web/pay/page.ts';
import type { PageProblem } from '@florin/backend/web/pay/status.ts';
import type { ClaimRefusal, ClaimStatus } from '@florin/shared/contracts/claims.ts';
import { byCard, inBitcoin, minutes, now, receipts, type State, shop } from './shop.ts';

const attempt = '0123456789abcdef0123456789abcdef';

const open: CustomerLink = {
  id: 'pl_1',
  business: shop,
  description: 'Invoice 7: two chairs',
  amountMinor: 24_50,
  paidMinor: 0,
  currency: 'GBP',
  status: 'ACTIVE',
  expiresAt: now + 7 * 24 * 60 * minutes,
  successUrl: null,
  externalReference: null,
  payments: [],
  progress: { kind: 'none' },
  takesBitcoin: true,
  claim: undefined,
  cardFields: { url: 'http://fields.test/', wallets: ['apple_pay', 'google_pay'] },
  now,
  state: 'state',
};

const paid: CustomerLink = { ...open, status: 'PAID', paidMinor: 24_50, payments: [byCard] };
const asked = {
  kind: 'bitcoin',
  bolt11: `lnbcrt490u1${'p5q8sz'.repeat(40)}`,
  address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
  amountSats: 49_000,
  rate: '50000',
  expiresAt: now + 15 * minutes,
  confirmedSats: 0,
  seenSats: 0,
  isOver: false,
} as const;
const bank = {
  kind: 'at_bank',
  threeDSecureReference: 'x',
  url: 'http://bank.test/acs',
  fields: { creq: 'x' },
} as const;

/** One for each kind: a kind that is added does not compile before it is here. */
const progresses: Readonly<Record<CustomerProgress['kind'], Readonly<Record<string, CustomerProgress>>>> = {
  none: { '': { kind: 'none' } },
  sending: { '': { kind: 'sending' } },
  checking: { '': { kind: 'checking' } },
  at_bank: { method: { ...bank, step: 'method' }, challenge: { ...bank, step: 'challenge' } },
  at_bank_elsewhere: { '': { kind: 'at_bank_elsewhere', endsAt: now + 10 * minutes } },
  declined: {
    bank: { kind: 'declined', by: 'bank' },
    check: { kind: 'declined', by: 'bank_check' },
    incomplete: { kind: 'declined', by: 'bank_check_incomplete' },
  },
  failed: { '': { kind: 'failed' } },
  voided: { '': { kind: 'voided' } },
  paid: {},
  bitcoin: {
    open: asked,
    part: { ...asked, confirmedSats: 20_000 },
    'part-seen': { ...asked, seenSats: 20_000 },
    seen: { ...asked, seenSats: 49_000 },
  },
};

const claims: Readonly<Record<ClaimStatus, true>> = { open: true, requested: true, disputed: true, returned: true };
const problems: Readonly<Record<PageProblem, true>> = {
  rate_unavailable: true,
  bitcoin_unavailable: true,
  bitcoin_amount_out_of_range: true,
  payment_in_progress: true,
  destination_invalid: true,
  other_network: true,
  destination_of_merchant: true,
  invoice_expired: true,
  invoice_amount_differs: true,
  too_many_destinations: true,
} satisfies Record<ClaimRefusal | PageProblem, true>;

const claimed = (status: ClaimStatus): CustomerLink => ({
  ...open,
  claim: { status, amountSats: 5_000, worthMinor: 2_50 },
});
const statuses: Readonly<Record<string, CustomerLink>> = {
  paid: { ...paid, progress: { kind: 'paid' } },
  'paid-to-shop': { ...paid, progress: { kind: 'paid' }, successUrl: 'https://shop.example/thanks' },
  'paid-elsewhere': { ...paid, payments: [{ ...byCard, cardScheme: null, cardLastFour: null }] },
  'paid-in-bitcoin': { ...paid, payments: [inBitcoin], externalReference: 'order-7' },
  'paid-twice': { ...paid, payments: [byCard, inBitcoin] },
  returned: { ...paid, payments: [{ ...byCard, returned: 5_00 }] },
  'paid and voided': { ...paid, paidMinor: 0, payments: [] },
  'part-taken': { ...open, status: 'PARTIALLY_PAID', paidMinor: 10_00, progress: { kind: 'paid' }, payments: [byCard] },
  'part-paid': { ...open, status: 'PARTIALLY_PAID', paidMinor: 10_00 },
  'expired-paid': { ...paid, status: 'EXPIRED' },
  'expired-part': { ...open, status: 'EXPIRED', paidMinor: 10_00 },
  expired: { ...open, status: 'EXPIRED' },
  'card-only': { ...open, takesBitcoin: false, cardFields: { url: 'http://fields.test/', wallets: [] } },
  'bitcoin-only': { ...open, cardFields: undefined },
  'not-payable': { ...open, cardFields: undefined, takesBitcoin: false },
  long: {
    ...open,
    description: 'Two chairs and a table, delivered to the second floor. '.repeat(6),
    amountMinor: 123_456_789_00,
  },
};

const page =
  (link: CustomerLink, problem?: PageProblem): State =>
  presentation =>
    linkPage(link, { attempt, problem, receipts }, presentation);

/** The page of a payment link in each of its states. */
export const linkStates: Readonly<Record<string, State>> = {
  ...named(statuses, link => page(link)),
  ...Object.fromEntries(
    Object.entries(progresses).flatMap(([kind, each]) =>
      Object.entries(each).map(([name, progress]) => [`${kind} ${name}`.trim(), page({ ...open, progress })]),
    ),
  ),
  ...named(claims, (_, status) => page(claimed(status as ClaimStatus)), 'claim '),
  ...named(
    problems,
    (_, problem) =>
      page(
        problem.includes('destination') || problem.includes('invoice') || problem === 'other_network'
          ? claimed('open')
          : open,
        problem as PageProblem,
      ),
    'problem ',
  ),
  unknown: noLinkPage,
};

function named<Value>(
  all: Readonly<Record<string, Value>>,
  state: (value: Value, name: string) => State,
  prefix = '',
): Readonly<Record<string, State>> {
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [prefix + name, state(value, name)]));
}
