import type { CheckoutView, PaymentRequest } from '@florin/backend/channels/checkouts/customer.ts';
import { checkoutPage, noCheckoutPage } from '@florin/backend/web/checkout/page.ts';
import { contentSecurityPolicy } from '@florin/backend/web/ui/policy.ts';
import type { ClaimRefusal, ClaimStatus } from '@florin/shared/contracts/claims.ts';
import { inBitcoin, minutes, now, receipts, type State, shop } from './shop.ts';

const bolt11 = `lnbcrt200u1${'p5q8sz'.repeat(40)}`;
const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const byLightning: PaymentRequest = {
  network: 'lightning',
  walletUrl: `lightning:${bolt11}`,
  codeText: `lightning:${bolt11.toUpperCase()}`,
  text: bolt11,
  amountSats: 20_000,
};
const onChain: PaymentRequest = {
  network: 'onchain',
  walletUrl: `bitcoin:${address}?amount=0.0002`,
  codeText: `bitcoin:${address}?amount=0.0002`,
  text: address,
  amountSats: 20_000,
};
const nothing: CheckoutView['paid'] = { receivedSats: 0, processingSats: 0, receipts: [], claim: null };

const open: CheckoutView = {
  checkout: {
    id: 'chk_1',
    businessId: shop.id,
    invoiceId: 'inv_1',
    status: 'PENDING',
    sequence: 1,
    amountMinor: 10_00,
    currency: 'GBP',
    amountSats: 20_000,
    rate: '50000',
    orderId: '1042',
    externalReference: null,
    successUrl: null,
    webhookUrl: null,
    cancelTokenHash: 'x',
    paidJson: JSON.stringify(nothing),
    network: null,
    actorKind: 'system',
    actorId: null,
    expiresAt: now + 15 * minutes,
    createdAt: now,
    endedAt: null,
  },
  business: shop,
  networks: ['lightning', 'onchain'],
  chosen: 'lightning',
  request: byLightning,
  isNodeDown: false,
  paid: nothing,
  payments: [],
  redirectUrl: null,
  frameOrigins: [],
  now,
};

type Status = CheckoutView['checkout']['status'];
const at = (status: Status, paid: Partial<CheckoutView['paid']>, more: Partial<CheckoutView> = {}): CheckoutView => ({
  ...open,
  request: undefined,
  checkout: { ...open.checkout, status },
  paid: { ...nothing, ...paid },
  ...more,
});
const claim = (status: ClaimStatus = 'open') => ({ reason: 'late', amountSats: 5_000, status }) as const;

/** One for each status: one that is added does not compile before it is here. */
const statuses: Readonly<Record<Status, Readonly<Record<string, CheckoutView>>>> = {
  PENDING: {
    lightning: open,
    onchain: { ...open, chosen: 'onchain', request: onChain },
    part: {
      ...open,
      chosen: 'onchain',
      networks: ['onchain'],
      request: { ...onChain, amountSats: 5_000 },
      paid: { ...nothing, receivedSats: 15_000 },
    },
    checking: { ...open, request: undefined },
    'node-down': { ...open, request: undefined, isNodeDown: true },
  },
  PROCESSING: {
    whole: at('PROCESSING', { processingSats: 20_000 }),
    part: at('PROCESSING', { processingSats: 15_000 }),
  },
  COMPLETE: {
    paid: at(
      'COMPLETE',
      { receivedSats: 20_000 },
      { payments: [inBitcoin], redirectUrl: 'https://shop.example/thanks' },
    ),
    excess: at('COMPLETE', { receivedSats: 25_000, claim: claim() }, { payments: [inBitcoin] }),
  },
  UNDERPAID: { '': at('UNDERPAID', { receivedSats: 15_000, claim: claim() }) },
  EXPIRED: {
    '': at('EXPIRED', {}, { redirectUrl: 'https://shop.example/thanks' }),
    late: at('EXPIRED', { receivedSats: 20_000, claim: claim() }),
    requested: at('EXPIRED', { receivedSats: 20_000, claim: claim('requested') }),
    disputed: at('EXPIRED', { receivedSats: 20_000, claim: claim('disputed') }),
    returned: at('EXPIRED', { receivedSats: 20_000, claim: claim('returned') }),
  },
  CANCELLED: { '': at('CANCELLED', {}), paid: at('CANCELLED', { receivedSats: 20_000, claim: claim() }) },
};

const page =
  (view: CheckoutView, problem?: ClaimRefusal): State =>
  presentation => ({
    html: checkoutPage(view, { isEmbedded: false, query: { problem }, receipts }, presentation),
    contentSecurityPolicy: contentSecurityPolicy(),
  });

/** The page of a checkout in each of its states. */
export const checkoutStates: Readonly<Record<string, State>> = {
  ...Object.fromEntries(
    Object.entries(statuses).flatMap(([status, each]) =>
      Object.entries(each).map(([name, view]) => [`${status} ${name}`.trim(), page(view)]),
    ),
  ),
  'refused destination': page(at('EXPIRED', { receivedSats: 20_000, claim: claim() }), 'other_network'),
  unknown: presentation => ({ html: noCheckoutPage(presentation), contentSecurityPolicy: contentSecurityPolicy() }),
};
