import {
  authoriseSale,
  completeSale,
  getSale,
  listSales,
  reverseSale,
} from '@florin/shared/contracts/device-v1/sales.ts';
import { pageBefore, pageOf } from '../http/pages.ts';
import { answer, type Refused, type Route, refused, route } from '../http/route.ts';
import { saleRecordOf } from './payment.ts';
import type { PaymentService, SaleRefusal } from './service.ts';

/** What terminals do with their sales. */
export function saleRoutes({ payments }: { payments: PaymentService }): Route[] {
  const unknown = () => refused(404, 'The service has not heard of this sale');
  return [
    route(authoriseSale, async ({ caller, params, body }) => {
      const authorised = await payments.authoriseSale({
        businessId: caller.businessId,
        terminalId: caller.terminalId,
        saleId: params.saleId,
        amountMinor: body.amountInCents,
        currency: body.currency,
        card: body.card,
      });
      return authorised.ok ? answer(200, saleRecordOf(authorised.value)) : refusalOf(authorised.refusal);
    }),

    route(getSale, async ({ caller, params }) => {
      const payment = await payments.sale({ ...caller, saleId: params.saleId });
      return payment ? answer(200, saleRecordOf(payment)) : unknown();
    }),

    route(reverseSale, async ({ caller, params, body }) => {
      const reversed = await payments.reverseSale({ ...caller, saleId: params.saleId }, body.reason);
      if (reversed.ok) return answer(200, saleRecordOf(reversed.value));
      const { kind: reason } = reversed.refusal;
      return reason === 'sale_not_found'
        ? unknown()
        : refused(409, 'The sale was completed: only a void or a refund gives the money back', { reason });
    }),

    route(completeSale, async ({ caller, params }) => {
      const payment = await payments.completeSale({ ...caller, saleId: params.saleId });
      return payment ? answer(200, saleRecordOf(payment)) : unknown();
    }),

    route(listSales, async ({ caller, query }) => {
      const sales = await payments.sales({ businessId: caller.businessId, ...pageBefore(query) });
      const { items, nextCursor } = pageOf(sales, query.limit, ({ id }) => id);
      return answer(200, { items: items.map(saleRecordOf), nextCursor });
    }),
  ];
}

function refusalOf(refusal: SaleRefusal): Refused {
  const reason = refusal.kind;
  switch (refusal.kind) {
    case 'sale_differs':
      return refused(409, 'This sale was authorised before, for another amount', { reason });
    case 'sale_given_up':
      return refused(409, 'This terminal gave the sale up; nothing was sent to the bank', { reason });
    case 'currency_differs':
      return refused(400, `currency: must be ${refusal.currency}, the currency of this terminal`, { reason });
  }
}
