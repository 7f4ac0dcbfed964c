import {
  type BitcoinSalePlan,
  bitcoinSalePlan,
  type CheckoutPlan,
  checkoutPlan,
  type LinkPlan,
  linkPlan,
  type PayOutPlan,
  payOutPlan,
  type TipPlan,
  tipPlan,
  type UcpPlan,
  ucpPlan,
} from './customer-plan.ts';
import { type SeededNumbers, seededNumbers } from './seeded.ts';

/**
 * The plan of a world, drawn completely before it starts: removing an actor or action does not change the others, which
 * makes shrinking possible.
 */
export type Plan = {
  readonly shop: ShopPlan;
  readonly actors: readonly ActorPlan[];
};

export type ShopPlan = {
  readonly timeZone: string;
  /** Minutes before local midnight at which the day's business begins; null at noon. */
  readonly beforeMidnightMinutes: number | null;
  readonly isPasswordProtected: boolean;
  /** Whether refunds are large enough to reach the staff's daily limits. */
  readonly isLimited: boolean;
  readonly instances: number;
  readonly terminals: number;
  readonly recoveryEveryMs: number;
  readonly staff: readonly StaffPlan[];
  readonly payments: readonly { readonly amountMinor: number; readonly isSettled: boolean }[];
  readonly hasBitcoin: boolean;
  /** Whether there are webhook endpoints. */
  readonly hasWebhooks: boolean;
  /** Whether the shop has a bitcoin node, and the confirmations a payment needs. */
  readonly hasNode: boolean;
  readonly confirmations: number;
  /** Refunds of the day before, which must not count towards today's limits. */
  readonly earlierRefunds: readonly {
    readonly staff: number;
    readonly amountMinor: number;
    readonly hoursBefore: number;
  }[];
};

export type StaffPlan = {
  readonly mayRefundAndVoid: 0 | 1;
  readonly perTransactionLimitMinor: number | null;
  readonly dailyLimitMinor: number | null;
  readonly passwordIsTemporary: 0 | 1;
};

export type Tampering =
  | 'amount'
  | 'payment'
  | 'kind'
  | 'terminal'
  | 'staff'
  | 'nonceOfStaff'
  | 'nonceOfTerminal'
  | 'replay'
  | 'late';
export type Action = {
  readonly afterMs: number;
  readonly payment: number;
  readonly other: number;
  /** The share of the payment's amount; above 1 it must be refused. */
  readonly share: number;
  readonly staff: number;
} & (
  | { readonly kind: 'sale'; readonly amountMinor: number; readonly ending: SaleEnding }
  | { readonly kind: 'reverseBeforeAuthorising' }
  | {
      readonly kind: 'drivenSale';
      readonly amountMinor: number;
      /** How often it is started under the same key. */
      readonly times: number;
      readonly cancelAfterMs: number | null;
      readonly isOnline: boolean;
      readonly pickUpAfterMs: number;
      readonly cardAfterMs: number;
      readonly customer: 'pays' | 'leaves' | 'busy' | 'nobody';
      /** The terminal sends every report twice and ignores the replies. */
      readonly isTwice: boolean;
      readonly ending: SaleEnding;
    }
  | {
      readonly kind: 'staffRefund';
      readonly of: 'CANCEL' | 'REFUND_SALE';
      readonly password: 'right' | 'wrong';
      readonly tampering: Tampering | null;
      readonly repeats: number;
    }
  | { readonly kind: 'guesses'; readonly times: number; readonly atOnce: boolean }
  | { readonly kind: 'passwordChange'; readonly password: 'right' | 'wrong' }
  | { readonly kind: 'offlineCheck'; readonly isKept: boolean }
  | { readonly kind: 'enrolAgain'; readonly amountMinor: number }
  | { readonly kind: 'takeOver'; readonly of: 'CANCEL' | 'REFUND_SALE'; readonly comesBack: boolean }
  | {
      readonly kind: 'withdrawal';
      readonly of: 'CANCEL' | 'REFUND_SALE';
      readonly lateMs: number;
      readonly isAgain: boolean;
    }
  | { readonly kind: 'apiRefund'; readonly of: 'CANCEL' | 'REFUND_SALE' | 'REFUND'; readonly times: number }
  | { readonly kind: 'repeatKey'; readonly isSameBody: boolean }
  | { readonly kind: 'bitcoin' }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'resolve'; readonly isPremature: boolean }
  | { readonly kind: 'resolveDiscrepancy'; readonly outcome: 'gateway_right' | 'records_right' }
  | {
      readonly kind: 'limits';
      readonly dailyLimitMinor: number | null;
      readonly perTransactionLimitMinor: number | null;
    }
  | { readonly kind: 'permission'; readonly mayRefundAndVoid: boolean }
  | { readonly kind: 'unlock' }
  | { readonly kind: 'settlement'; readonly isAll: boolean; readonly stage: SettlementStage }
  | { readonly kind: 'forgedCallback' }
  | { readonly kind: 'oldCallback' }
  | ({ readonly kind: 'checkout' } & CheckoutPlan)
  | ({ readonly kind: 'link' } & LinkPlan)
  | ({ readonly kind: 'payOut' } & PayOutPlan)
  | ({ readonly kind: 'bitcoinSale' } & BitcoinSalePlan)
  | ({ readonly kind: 'tips' } & TipPlan)
  | ({ readonly kind: 'ucp' } & UcpPlan)
);
/**
 * `reverse`: reversed at once. `reverseLate`: the terminal was offline, reverses the sale when it is back, and repeats that
 * until it is acknowledged. `nothing`: the terminal never comes back.
 */
