import {
  createLinkPayment,
  createPaymentLink,
  deletePaymentLink,
  getPaymentLink,
  listLinkPayments,
  listPaymentLinks,
} from '@florin/shared/contracts/api-v1/payment-links.ts';
import type { Clock } from '@florin/shared/ports.ts';
import { actorOf } from '../../foundation/http/callers.ts';
import { pageBefore, pageOf } from '../../foundation/http/pages.ts';
import { errorBy, invalidInput, type ProblemTable } from '../../foundation/http/problems.ts';
import { type Route, respond, route } from '../../foundation/http/route.ts';
import { linkPaymentOf } from '../../money/payments/payment.ts';
import type { PaymentRow } from '../../money/payments/rows.ts';
import { countedPaymentsOf, linkRecordOf, noBitcoin } from './link.ts';
import type { LinkCreationRefusal, LinkPaymentRefusal, LinkRemovalRefusal, Undecided } from './refusals.ts';
import type { PaymentLinkRow } from './rows.ts';
import type { LinkWithPayments, PaymentLinkService } from './service.ts';

/**
 * The HTTP operations of API keys on payment links. A payment whose outcome is unknown is a 202; a repetition then
 * returns its current state.
 */
export function paymentLinkRoutes(options: {
  paymentLinks: PaymentLinkService;
  clock: Clock;
  /** The public base URL, without a trailing slash. */
  publicUrl: string;
}): Route[] {
  const { paymentLinks, clock, publicUrl } = options;
  const recordOf = ({ link, payments, bitcoin }: LinkWithPayments) =>
    linkRecordOf(link, payments, bitcoin, { now: clock.now(), publicUrl });
  const paymentResponse = (payment: PaymentRow) =>
    respond(payment.status === 'pending' ? 202 : 201, linkPaymentOf(payment));

  return [
    route(createPaymentLink, async ({ caller, body, call }) => {
      const { amountInCents, minimumAmountInCents, expiresAt, externalReference, successUrl, ...given } = body;
      if (expiresAt !== undefined && Date.parse(expiresAt) <= clock.now())
        return invalidInput({ path: 'expiresAt', message: 'must be in the future' });
      const newLink = (link: PaymentLinkRow) => respond(201, recordOf({ link, payments: [], bitcoin: noBitcoin }));
      const input = {
        ...given,
        businessId: caller.businessId,
        amountMinor: amountInCents,
        minimumAmountMinor: minimumAmountInCents ?? null,
        expiresAt: expiresAt === undefined ? null : Date.parse(expiresAt),
        externalReference: externalReference ?? null,
        successUrl: successUrl ?? null,
      };
      const created = await paymentLinks.create(input, call.storing(newLink));
      return created.ok ? newLink(created.value) : errorBy(creationProblems, created.refusal);
    }),

    route(listPaymentLinks, async ({ caller, query }) => {
      const links = await paymentLinks.list({
        businessId: caller.businessId,
        status: query.status ?? null,
        ...pageBefore(query),
      });
      const { items, nextCursor } = pageOf(links, query, ({ link }) => link.id);
      return respond(200, { items: items.map(recordOf), nextCursor });
    }),

    route(getPaymentLink, async ({ caller, params }) => {
      const found = await paymentLinks.byId(caller.businessId, params.id);
      return found ? respond(200, recordOf(found)) : unknown();
    }),

    route(listLinkPayments, async ({ caller, params }) => {
      const found = await paymentLinks.byId(caller.businessId, params.id);
      return found
        ? respond(200, { items: countedPaymentsOf(found.payments, found.bitcoin), nextCursor: null })
        : unknown();
    }),

    route(deletePaymentLink, async ({ caller, params }) => {
      const removed = await paymentLinks.remove(caller.businessId, params.id);
      return removed.ok ? respond(200, recordOf(removed.value)) : removalError(removed.refusal);
    }),

    route(
      createLinkPayment,
      async ({ caller, params, body, call }) => {
        const paid = await paymentLinks.pay({
          businessId: caller.businessId,
          linkId: params.id,
          amountMinor: body.amountInCents ?? null,
          paymentToken: body.paymentToken,
          by: actorOf(caller),
          write: call.storing(paymentResponse),
        });
        return paid.ok ? paymentResponse(paid.value) : paymentError(paid.refusal);
      },
      {
        async current({ id }, { caller }) {
          const payment = await paymentLinks.payment(caller.businessId, id);
          return payment && paymentResponse(payment);
        },
      },
    ),
  ];
}

