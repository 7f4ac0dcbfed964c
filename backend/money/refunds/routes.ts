import { getRefundOptions } from '@florin/shared/contracts/api-v1/refund-options.ts';
import {
  createBitcoinRefund,
  createBitcoinRefundOfLink,
  createBitcoinRefundOfPayment,
  createCardRefund,
  createCardRefundOfLink,
  createCardRefundOfPayment,
  getRefund,
  listRefunds,
  resolveRefund,
} from '@florin/shared/contracts/api-v1/refunds.ts';
import type { BodyOf } from '@florin/shared/contracts/contract.ts';
import {
  createTerminalRefund,
  getTerminalRefund,
  reportReaderRefund,
  withdrawTerminalRefund,
} from '@florin/shared/contracts/device-v1/refunds.ts';
import type { Clock } from '@florin/shared/ports.ts';
import { actorOf, type MerchantCaller } from '../../foundation/http/callers.ts';
import { decisionOf } from '../../foundation/http/decisions.ts';
import { pageBefore, pageOf } from '../../foundation/http/pages.ts';
import { errorBy, invalidInput, type ProblemTable } from '../../foundation/http/problems.ts';
import { fail, type Route, respond, route } from '../../foundation/http/route.ts';
import type { IdempotentCall } from '../../foundation/idempotency/call.ts';
import { isStaffRefusal } from '../../people/staff/problems.ts';
import type { StaffRefusal } from '../../people/staff/refusal.ts';
import type { PaymentRow } from '../payments/rows.ts';
import type { SaleRecords } from '../payments/sale-records.ts';
import type { ReceiptAddresses } from '../receipts/address.ts';
import type { IdentifyPayment } from './identify.ts';
import type { refundOptions } from './options.ts';
import { refundError, terminalRefundError } from './problems.ts';
import {
  type AnyRefundRefusal,
  type BitcoinRefundRefusal,
  type RefundRefusal,
  type RefundView,
  refundRecordOf,
  terminalRequestId,
} from './refund.ts';
import type { RefundService, ResolutionRefusal } from './service.ts';

export type RefundRoutesOptions = {
  readonly refunds: RefundService;
  readonly identifyPayment: IdentifyPayment;
  readonly options: ReturnType<typeof refundOptions>;
  readonly sales: SaleRecords;
  readonly receipts: ReceiptAddresses;
  readonly clock: Clock;
};

/** The HTTP operations on refunds, of API keys and of terminals; the rules are in service.ts. */
export function refundRoutes(options: RefundRoutesOptions): Route[] {
  return [...apiRoutes(options), ...terminalRoutes(options)];
}

/** 202 while the outcome is unknown, then 201 for any outcome. decisions: Refund record. */
function responsesWith(receipts: ReceiptAddresses) {
  return (view: RefundView) => respond(view.refund.status === 'pending' ? 202 : 201, refundRecordOf(view, receipts));
}

/** Makes it once for the same value: a call stores its response for the key and then sends it. */
function keepingLast<Value, Made>(make: (value: Value) => Made): (value: Value) => Made {
  let last: { readonly value: Value; readonly made: Made } | undefined;
  return value => {
    if (last?.value !== value) last = { value, made: make(value) };
    return last.made;
  };
}

type TerminalRefusal = StaffRefusal | Extract<RefundRefusal, { kind: 'request_differs' | 'refund_withdrawn' }>;

/** An API key asks for no staff check, and its request ids are made from the request itself. */
function isForTerminals(refusal: AnyRefundRefusal | BitcoinRefundRefusal): refusal is TerminalRefusal {
  return isStaffRefusal(refusal) || refusal.kind === 'request_differs' || refusal.kind === 'refund_withdrawn';
}

/** An internal error: it becomes a 500. */
function notForTheApi({ kind }: TerminalRefusal): never {
  throw new Error(`a refund of the API was refused with ${kind}`);
}