export type SaleEnding = 'complete' | 'reverse' | 'reverseLate' | 'nothing';
/** How far the bank's settlement run gets: `tender` hands payments over, `complete` settles, `reject` refuses what was handed over. */
export type SettlementStage = 'tender' | 'complete' | 'reject';
export type ActorKind = 'terminal' | 'api' | 'office' | 'kiosk' | 'customer' | 'treasurer';
export type ActorPlan = { readonly id: number; readonly kind: ActorKind; readonly actions: readonly Action[] };

const zones = [
  'Europe/London',
  'America/New_York',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'Australia/Lord_Howe',
  'America/St_Johns',
];

export function drawPlan(seed: number): Plan {
  const numbers = seededNumbers(seed * 16 + 4);
  const shop = drawShop(numbers);
  const actors: ActorPlan[] = [];
  const add = (kind: ActorKind, most: number, draw: (numbers: SeededNumbers, shop: ShopDrawn) => Action) => {
    const id = actors.length;
    const own = seededNumbers((seed * 16 + 5) * 64 + id);
    actors.push({ id, kind, actions: Array.from({ length: own.between(1, most) }, () => draw(own, shop)) });
  };
  const customers = seededNumbers(seed * 16 + 10);
  const hasNode = customers.chance(0.25);
  const isCrowded = numbers.chance(0.15) && !hasNode;
  const tills = numbers.between(shop.isLimited ? 2 : 0, isCrowded ? 8 : 3);
  const programs = numbers.between(tills === 0 ? 1 : 0, isCrowded ? 8 : 3);
  // Fewer other actors with customers, so that a world stays small.
  const most = hasNode ? 1 : Number.POSITIVE_INFINITY;
  for (let at = 0; at < Math.min(tills, most); at += 1) add('terminal', 3, atTheTill);
  for (let at = 0; at < Math.min(programs, most); at += 1) add('api', 3, overTheApi);
  if (numbers.chance(0.6)) add('office', 4, inTheOffice);
  const software = seededNumbers(seed * 16 + 7);
  if (software.chance(0.3)) add('kiosk', 3, atTheKiosk);
  const hasWebhooks = software.chance(0.3);
  const confirmations = customers.between(1, 2);
  if (hasNode) for (let left = customers.between(1, 3); left > 0; left -= 1) add('customer', 2, asCustomer);
  if (hasNode && customers.chance(0.4)) add('treasurer', 3, payOut);
  const withoutKey = seededNumbers(seed * 16 + 11);
  if (hasNode && withoutKey.chance(0.5)) add('customer', 2, isWithoutKey);
  const tillsInBitcoin = seededNumbers(seed * 16 + 12);
  if (hasNode && tillsInBitcoin.chance(0.4)) add('terminal', 2, inBitcoinAtTheTill);
  return { shop: { ...shop, hasWebhooks, hasNode, confirmations }, actors };
}

type ShopDrawn = Omit<ShopPlan, 'hasWebhooks' | 'hasNode' | 'confirmations'>;

