import {
  createBitcoinRefund,
  createCardRefund,
  getRefund,
  listRefunds,
  resolveRefund,
} from '@florin/shared/contracts/api-v1/refunds.ts';
import { createTerminalRefund, getTerminalRefund } from '@florin/shared/contracts/device-v1/refunds.ts';
import type { Clock } from '@florin/shared/ports.ts';
import { pageBefore, pageOf } from '../http/pages.ts';
import { lacksPermissions } from '../http/problems.ts';
import { actorOf, answer, type Refused, type Route, refused, route, servedElsewhere } from '../http/route.ts';
import { saleRecordOf } from '../payments/payment.ts';
import type { IdentifyPayment, IdentifyRefusal } from './identify.ts';
import { refundProblem } from './problems.ts';
import { type AnyRefundRefusal, type RefundView, refundRecordOf } from './refund.ts';
import type { RefundService } from './service.ts';

export type RefundRoutesOptions = {
  readonly refunds: RefundService;
  readonly identifyPayment: IdentifyPayment;
  readonly clock: Clock;
};

export function refundRoutes(options: RefundRoutesOptions): Route[] {
  return [...apiRoutes(options), ...terminalRoutes(options)];
}

/** 202 while the outcome is not known, 201 once it is, whichever it is. decisions: Refund record. */
function refundAnswer(view: RefundView) {
  return answer(view.refund.status === 'pending' ? 202 : 201, refundRecordOf(view));
}

function terminalBody(view: RefundView) {
  return { refund: refundRecordOf(view), sale: saleRecordOf(view.payment) };
}

function refusalOf(refusal: AnyRefundRefusal | IdentifyRefusal, clock: Clock): Refused {
  if (refusal.kind === 'payment_link_not_found') return refused(404, 'There is no such payment link');
  return { refused: refundProblem(refusal, clock) };
}

function apiRoutes({ refunds, identifyPayment, clock }: RefundRoutesOptions): Route[] {
  return [
    route(
      createCardRefund,
      async ({ caller, params, body, once }) => {
        const { businessId, permissions } = caller;
        if (body.kind === 'REFUND' && !permissions.has('refunds:write'))
          return { refused: lacksPermissions(['refunds:write']) };
        const paymentLinkId = params.id;
        const { kind, paymentId = null } = body;
        const identified = await identifyPayment({ businessId, paymentLinkId, paymentId, kind });
        if (!identified.ok) return refusalOf(identified.refusal, clock);
        const outcome = await refunds.requestCard({
          businessId,
          paymentId: identified.value.id,
          lastSeen: identified.value,
          kind,
          amountMinor: body.amountInCents ?? null,
          by: actorOf(caller),
          reason: body.reason ?? null,
          clientRequestId: once?.clientRequestId ?? null,
          once,
          answer: refundAnswer,
        });
        if (outcome.kind === 'done') return refundAnswer(outcome.view);
        return outcome.kind === 'repeat' ? servedElsewhere() : refusalOf(outcome.refusal, clock);
      },
      { flowKeepsOnce: true },
    ),

    route(
      createBitcoinRefund,
      async ({ caller, params, body, once }) => {
        const { businessId } = caller;
        const { paymentId = null, amount: amountSats } = body;
        const identified = await identifyPayment({ businessId, paymentLinkId: params.id, paymentId, kind: 'BITCOIN' });
        if (!identified.ok) return refusalOf(identified.refusal, clock);
        const outcome = await refunds.recordBitcoin({
          businessId,
          paymentId: identified.value.id,
          amountSats,
          by: actorOf(caller),
          reason: body.reason ?? null,
          clientRequestId: once?.clientRequestId ?? null,
          once,
          answer: refundAnswer,
        });
        if (outcome.kind === 'done') return answer(201, refundRecordOf(outcome.view));
        return outcome.kind === 'repeat' ? servedElsewhere() : refusalOf(outcome.refusal, clock);
      },
      { flowKeepsOnce: true },
    ),

    route(listRefunds, async ({ caller, query }) => {
      const { paymentId = null, status = null } = query;
      const views = await refunds.list({ businessId: caller.businessId, paymentId, status, ...pageBefore(query) });
      const { items, nextCursor } = pageOf(views, query.limit, view => view.refund.id);
      return answer(200, { items: items.map(refundRecordOf), nextCursor });
    }),

    route(getRefund, async ({ caller, params }) => {
      const view = await refunds.byId(caller.businessId, params.id);
      return view ? answer(200, refundRecordOf(view)) : refused(404, 'There is no such refund');
    }),

    route(
      resolveRefund,
      async ({ caller, params, body, once }) => {
        const resolved = await refunds.resolve({
          businessId: caller.businessId,
          refundId: params.id,
          outcome: body.outcome,
          evidence: body.evidence,
          gatewayReference: body.gatewayReference ?? null,
          by: actorOf(caller),
          once: once && { call: once, answerOf: view => answer(200, refundRecordOf(view)) },
        });
        if (resolved.ok) return answer(200, refundRecordOf(resolved.value));
        const { kind: reason } = resolved.refusal;
        if (reason === 'repeat') return servedElsewhere();
        return reason === 'refund_not_found'
          ? refused(404, 'There is no such refund')
          : refused(409, whyNotResolvable[reason], { reason });
      },
      { flowKeepsOnce: true },
    ),
  ];
}

const whyNotResolvable = {
  refund_not_pending: 'This refund is final and does not change any more',
  refund_in_progress: 'This refund may still be on its way to the gateway; wait a few minutes',
} as const;

function terminalRoutes({ refunds, clock }: RefundRoutesOptions): Route[] {
  return [
    route(createTerminalRefund, async ({ caller, body }) => {
      const { businessId, terminalId } = caller;
      const outcome = await refunds.requestCard({
        businessId,
        paymentId: body.paymentId,
        kind: body.kind,
        amountMinor: body.amountInCents ?? null,
        by: actorOf(caller),
        authorisation: body.authorisation,
        reason: null,
        clientRequestId: terminalRequestId(terminalId, body.requestId),
      });
      if (outcome.kind === 'done') {
        const { view } = outcome;
        return answer(view.refund.status === 'pending' ? 202 : 201, terminalBody(view));
      }
      return outcome.kind === 'repeat' ? servedElsewhere() : refusalOf(outcome.refusal, clock);
    }),

    route(getTerminalRefund, async ({ caller, params }) => {
      const { businessId, terminalId } = caller;
      const view = await refunds.byRequest(businessId, terminalRequestId(terminalId, params.requestId));
      return view ? answer(200, terminalBody(view)) : refused(404, 'This terminal asked for no such refund');
    }),
  ];
}

/** A terminal's own id of a refund; another terminal's equal one is another request. */
function terminalRequestId(terminalId: string, requestId: string): string {
  return `${terminalId}:${requestId}`;
}
