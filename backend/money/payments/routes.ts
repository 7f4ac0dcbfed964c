import { cardSchemeOf } from '@florin/shared/card-schemes.ts';
import {
  followPayments,
  getPayment,
  getPaymentTimeline,
  listPayments,
  resolvePayment,
} from '@florin/shared/contracts/api-v1/payments.ts';
import {
  authoriseSale,
  completeSale,
  getSale,
  listSales,
  recordSale,
  reportUnknownSale,
  reverseSale,
} from '@florin/shared/contracts/device-v1/sales.ts';
import { cursorText } from '@florin/shared/contracts/lists.ts';
import { decisionOf } from '../../foundation/http/decisions.ts';
import { instantOf, pageAfter, pageBefore, pageOf } from '../../foundation/http/pages.ts';
import { errorBy, type ProblemTable } from '../../foundation/http/problems.ts';
import { fail, type Route, respond, respondEvents, route } from '../../foundation/http/route.ts';
import type { ReceiptAddresses } from '../receipts/address.ts';
import type { livePayments } from './live.ts';
import { linkPaymentOf, timestampOf } from './payment.ts';
import type { PaymentRow } from './rows.ts';
import type { SaleRefusal } from './sale.ts';
import type { SaleRecords } from './sale-records.ts';
import { noFilter, type PaymentsFound } from './search.ts';
import type { PaymentService, ResolutionRefusal } from './service.ts';
import { type PaymentViews, paymentDetailOf, paymentRecordOf, timelineRecordOf } from './views.ts';

/** Operations of terminals on their sales. */
export function saleRoutes(options: {
  payments: PaymentService;
  views: Pick<PaymentViews, 'search'>;
  sales: SaleRecords;
}): Route[] {
  const { payments, views, sales } = options;
  const unknown = () => fail(404, 'sale_not_found', 'The service does not know this sale');
  const differs = () => fail(409, 'sale_differs', 'This sale is known already, and was another one');
  return [
    route(authoriseSale, async ({ caller, params, body }) => {
      const { scheme = '', lastFour: cardLastFour = null, applicationId = null, signature, ...card } = body.card;
      const authorised = await payments.authoriseSale({
        businessId: caller.businessId,
        terminalId: caller.terminalId,
        saleId: params.saleId,
        amountMinor: body.amountInCents,
        currency: body.currency,
        reference: body.reference ?? null,
        tipMinor: body.tipInCents,
        card,
        cardScheme: cardSchemeOf(scheme),
        cardLastFour,
        applicationId,
        signature,
      });
      return authorised.ok ? respond(200, await sales.of(authorised.value)) : saleError(authorised.refusal);
    }),

    route(recordSale, async ({ caller, params, body }) => {
      const { businessId, terminalId } = caller;
      const { amountInCents: amountMinor, tipInCents: tipMinor, takenAt, ...facts } = body;
      const sale = { ...facts, card: { ...facts.card, scheme: cardSchemeOf(facts.card.scheme) } };
      const key = { businessId, terminalId, saleId: params.saleId };
      const recorded = await payments.recordSale({
        ...sale,
        ...key,
        amountMinor,
        tipMinor,
        takenAt: Date.parse(takenAt),
      });
      return recorded.ok ? respond(200, await sales.of(recorded.value)) : differs();
    }),

    route(reportUnknownSale, async ({ caller, params, body }) => {
      const { businessId, terminalId } = caller;
      const { amountInCents: amountMinor, tipInCents: tipMinor, currency, reference = null } = body;
      const sale = { businessId, terminalId, saleId: params.saleId, amountMinor, tipMinor, currency, reference };
      const known = await payments.unknownSales.report(sale);
      return known.ok ? respond(200, await sales.of(known.value)) : differs();
    }),

    route(getSale, async ({ caller, params }) => {
      const payment = await payments.sale({ ...caller, saleId: params.saleId });
      return payment ? respond(200, await sales.of(payment)) : unknown();
    }),

    route(reverseSale, async ({ caller, params, body }) => {
      const reversed = await payments.reverseSale({ ...caller, saleId: params.saleId }, body.reason);
      if (reversed.ok) return respond(200, await sales.of(reversed.value));
      const { kind } = reversed.refusal;
      return kind === 'sale_not_found'
        ? unknown()
        : fail(409, kind, 'The sale was completed: only a void or a refund gives the money back');
    }),

    route(completeSale, async ({ caller, params }) => {
      const payment = await payments.completeSale({ ...caller, saleId: params.saleId });
      return payment ? respond(200, await sales.of(payment)) : unknown();
    }),

    route(listSales, async ({ caller, query }) => {
      const { businessId } = caller;
      if (query.q === undefined) {
        const found = await payments.sales({ businessId, ...pageBefore(query) });
        const { items, nextCursor } = pageOf(found, query, ({ id }) => id);
        return respond(200, { items: await sales.ofAll(items), nextCursor, searchedBackTo: null, searchedFor: null });
      }
      const search = { ...noFilter, businessId, q: query.q, atTerminals: 1, ...pageBefore(query) } as const;
      const { items, ...facts } = foundPage(await views.search(search), query);
      return respond(200, { items: await sales.ofAll(items), ...facts });
    }),
  ];
}

