import type { SeededNumbers } from './seeded.ts';

/** A bitcoin payment by a customer on a checkout or link. */
export type WalletPlan = {
  readonly network: 'lightning' | 'onchain';
  /** Delay after the page showed the amount; `late`: after the expiry. */
  readonly afterMs: number | 'late';
  /** The share of the requested amount. */
  readonly share: number;
  /** On chain: mined, replaced, dropped, or removed by a reorganisation once or permanently. */
  readonly behaviour: 'mined' | 'replaced' | 'dropped' | 'reorganised' | 'reverted';
};
/** The merchant's refunds and returns of payments. */
export type GivingBackPlan = {
  readonly afterMs: number;
  readonly refunds: readonly {
    readonly of: 'CANCEL' | 'REFUND_SALE' | 'REFUND' | 'BITCOIN';
    readonly share: number;
    readonly times: number;
    /** The bank settles the payment just before. */
    readonly settlesFirst: boolean;
  }[];
  /** The shares of the claimed bitcoin that are returned. */
  readonly returns: readonly number[];
};
/** A tab with the page of a link, or the shop's software with a card. */
export type TabPlan = { readonly afterMs: number } & (
  | { readonly rail: 'api'; readonly share: number; readonly times: number }
  | {
      readonly rail: 'card';
      /** How often the page sends it under one key. */
      readonly times: number;
      /** The customer's choice at the bank; null if no check is required. */
      readonly atBank: 'confirms' | 'confirmsTwice' | 'refuses' | 'leaves' | 'startsAgain' | null;
      readonly takesMs: number;
    }
  | { readonly rail: 'bitcoin'; readonly pays: readonly WalletPlan[]; readonly leavesAfterMs: number | null }
);
export type LinkPlan = {
  readonly amountMinor: number;
  /** The minimum partial payment; null if only full payment is allowed. */
  readonly minimumShare: number | null;
  readonly back: GivingBackPlan | null;
  readonly expiresAfterMs: number | null;
  readonly tabs: readonly TabPlan[];
  readonly deleteAfterMs: number | null;
};
/** A withdrawal from the node by the merchant. */
export type PayOutPlan = {
  readonly network: 'lightning' | 'onchain';
  /** On chain, the share of the node's balance. */
  readonly share: number;
  /** On chain, when a block is mined. */
  readonly minedAfterMs: number | null;
  /** The invoice it pays; an invoice may be tried again. */
  readonly invoice: number;
  readonly times: number;
};
export type CheckoutPlan = {
  readonly amountMinor: number;
  readonly isInSats: boolean;
  /** How often the shop's software creates it under one Idempotency-Key; 0: created without a key. */
  readonly times: number;
  readonly pays: readonly WalletPlan[];
  readonly cancelAfterMs: number | null;
  /** The customer gives a return destination. */
  readonly claims: boolean;
  readonly back: GivingBackPlan | null;
  /** Whether it has its own webhook URL. */
  readonly tellsOwnUrl: boolean;
};
/** A terminal sale requested in bitcoin. */
export type BitcoinSalePlan = {
  readonly amountMinor: number;
  readonly pays: readonly WalletPlan[];
  /** When a customer presents a card anyway. */
  readonly cardAfterMs: number | null;
  /** When staff withdraw the bitcoin request, finally or for the card. */
  readonly withdrawAfterMs: number | null;
  readonly to: 'card' | 'end';
};
/** A tip link whose tips are partly concurrent. */
export type TipPlan = {
  readonly tips: readonly { readonly amountSats: number; readonly pay: WalletPlan | null }[];
  readonly removeAfterMs: number | null;
};
/** A UCP checkout whose platform requests Lightning invoices and proves their payment. */
export type UcpPlan = {
  readonly amountMinor: number;
  readonly isInSats: boolean;
  /** When the platform requests the invoice, repeatedly. */
  readonly asksAfterMs: readonly number[];
  /** A payment of each returned invoice. */
  readonly pays: readonly WalletPlan[];
  readonly provesAfterMs: number;
};

function walletPlan(numbers: SeededNumbers): WalletPlan {
  const network = numbers.pick(['lightning', 'onchain'] as const);
  return {
    network,
    afterMs: numbers.chance(0.2) ? 'late' : numbers.pick([0, 0, 5, 300, 4_000, 30_000, 58_000]),
    share: numbers.pick(network === 'lightning' ? [1, 1, 1, 1.2] : [1, 1, 1, 0.5, 0.5, 1.3]),
    behaviour: numbers.pick(['mined', 'mined', 'mined', 'replaced', 'dropped', 'reorganised', 'reverted']),
  };
}

function givingBack(numbers: SeededNumbers): GivingBackPlan | null {
  if (numbers.chance(0.5)) return null;
  return {
    afterMs: numbers.pick([0, 40, 3_000, 20_000]),
    refunds: Array.from({ length: numbers.between(0, 2) }, () => ({
      of: numbers.pick(['CANCEL', 'REFUND_SALE', 'REFUND', 'BITCOIN', 'BITCOIN'] as const),
      share: numbers.pick([1, 1, 0.6, 0.3, 1.1]),
      times: numbers.pick([1, 1, 2]),
      settlesFirst: numbers.chance(0.4),
    })),
    returns: Array.from({ length: numbers.between(0, 2) }, () => numbers.pick([1, 1, 0.6, 0.3, 1.1])),
  };
}

