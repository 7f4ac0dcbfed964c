import type { Approved, CardGateway, CardSummary, Declined } from './gateway.ts';

/** `not_genuine`: nothing of it is believed. `not_ours`: genuine, about an operation we did not make. */
export type CallbackOutcome = 'taken' | 'not_ours' | 'not_genuine';

type Evidence<More> = More & { readonly uniqueReference: string; readonly knownBy: 'callback' };

export type CallbackOptions = {
  readonly gateway: Pick<CardGateway, 'readCallback'>;
  /** Each answers whether the operation of this reference is one of its own. */
  readonly refunds: {
    takeEvidence(evidence: Evidence<{ verdict: Approved | Declined; amountMinor: number }>): Promise<boolean>;
  };
  readonly payments: {
    takeEvidence(
      evidence: Evidence<{
        evidence: (Approved & { authorisationCode?: string; card?: CardSummary }) | Declined;
        namedMinor?: number;
        partMinor?: number;
      }>,
    ): Promise<boolean>;
  };
};

/** What the gateway posts to us on its own: the outcome of an operation, signed, possibly before or long after its reply. */
export function gatewayCallbacks(options: CallbackOptions): (rawBody: string) => Promise<CallbackOutcome> {
  const { gateway, refunds, payments } = options;
  return async rawBody => {
    const callback = gateway.readCallback(rawBody);
    if (!callback) return 'not_genuine';
    const { uniqueReference, outcome, amountMinor, isPart, authorisationCode, card } = callback;
    const common = { uniqueReference, knownBy: 'callback' } as const;
    if (await refunds.takeEvidence({ ...common, amountMinor, verdict: outcome })) return 'taken';
    const details = { ...(authorisationCode ? { authorisationCode } : {}), ...(card ? { card } : {}) };
    const evidence = outcome.kind === 'approved' ? { ...outcome, ...details } : outcome;
    const amount = isPart ? { partMinor: amountMinor } : { namedMinor: amountMinor };
    return (await payments.takeEvidence({ ...common, ...amount, evidence })) ? 'taken' : 'not_ours';
  };
}
