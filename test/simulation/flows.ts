import type { BitcoinSalePlan, CheckoutPlan, LinkPlan, PayOutPlan, WalletPlan } from './customer-plan.ts';
import type { Behaviour } from './gateway-model.ts';
import type { NodeBehaviour } from './node-model.ts';
import type { Action, ActorKind, SaleEnding, SettlementStage } from './plan.ts';

/** The outcomes of the one operation that a flow sends. */
export const outcomes = {
  approved: {},
  declined: { declined: true },
  unknownApplied: { replyLost: true },
  unknownNotApplied: { dropped: true },
  notSent: { refused: true },
  lateApproval: { arrivesAfterMs: 100_000 },
  wrongAmount: { replyLost: true, callbackAfterMs: 5_000, callbackAmountMinor: 12_345 },
  duplicate: { duplicated: true },
  callbackBeforeReply: { arrivesAfterMs: 10, callbackAfterMs: 0, callbackTwice: true },
  approvedTwice: { secondApprovalAfterMs: 3_000 },
  secondApprovalFirst: { replyLost: true, secondApprovalAfterMs: 1_000, callbackAfterMs: 4_000 },
  wrongAmountOnly: { dropped: true, callbackAfterMs: 5_000, callbackAmountMinor: 12_345 },
  callbackAfterLostReply: { replyLost: true, callbackAfterMs: 45_000, callbackTwice: true },
} as const satisfies Record<string, Behaviour>;

/** The fault of the first request that makes the bitcoin node create or send something. */
export const nodeOutcomes = {
  nodeNotSent: { refused: true },
  nodeDropped: { dropped: true },
  nodeReplyLost: { replyLost: true },
  nodeLate: { arrivesAfterMs: 15_000 },
  nodeFailed: { failed: true },
} as const satisfies Record<string, NodeBehaviour>;
export type OutcomeName = keyof typeof outcomes | keyof typeof nodeOutcomes;
export const isAtNode = (outcome: OutcomeName): outcome is keyof typeof nodeOutcomes => outcome in nodeOutcomes;

export type Scene = {
  readonly isSettled: boolean;
  /** Whether refunds at the till need a password; true by default. */
  readonly isPasswordProtected?: boolean;
  /** The number of staff members; 1 by default. */
  readonly staff?: number;
  readonly hasWebhooks?: boolean;
  readonly hasNode?: boolean;
  /** The number of processes; 1 by default. */
  readonly instances?: number;
  /** Delays one await after a read or write by this long, instead of freezing the process. */
  readonly heldUpMs?: number;
  readonly actors: readonly (readonly [ActorKind, readonly Action[]])[];
};
const base = { afterMs: 0, payment: 0, other: 0, share: 0.5, staff: 0 } as const;
const api = (of: 'CANCEL' | 'REFUND_SALE' | 'REFUND', times = 1): Action => ({ ...base, kind: 'apiRefund', of, times });
const till = (of: 'CANCEL' | 'REFUND_SALE', password: 'right' | 'wrong' = 'right'): Action => ({
  ...base,
  kind: 'staffRefund',
  of,
  password,
  tampering: null,
  repeats: 0,
});
const sale = (amountMinor: number, ending: SaleEnding): Action => ({
  ...base,
  kind: 'sale',
  amountMinor,
  ending,
});
const settlement = (afterMs: number, stage: SettlementStage = 'complete'): Action => ({
  ...base,
  afterMs,
  kind: 'settlement',
  isAll: true,
  stage,
});

const drivenSale = (more: Partial<Extract<Action, { kind: 'drivenSale' }>>): Action => ({
  ...base,
  kind: 'drivenSale',
  amountMinor: 500,
  times: 1,
  cancelAfterMs: null,
  isOnline: true,
  pickUpAfterMs: 10,
  cardAfterMs: 10,
  customer: 'pays',
  isTwice: false,
  ending: 'complete',
  ...more,
});

const withdrawal: Action = { ...base, kind: 'withdrawal', of: 'REFUND_SALE', lateMs: 1_000, isAgain: true };