const unknown = () => errorBy(paymentProblems, { kind: 'payment_link_not_found' });

const creationProblems = {
  payment_links_disabled: { status: 409, message: 'Payment links are not enabled for this business' },
  no_payment_method: { status: 409, message: 'Set up a card gateway or a bitcoin node first: customers could not pay' },
} as const satisfies ProblemTable<LinkCreationRefusal['kind']>;

const paymentProblems = {
  payment_link_not_found: { status: 404, message: 'There is no such payment link' },
  no_gateway_account: { status: 409, message: 'This business has no account at a card gateway' },
  payment_link_deleted: { status: 409, message: 'This payment link is deleted' },
  payment_link_expired: { status: 409, message: 'This payment link has expired' },
  payment_link_paid: { status: 409, message: 'This payment link is already paid' },
  payment_in_progress: {
    status: 409,
    message:
      'Another payment of this link is in progress: read the link for its outcome before you take a payment or delete it',
  },
  payment_outcome_unknown: {
    status: 409,
    message:
      'Whether an earlier payment of this link took money is not known yet: the gateway is being polled. Read the link again in a few minutes, and take no other payment for it until then',
  },
  amount_exceeds_balance: { status: 409, message: 'The amount exceeds the balance' },
  part_payment_refused: { status: 409, message: 'The amount is below the minimum of this payment link' },
} as const satisfies ProblemTable<LinkPaymentRefusal['kind']>;

const deleteProblems = {
  payment_link_not_found: paymentProblems.payment_link_not_found,
  payment_link_paid: { status: 409, message: 'A paid payment link cannot be deleted' },
} as const satisfies ProblemTable<Exclude<LinkRemovalRefusal, Undecided>['kind']>;

/** Amounts in metadata are integers in the smallest unit of the payment's currency. */
function paymentError(refusal: LinkPaymentRefusal) {
  switch (refusal.kind) {
    case 'amount_exceeds_balance':
      return errorBy(paymentProblems, { kind: refusal.kind, remaining: refusal.balanceMinor });
    case 'part_payment_refused':
      return errorBy(paymentProblems, { kind: refusal.kind, minimum: refusal.minimumMinor });
    case 'no_gateway_account':
    case 'payment_link_not_found':
    case 'payment_link_deleted':
    case 'payment_link_expired':
    case 'payment_link_paid':
      return errorBy(paymentProblems, refusal);
    case 'payment_in_progress':
    case 'payment_outcome_unknown':
      return undecidedError(refusal);
  }
}

function removalError(refusal: LinkRemovalRefusal) {
  switch (refusal.kind) {
    case 'payment_link_not_found':
    case 'payment_link_paid':
      return errorBy(deleteProblems, refusal);
    case 'payment_in_progress':
    case 'payment_outcome_unknown':
      return undecidedError(refusal);
  }
}

/** An open bitcoin request has a known expiry. */
function undecidedError(refusal: Undecided) {
  const { bitcoin } = refusal;
  if (!bitcoin) return errorBy(paymentProblems, refusal);
  const { amountSats, receivedSats, expiresAt } = bitcoin;
  const message =
    receivedSats > 0
      ? `${receivedSats} of ${amountSats} sats have arrived for this link or are on their way. The bitcoin request is open until ${expiresAt}, and longer while a payment is unconfirmed: take no payment and do not delete the link until then`
      : `A bitcoin request for this link is open until ${expiresAt}, and the bitcoin node has not confirmed its cancellation: try again in a few seconds, or after that time`;
  return errorBy({ ...paymentProblems, payment_in_progress: { status: 409, message } as const }, refusal);
}
