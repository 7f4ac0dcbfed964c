import type { ProblemTable } from '../../foundation/http/problems.ts';
import type { ClaimDestinationRefusal } from './claim-destination.ts';
import type { ClaimRequestRefusal } from './claims.ts';

/** Errors of a claim's destination. */
export const claimProblems = {
  nothing_to_claim: { status: 409, message: 'No claim here is waiting for a destination' },
  too_many_destinations: {
    status: 409,
    message: 'Too many different destinations were given for this; the customer has to contact the merchant',
  },
  destination_invalid: {
    status: 400,
    path: 'destination',
    message: 'must be a bitcoin address, a Lightning address or a Lightning invoice',
  },
  other_network: {
    status: 400,
    path: 'destination',
    message: 'is on another bitcoin network than the payment was',
  },
  destination_of_merchant: {
    status: 400,
    path: 'destination',
    message: 'is where payments to the merchant arrive: give an address or an invoice of your own wallet',
  },
  invoice_expired: { status: 400, path: 'destination', message: 'has expired: give a newer Lightning invoice' },
  invoice_amount_differs: {
    status: 400,
    path: 'destination',
    message: 'is for a different amount than the claim: give a Lightning invoice for that amount, or without an amount',
  },
} as const satisfies ProblemTable<(ClaimDestinationRefusal | ClaimRequestRefusal)['kind']>;