/** Every flow that moves money. */
const wallet = (network: WalletPlan['network'], more: Partial<WalletPlan> = {}): WalletPlan => ({
  network,
  afterMs: 30,
  share: 1,
  behaviour: 'mined',
  ...more,
});
const checkout = (pays: CheckoutPlan['pays'], more: Partial<CheckoutPlan> = {}): Action => ({
  ...base,
  kind: 'checkout',
  amountMinor: 1_000,
  isInSats: false,
  times: 1,
  pays,
  cancelAfterMs: null,
  claims: false,
  back: null,
  tellsOwnUrl: false,
  ...more,
});
const link = (tabs: LinkPlan['tabs'], more: Partial<LinkPlan> = {}): Action => ({
  ...base,
  kind: 'link',
  amountMinor: 1_000,
  expiresAfterMs: null,
  tabs,
  deleteAfterMs: null,
  minimumShare: null,
  back: null,
  ...more,
});
const cardTab = (atBank: 'confirms' | null) => ({ afterMs: 0, rail: 'card', times: 1, atBank, takesMs: 100 }) as const;
const apiTab = (afterMs: number, share: number) => ({ afterMs, rail: 'api', share, times: 1 }) as const;
const refundOf = (of: 'CANCEL' | 'BITCOIN') => ({ of, share: 1, times: 1, settlesFirst: false }) as const;
const tips: Action = {
  ...base,
  kind: 'tips',
  tips: [
    { amountSats: 1_000, pay: wallet('lightning') },
    { amountSats: 2_500, pay: wallet('lightning', { share: 1.2 }) },
  ],
  removeAfterMs: 3_000,
};
const bitcoinSale = (more: Partial<BitcoinSalePlan>): Action => ({
  ...base,
  kind: 'bitcoinSale',
  amountMinor: 1_000,
  pays: [],
  cardAfterMs: null,
  withdrawAfterMs: null,
  to: 'end',
  ...more,
});
type UcpOptions = { readonly share?: number; readonly pays?: readonly WalletPlan[] };
const ucp = ({ share = 1, pays = [wallet('lightning', { share })] }: UcpOptions): Action => ({
  ...base,
  kind: 'ucp',
  amountMinor: 1_000,
  isInSats: false,
  asksAfterMs: [0, 62_000],
  pays,
  provesAfterMs: 500,
});
const payOut = (network: PayOutPlan['network'], more: Partial<PayOutPlan> = {}): Action => ({
  ...base,
  kind: 'payOut',
  network,
  share: 0.5,
  minedAfterMs: null,
  invoice: 0,
  times: 1,
  ...more,
});

