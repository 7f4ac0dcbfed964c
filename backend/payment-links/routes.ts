import {
  createLinkPayment,
  createPaymentLink,
  deletePaymentLink,
  getPaymentLink,
  listLinkPayments,
  listPaymentLinks,
} from '@florin/shared/contracts/api-v1/payment-links.ts';
import type { Clock } from '@florin/shared/ports.ts';
import type { PaymentLinkRow, PaymentRow } from '../database/schema.ts';
import { pageBefore, pageOf } from '../http/pages.ts';
import { actorOf, answer, type Refused, type Route, refused, route, servedElsewhere } from '../http/route.ts';
import { linkPaymentOf, linkRecordOf } from './link.ts';
import type { LinkPaymentRefusal, LinkWithPayments, PaymentLinkService } from './service.ts';

export function paymentLinkRoutes(options: {
  paymentLinks: PaymentLinkService;
  clock: Clock;
  /** Where customers reach this service, without a slash at the end. */
  publicUrl: string;
}): Route[] {
  const { paymentLinks, clock, publicUrl } = options;
  const unknown = () => refused(404, 'There is no such payment link');
  const recordOf = ({ link, payments }: LinkWithPayments) =>
    linkRecordOf(link, payments, { now: clock.now(), publicUrl });
  const paymentAnswer = (payment: PaymentRow) =>
    answer(payment.status === 'pending' ? 202 : 201, linkPaymentOf(payment));

  return [
    route(
      createPaymentLink,
      async ({ caller, body, once }) => {
        const { amountInCents, minimumAmountInCents, expiresAt, externalReference, successUrl, ...given } = body;
        const newLink = (link: PaymentLinkRow) => answer(201, recordOf({ link, payments: [] }));
        const link = await paymentLinks.create(
          {
            ...given,
            businessId: caller.businessId,
            amountMinor: amountInCents,
            minimumAmountMinor: minimumAmountInCents ?? null,
            expiresAt: expiresAt === undefined ? null : Date.parse(expiresAt),
            externalReference: externalReference ?? null,
            successUrl: successUrl ?? null,
          },
          once && { call: once, answer: newLink },
        );
        return link === 'repeat' ? servedElsewhere() : newLink(link);
      },
      { flowKeepsOnce: true },
    ),

    route(listPaymentLinks, async ({ caller, query }) => {
      const links = await paymentLinks.list({ businessId: caller.businessId, ...pageBefore(query) });
      const { items, nextCursor } = pageOf(links, query.limit, ({ link }) => link.id);
      return answer(200, { items: items.map(recordOf), nextCursor });
    }),

    route(getPaymentLink, async ({ caller, params }) => {
      const found = await paymentLinks.byId(caller.businessId, params.id);
      return found ? answer(200, recordOf(found)) : unknown();
    }),

    route(listLinkPayments, async ({ caller, params }) => {
      const found = await paymentLinks.byId(caller.businessId, params.id);
      return found ? answer(200, { items: found.payments.map(linkPaymentOf), nextCursor: null }) : unknown();
    }),

    route(deletePaymentLink, async ({ caller, params }) => {
      const removed = await paymentLinks.remove(caller.businessId, params.id);
      if (removed.ok) return answer(200, recordOf(removed.value));
      const { kind: reason } = removed.refusal;
      return reason === 'payment_link_not_found'
        ? unknown()
        : refused(409, 'A paid payment link cannot be deleted', { reason });
    }),

    route(
      createLinkPayment,
      async ({ caller, params, body, once }) => {
        const paid = await paymentLinks.pay({
          businessId: caller.businessId,
          linkId: params.id,
          amountMinor: body.amountInCents ?? null,
          paymentToken: body.paymentToken,
          by: actorOf(caller),
          once,
          answer: paymentAnswer,
        });
        if (paid.kind === 'done') return paymentAnswer(paid.payment);
        return paid.kind === 'repeat' ? servedElsewhere() : refusalOf(paid.refusal);
      },
      { flowKeepsOnce: true },
    ),
  ];
}

function refusalOf(refusal: LinkPaymentRefusal): Refused {
  const { kind: reason } = refusal;
  switch (refusal.kind) {
    case 'payment_link_not_found':
      return refused(404, 'There is no such payment link');
    case 'payment_link_deleted':
      return refused(409, 'This payment link was deleted', { reason });
    case 'payment_link_expired':
      return refused(409, 'This payment link has expired', { reason });
    case 'payment_link_paid':
      return refused(409, 'This payment link is paid already', { reason });
    case 'amount_exceeds_balance':
      return refused(409, 'The amount is more than is left to pay', { reason, balanceInCents: refusal.balanceMinor });
    case 'part_payment_refused':
      return refused(409, 'This payment link takes no payment that small', {
        reason,
        minimumAmountInCents: refusal.minimumMinor,
      });
  }
}