function apiRoutes({ refunds, identifyPayment, options, receipts }: RefundRoutesOptions): Route[] {
  const recordOf = (view: RefundView) => refundRecordOf(view, receipts);
  const refundResponse = responsesWith(receipts);
  type CardRequest = {
    readonly caller: MerchantCaller;
    readonly body: BodyOf<typeof createCardRefund | typeof createCardRefundOfPayment>;
    readonly call: IdempotentCall;
  };
  async function refundCard(
    payment: { readonly paymentId: string; readonly lastSeen?: PaymentRow },
    { caller, body, call }: CardRequest,
  ) {
    const responseOf = keepingLast(refundResponse);
    const write = call.storing(responseOf);
    const outcome = await refunds.requestCard({
      ...payment,
      businessId: caller.businessId,
      kind: body.kind,
      amountMinor: body.amountInCents ?? null,
      by: actorOf(caller),
      reason: body.reason ?? null,
      remainingSeen: body.remainingSeen ?? null,
      clientRequestId: write.clientRequestId,
      write,
    });
    if (outcome.kind === 'done') return responseOf(outcome.view);
    return isForTerminals(outcome.refusal) ? notForTheApi(outcome.refusal) : refundError(outcome.refusal);
  }

  const currentRefund = {
    async current({ id }: { readonly id: string }, { caller }: { readonly caller: MerchantCaller }) {
      const view = await refunds.byId(caller.businessId, id);
      return view && refundResponse(view);
    },
  };

  const cardRefund = (path: typeof createCardRefund) =>
    route(
      path,
      async request => {
        const { caller, params, body } = request;
        const { businessId } = caller;
        const { kind, paymentId = null } = body;
        // Specification: Card refund request.
        if (kind === 'REFUND' && caller.kind === 'portalSession')
          return invalidInput({ path: 'kind', message: 'must not be REFUND in the portal, which never issues one' });
        const identified = await identifyPayment({ businessId, paymentLinkId: params.id, paymentId, kind });
        if (!identified.ok) return refundError(identified.refusal);
        return refundCard({ paymentId: identified.value.id, lastSeen: identified.value }, request);
      },
      currentRefund,
    );

  const bitcoinRefund = (path: typeof createBitcoinRefund) =>
    route(path, async ({ caller, params, body, call }) => {
      const { businessId } = caller;
      const { paymentId = null } = body;
      const identified = await identifyPayment({ businessId, paymentLinkId: params.id, paymentId, kind: 'BITCOIN' });
      if (!identified.ok) return refundError(identified.refusal);
      return recordBitcoin(identified.value.id, { caller, body, call });
    });

  async function recordBitcoin(
    paymentId: string,
    {
      caller,
      body,
      call,
    }: { caller: MerchantCaller; body: BodyOf<typeof createBitcoinRefundOfPayment>; call: IdempotentCall },
  ) {
    const recorded = (view: RefundView) => respond(201, recordOf(view));
    const write = call.storing(recorded);
    const outcome = await refunds.recordBitcoin({
      businessId: caller.businessId,
      paymentId,
      amountSats: body.amount,
      by: actorOf(caller),
      reason: body.reason ?? null,
      remainingSeen: body.remainingSeen ?? null,
      clientRequestId: write.clientRequestId,
      write,
    });
    if (outcome.kind === 'done') return recorded(outcome.view);
    return isForTerminals(outcome.refusal) ? notForTheApi(outcome.refusal) : refundError(outcome.refusal);
  }

  return [
    ...[createCardRefund, createCardRefundOfLink].map(cardRefund),
    ...[createBitcoinRefund, createBitcoinRefundOfLink].map(bitcoinRefund),

    route(createCardRefundOfPayment, request => refundCard({ paymentId: request.params.id }, request), currentRefund),

    route(createBitcoinRefundOfPayment, request => recordBitcoin(request.params.id, request)),

    route(getRefundOptions, async ({ caller: { businessId }, params, query, languages }) => {
      const { amountInCents: amountMinor = null, amount: amountSats = null } = query;
      const found = await options({
        businessId,
        paymentId: params.id,
        amountMinor,
        amountSats,
        languages: languages(),
      });
      return found ? respond(200, found) : refundError({ kind: 'payment_not_found' });
    }),

    route(listRefunds, async ({ caller, query }) => {
      const { paymentId = null, status = null } = query;
      const views = await refunds.list({ businessId: caller.businessId, paymentId, status, ...pageBefore(query) });
      const { items, nextCursor } = pageOf(views, query, view => view.refund.id);
      return respond(200, { items: items.map(recordOf), nextCursor });
    }),

    route(getRefund, async ({ caller, params }) => {
      const view = await refunds.byId(caller.businessId, params.id);
      return view ? respond(200, recordOf(view)) : errorBy(resolutionProblems, { kind: 'refund_not_found' });
    }),

    route(resolveRefund, async request => {
      const record = (view: RefundView) => respond(200, recordOf(view));
      const resolved = await refunds.resolve(decisionOf(request, record));
      return resolved.ok ? record(resolved.value) : errorBy(resolutionProblems, resolved.refusal);
    }),
  ];
}

