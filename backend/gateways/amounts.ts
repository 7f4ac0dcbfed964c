import { exponentOf, type Money } from '@florin/shared/money.ts';
import type { CardGateway, NotSent } from './gateway.ts';

const invalidAmount: NotSent = { kind: 'notSent', cause: 'invalid_amount' };

/** Refuses amounts that are not a positive whole number of an ISO 4217 currency before they reach the adapter. */
export function refuseInvalidAmounts(gateway: CardGateway): CardGateway {
  function guarded<Request extends { readonly amount: Money }, Outcome>(
    send: (request: Request) => Promise<Outcome>,
  ): (request: Request) => Promise<Outcome | NotSent> {
    return async request => (isValidAmount(request.amount) ? send(request) : invalidAmount);
  }
  return {
    ...gateway,
    authoriseCardPresent: guarded(request => gateway.authoriseCardPresent(request)),
    authoriseEcommerce: guarded(request => gateway.authoriseEcommerce(request)),
    continueThreeDSecure: guarded(request => gateway.continueThreeDSecure(request)),
    cancel: guarded(request => gateway.cancel(request)),
    refundSale: guarded(request => gateway.refundSale(request)),
    refund: guarded(request => gateway.refund(request)),
    lookup: async request =>
      isValidAmount(request.amount) ? gateway.lookup(request) : { kind: 'unanswered', cause: invalidAmount.cause },
  };
}

function isValidAmount({ amountMinor, currency }: Money): boolean {
  return Number.isSafeInteger(amountMinor) && amountMinor > 0 && exponentOf(currency) !== undefined;
}
