import {
  authoriseSale,
  completeSale,
  getSale,
  listSales,
  reverseSale,
} from '@florin/shared/contracts/device-v1/sales.ts';
import type { PaymentRow } from '../database/schema.ts';
import { pageBefore, pageOf } from '../http/pages.ts';
import { answer, type Refused, type Route, refused, route } from '../http/route.ts';
import type { PaymentService, SaleRefusal } from './service.ts';

/** What terminals do with their sales. */
export function saleRoutes({ payments }: { payments: PaymentService }): Route[] {
  async function record(payment: PaymentRow) {
    const [sale] = await payments.saleRecords([payment]);
    if (!sale) throw new Error(`payment ${payment.id} has no record`);
    return answer(200, sale);
  }
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
      return authorised.ok ? await record(authorised.value) : refusalOf(authorised.refusal);
    }),

    route(getSale, async ({ caller, params }) => {
      const payment = await payments.sale({ ...caller, saleId: params.saleId });
      return payment ? await record(payment) : unknown();
    }),

    route(reverseSale, async ({ caller, params, body }) => {
      const reversed = await payments.reverseSale({ ...caller, saleId: params.saleId }, body.reason);
      if (reversed.ok) return await record(reversed.value);
      const { kind: reason } = reversed.refusal;
      return reason === 'sale_not_found'
        ? unknown()
        : refused(409, 'The sale was completed: only a void or a refund gives the money back', { reason });
    }),

    route(completeSale, async ({ caller, params }) => {
      const payment = await payments.completeSale({ ...caller, saleId: params.saleId });
      return payment ? await record(payment) : unknown();
    }),

    route(listSales, async ({ caller, query }) => {
      const sales = await payments.sales({ businessId: caller.businessId, ...pageBefore(query) });
      const { items, nextCursor } = pageOf(sales, query.limit, ({ id }) => id);
      return answer(200, { items: await payments.saleRecords(items), nextCursor });
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