/** A page of what was found, which goes on where reading ended. */
function foundPage({ rows, readTo, searchedFor }: PaymentsFound, query: Parameters<typeof pageOf>[1]) {
  const { items, nextCursor } = pageOf(rows, query, ({ id }) => id);
  return {
    items,
    nextCursor: readTo ? cursorText({ ...query.cursor, after: readTo.id }) : nextCursor,
    searchedBackTo: timestampOf(readTo?.createdAt ?? null),
    searchedFor: searchedFor && [...searchedFor],
  };
}

function saleError(refusal: SaleRefusal) {
  switch (refusal.kind) {
    case 'sale_differs':
      return fail(409, refusal.kind, 'This sale was authorised before, for another amount');
    case 'sale_reversed':
      return fail(409, refusal.kind, 'This terminal gave the sale up; nothing was sent to the bank');
    case 'sale_ended':
      return fail(409, refusal.kind, 'This sale was cancelled, or took too long; nothing was sent to the bank');
    case 'sale_of_another_terminal':
      return fail(409, refusal.kind, 'This sale was started on another terminal; nothing was sent to the bank');
    case 'bitcoin_in_progress':
      return fail(409, refusal.kind, 'This sale is being paid in bitcoin; nothing was sent to the bank');
    case 'no_gateway_account':
      return fail(409, refusal.kind, 'This business has no account at a card gateway');
    case 'currency_differs':
      return errorBy(currencyProblem, refusal);
  }
}

const currencyProblem = {
  currency_differs: { status: 400, path: 'currency', message: 'must be the currency of this terminal' },
} as const satisfies ProblemTable<'currency_differs'>;

/** Operations on payments by merchants' programs and by people. */
export function paymentRoutes(options: {
  payments: Pick<PaymentService, 'resolve'>;
  views: PaymentViews;
  receipts: ReceiptAddresses;
  follow: ReturnType<typeof livePayments>;
}): Route[] {
  const { payments, views, receipts, follow } = options;
  const record = (payment: PaymentRow) => respond(200, linkPaymentOf(payment));
  const unknown = () => errorBy(resolutionProblems, { kind: 'payment_not_found' });
  return [
    route(listPayments, async ({ caller, query }) => {
      const found = await views.search({
        businessId: caller.businessId,
        q: query.q ?? null,
        status: query.status ?? null,
        refunded: query.refunded ?? null,
        rail: query.rail ?? null,
        method: query.method ?? null,
        paymentLinkId: query.paymentLinkId ?? null,
        terminalId: query.deviceId ?? null,
        staffId: query.staffId ?? null,
        atTerminals: null,
        from: instantOf(query.from),
        to: instantOf(query.to),
        ...pageBefore(query),
      });
      const { items, ...facts } = foundPage(found, query);
      return respond(200, { items: items.map(item => paymentRecordOf(item, receipts)), ...facts });
    }),

    route(followPayments, async ({ caller, lastEventId, over }) =>
      respondEvents(200, follow(caller.businessId, { lastEventId, over })),
    ),

    route(getPayment, async ({ caller, params }) => {
      const payment = await views.byId(caller.businessId, params.id);
      return payment ? respond(200, paymentDetailOf(payment, await views.refundsOf(payment), receipts)) : unknown();
    }),

    route(getPaymentTimeline, async ({ caller, params, query }) => {
      const payment = await views.byId(caller.businessId, params.id);
      if (!payment) return unknown();
      const rows = await views.timeline({ paymentId: payment.id, ...pageAfter(query) });
      const { items, nextCursor } = pageOf(rows, query, ({ id }) => id);
      return respond(200, { items: items.map(timelineRecordOf), nextCursor });
    }),

    route(resolvePayment, async request => {
      const resolved = await payments.resolve(decisionOf(request, record));
      return resolved.ok ? record(resolved.value) : errorBy(resolutionProblems, resolved.refusal);
    }),
  ];
}

const resolutionProblems = {
  payment_not_found: { status: 404, message: 'There is no such payment' },
  payment_not_pending: { status: 409, message: 'This payment is final and does not change any more' },
  still_asking: {
    status: 409,
    message:
      'The service is still asking the gateway about this payment: evidence is accepted only after the last attempt',
  },
} as const satisfies ProblemTable<ResolutionRefusal['kind']>;