export const flows = {
  cancel: { isSettled: false, actors: [['api', [api('CANCEL')]]] },
  cancelAtTheTill: { isSettled: false, actors: [['terminal', [till('CANCEL')]]] },
  refundSale: { isSettled: true, actors: [['api', [api('REFUND_SALE')]]] },
  refundSaleAtTheTill: { isSettled: true, actors: [['terminal', [till('REFUND_SALE')]]] },
  refund: { isSettled: true, actors: [['api', [api('REFUND')]]] },
  bitcoin: { isSettled: true, actors: [['api', [{ ...base, kind: 'bitcoin' }]]] },
  sale: { isSettled: true, actors: [['terminal', [sale(500, 'complete')]]] },
  // Longer than the time after which "not found" is final: the sale must not be sent after that.
  saleHeldUp: { isSettled: true, heldUpMs: 300_000, actors: [['terminal', [sale(500, 'complete')]]] },
  reverseAfterwards: { isSettled: true, actors: [['terminal', [sale(500, 'reverse')]]] },
  reverseMeanwhile: { isSettled: true, actors: [['terminal', [sale(200, 'reverse')]]] },
  resolve: {
    isSettled: true,
    actors: [
      ['api', [api('REFUND_SALE')]],
      ['office', [{ ...base, afterMs: 200_000, kind: 'resolve', isPremature: false }]],
    ],
  },
  sameKeyTwice: { isSettled: true, actors: [['api', [api('REFUND_SALE', 2)]]] },
  sameKeyElsewhere: { isSettled: true, instances: 2, actors: [['api', [api('REFUND_SALE', 2)]]] },
  voidMeetsSettlement: {
    isSettled: false,
    actors: [
      ['api', [api('CANCEL')]],
      ['office', [settlement(25)]],
    ],
  },
  reverseMeetsTender: {
    isSettled: true,
    actors: [
      ['terminal', [sale(500, 'reverseLate')]],
      ['office', [settlement(20_000, 'tender'), settlement(40_000)]],
    ],
  },
  resolveDiscrepancy: {
    isSettled: true,
    actors: [
      ['api', [api('REFUND_SALE')]],
      ['office', [{ ...base, afterMs: 12_000, kind: 'resolveDiscrepancy', outcome: 'gateway_right' }]],
    ],
  },
  withdrawal: { isSettled: true, isPasswordProtected: false, actors: [['terminal', [withdrawal]]] },
  enrolAgain: { isSettled: true, actors: [['terminal', [{ ...base, kind: 'enrolAgain', amountMinor: 500 }]]] },
  takeOver: {
    isSettled: true,
    staff: 2,
    actors: [['terminal', [{ ...base, kind: 'takeOver', of: 'REFUND_SALE', comesBack: true }]]],
  },
  drivenSale: { isSettled: true, hasWebhooks: true, actors: [['kiosk', [drivenSale({})]]] },
  drivenSaleCancelled: {
    isSettled: true,
    actors: [['kiosk', [drivenSale({ cancelAfterMs: 60, isTwice: true, times: 2 })]]],
  },
  wrongPassword: { isSettled: true, actors: [['terminal', [till('REFUND_SALE', 'wrong')]]] },
  passwordChange: { isSettled: true, actors: [['terminal', [{ ...base, kind: 'passwordChange', password: 'right' }]]] },
  checkoutLightning: { isSettled: true, hasNode: true, actors: [['customer', [checkout([wallet('lightning')])]]] },
  checkoutOnChain: { isSettled: true, hasNode: true, actors: [['customer', [checkout([wallet('onchain')])]]] },
  checkoutCancelled: {
    isSettled: true,
    hasNode: true,
    actors: [['customer', [checkout([wallet('lightning')], { cancelAfterMs: 300 })]]],
  },
  linkCard: { isSettled: true, hasNode: true, actors: [['customer', [link([cardTab(null)])]]] },
  linkCardConfirmed: { isSettled: true, hasNode: true, actors: [['customer', [link([cardTab('confirms')])]]] },
  linkBitcoin: {
    isSettled: true,
    hasNode: true,
    actors: [['customer', [link([{ afterMs: 0, rail: 'bitcoin', pays: [wallet('lightning')], leavesAfterMs: 300 }])]]],
  },
  // Paid, voided, and paid again, which must be refused.
  linkVoided: {
    isSettled: true,
    hasNode: true,
    actors: [
      [
        'customer',
        [
          link([cardTab(null), { ...cardTab(null), afterMs: 3_000 }], {
            back: { afterMs: 0, refunds: [refundOf('CANCEL')], returns: [] },
          }),
        ],
      ],
    ],
  },
  linkPaidInParts: {
    isSettled: true,
    hasNode: true,
    actors: [['customer', [link([apiTab(0, 0.3), apiTab(500, 0.1), apiTab(2_000, 1)], { minimumShare: 0.2 })]]],
  },
  checkoutReverted: {
    isSettled: true,
    hasNode: true,
    actors: [['customer', [checkout([wallet('onchain', { behaviour: 'reverted' })])]]],
  },
  checkoutOverpaidReturned: {
    isSettled: true,
    hasNode: true,
    actors: [
      [
        'customer',
        [
          checkout([wallet('onchain', { share: 1.3 })], {
            back: { afterMs: 60_000, refunds: [{ ...refundOf('BITCOIN'), share: 0.9 }], returns: [0.4] },
          }),
        ],
      ],
    ],
  },
  // A half is paid, then the whole amount: the half is returned.
  checkoutPaidTwiceReturned: {
    isSettled: false,
    hasNode: true,
    actors: [
      [
        'customer',
        [
          checkout([wallet('onchain', { share: 0.5 }), wallet('onchain', { afterMs: 500 })], {
            back: { afterMs: 60_000, refunds: [], returns: [0.4] },
          }),
        ],
      ],
    ],
  },
  checkoutNotified: {
    isSettled: true,
    hasNode: true,
    actors: [
      [
        'customer',
        [
          checkout([wallet('lightning')], { tellsOwnUrl: true }),
          checkout([], { tellsOwnUrl: true, cancelAfterMs: 50 }),
        ],
      ],
    ],
  },
  // The card has to wait while a bitcoin request is open.
  saleInBitcoin: {
    isSettled: true,
    hasNode: true,
    actors: [['terminal', [bitcoinSale({ pays: [wallet('onchain', { share: 1.3 })], cardAfterMs: 100 })]]],
  },
  // Switched to the card just as the customer pays.
  saleBackToCard: {
    isSettled: true,
    hasNode: true,
    actors: [
      [
        'terminal',
        [
          bitcoinSale({
            pays: [wallet('lightning')],
            withdrawAfterMs: 200,
            to: 'card',
            cardAfterMs: 900,
          }),
          bitcoinSale({
            withdrawAfterMs: 10,
            cardAfterMs: 900,
            to: 'card',
            pays: [wallet('onchain', { afterMs: 2_000 })],
          }),
        ],
      ],
    ],
  },
  tips: {
    isSettled: true,
    hasNode: true,
    actors: [['customer', [tips]]],
  },
  ucp: { isSettled: true, hasNode: true, actors: [['customer', [ucp({}), ucp({ share: 1.2 })]]] },
  // Longer than an invoice is payable: the next one is created while the first is being created.
  ucpHeldUp: { isSettled: true, hasNode: true, heldUpMs: 70_000, actors: [['customer', [ucp({ pays: [] })]]] },
  payOutLightning: { isSettled: true, hasNode: true, actors: [['treasurer', [payOut('lightning')]]] },
  payOutOnChain: { isSettled: true, hasNode: true, actors: [['treasurer', [payOut('onchain')]]] },
  // Longer than its lease: another process has decided meanwhile, and a late result must not undo that.
  payOutHeldUp: {
    isSettled: true,
    hasNode: true,
    heldUpMs: 300_000,
    actors: [['treasurer', [payOut('onchain', { minedAfterMs: 100_000 })]]],
  },
  payOutRace: {
    isSettled: true,
    hasNode: true,
    actors: [
      ['treasurer', [payOut('onchain', { share: 0.6 })]],
      ['treasurer', [payOut('onchain', { share: 0.6 }), payOut('onchain', { share: 1.1 })]],
    ],
  },
  payOutDue: {
    isSettled: true,
    hasNode: true,
    actors: [
      ['customer', [checkout([wallet('onchain', { share: 1.3 })])]],
      ['treasurer', [{ ...payOut('onchain', { share: 1 }), afterMs: 100_000 }]],
    ],
  },
  payOutTwice: {
    isSettled: true,
    hasNode: true,
    instances: 2,
    actors: [['treasurer', [payOut('onchain', { times: 2 })]]],
  },
} as const satisfies Record<string, Scene>;
export type FlowName = keyof typeof flows;

