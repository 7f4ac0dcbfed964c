import { getBitcoinSale, openBitcoinSale, withdrawBitcoinSale } from '@florin/shared/contracts/device-v1/bitcoin.ts';
import { errorBy, type ProblemTable } from '../../foundation/http/problems.ts';
import { fail, type Route, respond, route } from '../../foundation/http/route.ts';
import type { BitcoinSaleRefusal, SaleBitcoin, WithdrawalRefusal } from './bitcoin.ts';

/** Routes for terminals. */
export function bitcoinRoutes(bitcoin: SaleBitcoin): Route[] {
  return [
    route(openBitcoinSale, async ({ caller, params, body }) => {
      const { amountInCents: amountMinor, currency, reference = null } = body;
      const opened = await bitcoin.open(caller, params.saleId, { amountMinor, currency, reference });
      return opened.ok ? respond(200, opened.value) : errorBy(openProblems, opened.refusal);
    }),

    route(getBitcoinSale, async ({ caller, params }) => {
      const sale = await bitcoin.find(caller, params.saleId);
      return sale ? respond(200, sale) : fail(404, 'sale_not_found', withdrawProblems.sale_not_found.message);
    }),

    route(withdrawBitcoinSale, async ({ caller, params, body }) => {
      const withdrawn = await bitcoin.withdraw(caller, params.saleId, body);
      return withdrawn.ok ? respond(200, withdrawn.value) : errorBy(withdrawProblems, withdrawn.refusal);
    }),
  ];
}

const openProblems = {
  currency_differs: { status: 400, path: 'currency', message: 'must be the currency of this terminal' },
  bitcoin_not_available: { status: 409, message: 'This business does not take bitcoin' },
  amount_out_of_range: { status: 409, message: 'This amount is too large or too small to be paid in bitcoin here' },
  rate_unavailable: { status: 409, message: 'The price of bitcoin is not known just now' },
  node_unreachable: { status: 409, message: 'The bitcoin node does not respond; nothing can be paid to it yet' },
  payment_in_progress: { status: 409, message: 'The bank was asked about this sale; it is not asked for in bitcoin' },
  sale_differs: { status: 409, message: 'This sale was started for another amount' },
  sale_ended: { status: 409, message: 'This sale was cancelled, or took too long' },
  sale_of_another_terminal: { status: 409, message: 'This sale was started on another terminal' },
  terminal_busy: { status: 409, message: 'The terminal has another sale under way' },
} as const satisfies ProblemTable<BitcoinSaleRefusal['kind']>;

const withdrawProblems = {
  sale_not_found: { status: 404, message: 'There is no such sale in bitcoin' },
  node_unreachable: {
    status: 409,
    message: 'The bitcoin node does not respond, so that the customer may still be paying',
  },
} as const satisfies ProblemTable<WithdrawalRefusal['kind']>;