function tabPlan(numbers: SeededNumbers): TabPlan {
  const afterMs = numbers.pick([0, 0, 0, 1, 30, 400, 6_000]);
  if (numbers.chance(0.2))
    return { afterMs, rail: 'api', share: numbers.pick([1, 0.7, 0.5, 0.3, 0.1]), times: numbers.pick([1, 1, 2]) };
  if (numbers.chance(0.5))
    return {
      afterMs,
      rail: 'card',
      times: numbers.pick([1, 1, 2]),
      atBank: numbers.pick([null, 'confirms', 'confirms', 'confirmsTwice', 'refuses', 'leaves', 'startsAgain']),
      takesMs: numbers.pick([0, 20, 3_000, 70_000]),
    };
  const pays = Array.from({ length: numbers.pick([0, 1, 1, 1, 2]) }, () => walletPlan(numbers));
  return {
    afterMs,
    rail: 'bitcoin',
    pays,
    leavesAfterMs: numbers.chance(0.4) ? numbers.pick([0, 1, 400, 5_000, 30_000]) : null,
  };
}

export function linkPlan(numbers: SeededNumbers): LinkPlan {
  return {
    amountMinor: numbers.between(2, 20) * 100,
    expiresAfterMs: numbers.chance(0.3) ? numbers.pick([3_000, 40_000, 70_000]) : null,
    tabs: Array.from({ length: numbers.pick([1, 2, 2, 3]) }, () => tabPlan(numbers)),
    deleteAfterMs: numbers.chance(0.25) ? numbers.pick([0, 10, 300, 5_000, 80_000]) : null,
    minimumShare: numbers.chance(0.4) ? numbers.pick([0.1, 0.4]) : null,
    back: givingBack(numbers),
  };
}

export function payOutPlan(numbers: SeededNumbers): PayOutPlan {
  return {
    network: numbers.pick(['lightning', 'onchain'] as const),
    share: numbers.pick([1, 1, 1.1, 0.9, 0.6, 0.6, 0.5, 0.3]),
    minedAfterMs: numbers.pick([null, 3_000, 40_000, 100_000]),
    invoice: numbers.between(0, 3),
    times: numbers.pick([1, 1, 2, 3]),
  };
}

export function checkoutPlan(numbers: SeededNumbers): CheckoutPlan {
  return {
    amountMinor: numbers.between(2, 30) * 100,
    isInSats: numbers.chance(0.2),
    times: numbers.pick([0, 1, 1, 2]),
    pays: Array.from({ length: numbers.pick([0, 1, 1, 1, 2, 2, 3]) }, () => walletPlan(numbers)),
    cancelAfterMs: numbers.chance(0.25) ? numbers.pick([0, 1, 30, 400, 5_000, 30_000]) : null,
    claims: numbers.chance(0.6),
    back: givingBack(numbers),
    tellsOwnUrl: numbers.chance(0.3),
  };
}

/** Terminal sales whose customers also pay after their end, while staff continue. */
export function bitcoinSalePlan(numbers: SeededNumbers): BitcoinSalePlan {
  return {
    amountMinor: numbers.between(1, 9) * 100,
    pays: Array.from({ length: numbers.pick([0, 1, 1, 1, 2]) }, () => ({
      ...walletPlan(numbers),
      ...(numbers.chance(0.3) ? { afterMs: 'late' as const } : {}),
    })),
    cardAfterMs: numbers.chance(0.5) ? numbers.pick([0, 100, 900, 5_000, 70_000]) : null,
    withdrawAfterMs: numbers.chance(0.5) ? numbers.pick([0, 10, 200, 3_000, 40_000]) : null,
    to: numbers.pick(['card', 'end']),
  };
}

const overLightning = (numbers: SeededNumbers): WalletPlan => ({
  ...walletPlan(numbers),
  network: 'lightning',
  share: numbers.pick([1, 1, 1, 1.2]),
});

export function tipPlan(numbers: SeededNumbers): TipPlan {
  return {
    tips: Array.from({ length: numbers.between(1, 3) }, () => ({
      amountSats: numbers.pick([900, 1_000, 2_500, 10_000, 10_001]),
      pay: numbers.chance(0.8) ? overLightning(numbers) : null,
    })),
    removeAfterMs: numbers.chance(0.3) ? numbers.pick([0, 300, 5_000]) : null,
  };
}

export function ucpPlan(numbers: SeededNumbers): UcpPlan {
  return {
    amountMinor: numbers.between(2, 30) * 100,
    isInSats: numbers.chance(0.3),
    asksAfterMs: Array.from({ length: numbers.between(1, 4) }, () => numbers.pick([0, 0, 40, 5_000, 62_000, 90_000])),
    pays: Array.from({ length: numbers.between(0, 2) }, () => overLightning(numbers)),
    provesAfterMs: numbers.pick([0, 400, 5_000, 30_000]),
  };
}