/** Flows that wait before their last action. */
const slowFlows: Partial<Record<FlowName, number>> = {
  resolve: 205_000,
  reverseMeetsTender: 75_000,
  resolveDiscrepancy: 17_000,
};
export const decidedAtOnceMs = Object.fromEntries(
  (Object.keys(flows) as FlowName[]).map(flow => [flow, slowFlows[flow] ?? 5_000]),
) as Record<FlowName, number>;

/** Flows for which most outcomes repeat what another flow covers. */
const outcomesOf: Partial<Record<FlowName, readonly OutcomeName[]>> = {
  bitcoin: ['approved'],
  wrongPassword: ['approved'],
  passwordChange: ['approved'],
  resolveDiscrepancy: ['wrongAmount', 'approvedTwice', 'secondApprovalFirst', 'wrongAmountOnly'],
  withdrawal: ['approved', 'unknownApplied', 'notSent', 'lateApproval'],
  enrolAgain: ['approved', 'unknownApplied', 'lateApproval'],
  takeOver: ['approved', 'unknownApplied'],
  drivenSale: ['approved', 'declined', 'unknownApplied', 'lateApproval'],
  drivenSaleCancelled: ['approved', 'unknownApplied'],
  checkoutLightning: ['approved', 'nodeReplyLost'],
  checkoutOnChain: ['approved', 'nodeReplyLost'],
  checkoutCancelled: ['approved'],
  linkCard: ['approved', 'declined', 'unknownApplied', 'unknownNotApplied', 'lateApproval', 'approvedTwice'],
  linkCardConfirmed: ['approved', 'unknownApplied', 'lateApproval'],
  linkBitcoin: ['approved'],
  linkVoided: ['approved'],
  linkPaidInParts: ['approved'],
  checkoutReverted: ['approved'],
  checkoutOverpaidReturned: ['approved'],
  checkoutPaidTwiceReturned: ['approved'],
  payOutLightning: ['approved', 'nodeNotSent', 'nodeDropped', 'nodeReplyLost', 'nodeLate', 'nodeFailed'],
  payOutOnChain: ['approved', 'nodeDropped', 'nodeReplyLost', 'nodeFailed'],
  payOutHeldUp: ['approved'],
  checkoutNotified: ['approved'],
  saleInBitcoin: ['approved'],
  saleBackToCard: ['approved'],
  tips: ['approved', 'nodeReplyLost'],
  ucp: ['approved', 'nodeReplyLost'],
  ucpHeldUp: ['approved'],
  payOutRace: ['approved'],
  payOutDue: ['approved'],
  payOutTwice: ['approved'],
};

export type Block = { readonly flow: FlowName; readonly outcome: OutcomeName };
export const blocks: readonly Block[] = (Object.keys(flows) as FlowName[]).flatMap(flow =>
  ([...Object.keys(outcomes), ...Object.keys(nodeOutcomes)] as OutcomeName[])
    .filter(outcome => outcomesOf[flow]?.includes(outcome) ?? !isAtNode(outcome))
    .map(outcome => ({ flow, outcome })),
);
