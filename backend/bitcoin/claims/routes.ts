import {
  type BitcoinClaimFacts,
  type BitcoinClaimRecord,
  getBitcoinClaim,
  listBitcoinClaims,
  returnBitcoinClaim,
} from '@florin/shared/contracts/api-v1/bitcoin-claims.ts';
import { getCustomerClaim, requestReturn } from '@florin/shared/contracts/claims.ts';
import { actorOf } from '../../foundation/http/callers.ts';
import { pageBefore, pageOf } from '../../foundation/http/pages.ts';
import { errorBy, type ProblemTable } from '../../foundation/http/problems.ts';
import { fail, type Route, respond, route } from '../../foundation/http/route.ts';
import { timestamp, timestampOf } from '../../money/payments/payment.ts';
import type { BusinessService } from '../../people/businesses/service.ts';
import { claimProblems } from '../invoices/problems.ts';
import type { BitcoinClaimRow } from '../invoices/rows.ts';
import type { BitcoinClaimService, ClaimView, ReturnRefusal } from './service.ts';

const unknownClaim = () => fail(404, 'claim_not_found', 'There is no such claim');

/** The merchant's operations on claims, and the customer's, which need only the claim's id. */
export function bitcoinClaimRoutes(options: {
  claims: BitcoinClaimService;
  businesses: Pick<BusinessService, 'find'>;
}): Route[] {
  const { claims, businesses } = options;

  async function customerView({ businessId, reason, amountSats, returnedSats, refundedSats, status }: BitcoinClaimRow) {
    const businessName = (await businesses.find(businessId))?.name ?? '';
    return respond(200, { businessName, reason, amountSats, returnedSats, refundedSats, status });
  }

  return [
    route(listBitcoinClaims, async ({ caller: { businessId }, query }) => {
      const { status = null, purpose = null, purposeId = null } = query;
      const rows = await claims.list({ businessId, status, purpose, purposeId, ...pageBefore(query) });
      const { items, nextCursor } = pageOf(rows, query, ({ id }) => id);
      return respond(200, { items: items.map(factsOf), nextCursor });
    }),

    route(getBitcoinClaim, async ({ caller, params }) => {
      const found = await claims.find(caller.businessId, params.id);
      return found ? respond(200, recordOf(found)) : unknownClaim();
    }),

    route(returnBitcoinClaim, async ({ caller, params, body, call }) => {
      const { amountSats = null, destination = null, note = null, network, txId } = body;
      const write = call.storing((view: ClaimView) => respond(200, recordOf(view)));
      const asked = { businessId: caller.businessId, id: params.id, by: actorOf(caller), write };
      const returned = await claims.markReturned({ ...asked, network, txId, amountSats, destination, note });
      return returned.ok ? respond(200, recordOf(returned.value)) : errorBy(problems, returned.refusal);
    }),

    route(getCustomerClaim, async ({ params }) => {
      const claim = await claims.forCustomer(params.id);
      return claim ? customerView(claim) : unknownClaim();
    }),

    route(requestReturn, async ({ params, body }) => {
      const claim = await claims.forCustomer(params.id);
      if (!claim) return unknownClaim();
      const destination = await claims.destinationOf(claim, body.destination);
      if (!destination.ok) return errorBy(claimProblems, destination.refusal);
      const requested = await claims.request(claim, destination.value);
      return requested.ok ? customerView(requested.value) : errorBy(claimProblems, requested.refusal);
    }),
  ];
}

function factsOf(row: BitcoinClaimRow): BitcoinClaimFacts {
  const { id, purpose, purposeId, reason, status, amountSats, returnedSats, refundedSats, destination } = row;
  const what = { id, purpose, purposeId, reason, status, amountSats, returnedSats, refundedSats, destination };
  return {
    ...what,
    createdAt: timestamp(row.createdAt),
    requestedAt: timestampOf(row.requestedAt),
    returnedAt: timestampOf(row.returnedAt),
  };
}

function recordOf({ claim, receipts, destinations, returns }: ClaimView): BitcoinClaimRecord {
  const paid = receipts.filter(({ status }) => status === 'confirmed');
  return {
    ...factsOf(claim),
    receipts: paid.map(({ network, txId, amountSats, paymentId }) => ({ network, txId, amountSats, paymentId })),
    destinations: destinations.map(({ destination, givenAt }) => ({ destination, givenAt: timestamp(givenAt) })),
    returns: returns.map(({ network, txId, amountSats, destination, note, actorKind: kind, actorId, createdAt }) => ({
      network,
      txId,
      amountSats,
      destination,
      note,
      by: { kind, id: actorId },
      returnedAt: timestamp(createdAt),
    })),
  };
}

const problems = {
  claim_not_found: { status: 404, message: 'There is no such claim' },
  claim_already_returned: { status: 409, message: 'This claim is already returned in full' },
  return_exceeds_claim: { status: 409, message: 'Amount exceeds what is left to return' },
  return_differs: {
    status: 409,
    message: 'This transaction is already recorded with another amount or destination',
  },
  destination_required: {
    status: 409,
    message: 'Different destinations were given for this claim: name the one that was paid',
  },
  destination_not_given: { status: 409, message: 'This destination was not given for this claim' },
} as const satisfies ProblemTable<ReturnRefusal['kind']>;