const resolutionProblems = {
  refund_not_found: { status: 404, message: 'There is no such refund' },
  refund_not_pending: { status: 409, message: 'This refund is final and does not change any more' },
  still_asking: {
    status: 409,
    message:
      'The service is still asking the gateway about this refund: evidence is accepted only after the last attempt',
  },
} as const satisfies ProblemTable<ResolutionRefusal['kind']>;

function terminalRoutes({ refunds, sales, receipts, clock }: RefundRoutesOptions): Route[] {
  const terminalBody = async (view: RefundView) => ({
    refund: refundRecordOf(view, receipts),
    sale: await sales.of(view.payment),
  });
  const unknownRequest = () => fail(404, 'refund_not_found', 'This terminal asked for no such refund');
  return [
    route(createTerminalRefund, async ({ caller, body }) => {
      const { businessId } = caller;
      const outcome = await refunds.requestCard({
        businessId,
        paymentId: body.paymentId,
        kind: body.kind,
        amountMinor: body.amountInCents ?? null,
        by: actorOf(caller),
        authorisation: body.authorisation,
        approval: body.approval,
        reason: null,
        clientRequestId: terminalRequestId(caller.machineId, body.requestId),
      });
      if (outcome.kind === 'refused') return terminalRefundError(outcome.refusal, clock);
      const { view } = outcome;
      return respond(view.refund.status === 'pending' ? 202 : 201, await terminalBody(view));
    }),

    route(withdrawTerminalRefund, async ({ caller, params }) => {
      const { businessId, terminalId } = caller;
      const clientRequestId = terminalRequestId(caller.machineId, params.requestId);
      const view = await refunds.withdraw({ businessId, terminalId, clientRequestId });
      return view ? respond(200, await terminalBody(view)) : unknownRequest();
    }),

    route(reportReaderRefund, async ({ caller, params, body }) => {
      const { businessId, terminalId } = caller;
      const clientRequestId = terminalRequestId(caller.machineId, params.requestId);
      const recorded = await refunds.recordByReader({ businessId, terminalId, clientRequestId, outcome: body });
      if (recorded.ok) return respond(200, await terminalBody(recorded.value));
      return recorded.refusal.kind === 'refund_not_found'
        ? unknownRequest()
        : fail(409, recorded.refusal.kind, 'The service itself returns the money of this sale');
    }),

    route(getTerminalRefund, async ({ caller, params }) => {
      const { businessId } = caller;
      const view = await refunds.byRequest(businessId, terminalRequestId(caller.machineId, params.requestId));
      return view ? respond(200, await terminalBody(view)) : unknownRequest();
    }),
  ];
}