function drawShop(numbers: SeededNumbers): ShopDrawn {
  const isLimited = numbers.chance(0.5);
  const staff = Array.from({ length: numbers.between(1, 2) }, (): StaffPlan => {
    const limited = isLimited && numbers.chance(0.7);
    return {
      mayRefundAndVoid: numbers.chance(0.1) ? 0 : 1,
      perTransactionLimitMinor: limited && numbers.chance(0.4) ? numbers.between(5, 20) * 100 : null,
      dailyLimitMinor: limited ? numbers.between(4, 14) * 100 : null,
      passwordIsTemporary: numbers.chance(0.1) ? 1 : 0,
    };
  });
  const isAcrossMidnight = numbers.chance(0.5);
  const hasEarlierRefunds = isLimited && numbers.chance(0.3);
  return {
    timeZone: numbers.pick(zones),
    beforeMidnightMinutes: isAcrossMidnight ? numbers.pick([0, 1, 2]) : null,
    isPasswordProtected: !numbers.chance(0.1),
    isLimited,
    instances: numbers.between(1, 3),
    terminals: numbers.between(2, 4),
    recoveryEveryMs: numbers.pick([9_000, 17_000, 29_000]),
    staff,
    payments: Array.from({ length: numbers.between(1, 3) }, () => ({
      amountMinor: numbers.between(5, 20) * 100,
      isSettled: numbers.chance(isLimited ? 0.85 : 0.6),
    })),
    hasBitcoin: numbers.chance(0.1),
    earlierRefunds: hasEarlierRefunds
      ? [{ staff: 0, amountMinor: numbers.between(1, 5) * 100, hoursBefore: numbers.pick([13, 20, 23, 24]) }]
      : [],
  };
}

function common(numbers: SeededNumbers) {
  return {
    // Most actions happen at nearly the same time, so that they conflict.
    afterMs: numbers.pick([0, 0, 1, 5, 40, 1_000, 20_000, 61_000]),
    payment: numbers.between(0, 3),
    other: numbers.between(0, 3),
    share: numbers.pick([1, 1, 0.6, 0.5, 0.34, 0.1, 1.1]),
    staff: numbers.between(0, 1),
  };
}

type Weighted<Kind> = readonly (readonly [number, Kind])[];
function pickWeighted<Kind>(numbers: SeededNumbers, weighted: Weighted<Kind>): Kind {
  let left = numbers.unit() * weighted.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, kind] of weighted) {
    left -= weight;
    if (left < 0) return kind;
  }
  throw new Error('nothing to pick from');
}

const tamperings: readonly Tampering[] = [
  'amount',
  'payment',
  'kind',
  'terminal',
  'staff',
  'nonceOfStaff',
  'nonceOfTerminal',
  'replay',
  'late',
];

/** Mostly kinds that fit the payment: a request that is refused at once tests little. */
function fitting(numbers: SeededNumbers, { payments }: ShopDrawn, payment: number): 'CANCEL' | 'REFUND_SALE' {
  const isSettled = payments[payment % payments.length]?.isSettled === true;
  return isSettled === numbers.chance(0.85) ? 'REFUND_SALE' : 'CANCEL';
}

function atTheTill(numbers: SeededNumbers, shop: ShopDrawn): Action {
  const base = common(numbers);
  const kind = pickWeighted(numbers, [
    [10, 'staffRefund'],
    [3, 'sale'],
    [0.5, 'reverseBeforeAuthorising'],
    [1.5, 'guesses'],
    [1, 'passwordChange'],
    [0.7, 'offlineCheck'],
    [0.7, 'enrolAgain'],
    [1, 'takeOver'],
    [1, 'withdrawal'],
  ] as const);
  switch (kind) {
    case 'staffRefund': {
      const tampering = numbers.chance(0.2) ? numbers.pick(tamperings) : null;
      const password = numbers.chance(0.12) ? 'wrong' : 'right';
      const of = fitting(numbers, shop, base.payment);
      return { ...base, kind, of, password, tampering, repeats: numbers.chance(0.2) ? 1 : 0 };
    }
    case 'sale':
      return {
        ...base,
        kind,
        amountMinor: numbers.between(1, 9) * 100,
        ending: numbers.pick(['complete', 'reverse', 'reverseLate', 'nothing']),
      };
    case 'guesses':
      return { ...base, kind, times: numbers.between(3, 12), atOnce: numbers.chance(0.5) };
    case 'passwordChange':
      return { ...base, kind, password: numbers.chance(0.2) ? 'wrong' : 'right' };
    case 'withdrawal': {
      const of = fitting(numbers, shop, base.payment);
      const lateMs = numbers.pick([0, 1, 40, 1_000, 20_000]);
      return { ...base, kind, of, lateMs, isAgain: numbers.chance(0.7) };
    }
    case 'offlineCheck':
      return { ...base, kind, isKept: numbers.chance(0.5) };
    case 'enrolAgain':
      return { ...base, kind, amountMinor: numbers.between(1, 9) * 100 };
    case 'takeOver':
      return { ...base, kind, of: fitting(numbers, shop, base.payment), comesBack: numbers.chance(0.6) };
    case 'reverseBeforeAuthorising':
      return { ...base, kind };
  }
}

function atTheKiosk(numbers: SeededNumbers): Action {
  return {
    ...common(numbers),
    kind: 'drivenSale',
    amountMinor: numbers.between(1, 9) * 100,
    times: numbers.pick([1, 1, 2, 3]),
    cancelAfterMs: numbers.chance(0.4) ? numbers.pick([0, 1, 20, 45, 300, 2_000, 30_000]) : null,
    isOnline: numbers.chance(0.6),
    pickUpAfterMs: numbers.pick([0, 1, 20, 500, 10_000, 70_000]),
    cardAfterMs: numbers.pick([0, 10, 2_000, 50_000]),
    customer: numbers.pick(['pays', 'pays', 'pays', 'pays', 'leaves', 'busy', 'nobody']),
    isTwice: numbers.chance(0.3),
    ending: numbers.pick(['complete', 'complete', 'complete', 'reverse', 'reverseLate', 'nothing']),
  };
}

function asCustomer(numbers: SeededNumbers): Action {
  return numbers.chance(0.5)
    ? { ...common(numbers), kind: 'checkout', ...checkoutPlan(numbers) }
    : { ...common(numbers), kind: 'link', ...linkPlan(numbers) };
}

function isWithoutKey(numbers: SeededNumbers): Action {
  return numbers.chance(0.35)
    ? { ...common(numbers), kind: 'tips', ...tipPlan(numbers) }
    : { ...common(numbers), kind: 'ucp', ...ucpPlan(numbers) };
}

function inBitcoinAtTheTill(numbers: SeededNumbers): Action {
  return { ...common(numbers), kind: 'bitcoinSale', ...bitcoinSalePlan(numbers) };
}

function payOut(numbers: SeededNumbers): Action {
  return { ...common(numbers), kind: 'payOut', ...payOutPlan(numbers) };
}

function overTheApi(numbers: SeededNumbers, shop: ShopDrawn): Action {
  const base = common(numbers);
  const kind = pickWeighted(numbers, [
    [10, 'apiRefund'],
    [2, 'repeatKey'],
    [0.7, 'bitcoin'],
    [0.5, 'foreign'],
  ] as const);
  switch (kind) {
    case 'apiRefund': {
      const of = numbers.chance(0.15) ? 'REFUND' : fitting(numbers, shop, base.payment);
      return { ...base, kind, of, times: numbers.chance(0.25) ? numbers.between(2, 3) : 1 };
    }
    case 'repeatKey':
      return { ...base, kind, isSameBody: numbers.chance(0.8) };
    case 'bitcoin':
    case 'foreign':
      return { ...base, kind };
  }
}

function inTheOffice(numbers: SeededNumbers): Action {
  const base = common(numbers);
  const kind = pickWeighted(numbers, [
    [4, 'settlement'],
    [3, 'resolve'],
    [3, 'resolveDiscrepancy'],
    [2, 'limits'],
    [1, 'permission'],
    [1, 'unlock'],
    [1, 'forgedCallback'],
    [1, 'oldCallback'],
  ] as const);
  switch (kind) {
    case 'settlement':
      return {
        ...base,
        kind,
        isAll: numbers.chance(0.7),
        stage: numbers.pick(['complete', 'complete', 'complete', 'tender', 'tender', 'reject']),
      };
    case 'resolve':
      return { ...base, kind, isPremature: numbers.chance(0.3) };
    case 'resolveDiscrepancy':
      return { ...base, kind, outcome: numbers.pick(['gateway_right', 'records_right']) };
    case 'limits':
      return {
        ...base,
        kind,
        dailyLimitMinor: numbers.chance(0.3) ? null : numbers.between(1, 30) * 100,
        perTransactionLimitMinor: numbers.chance(0.6) ? null : numbers.between(1, 20) * 100,
      };
    case 'permission':
      return { ...base, kind, mayRefundAndVoid: numbers.chance(0.5) };
    case 'unlock':
    case 'forgedCallback':
    case 'oldCallback':
      return { ...base, kind };
  }
}
