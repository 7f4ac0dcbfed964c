import { listTransactions, type TransactionRecord } from '@florin/shared/contracts/api-v1/transactions.ts';
import { instantOf, pageOf } from '../../foundation/http/pages.ts';
import { type Route, respond, route } from '../../foundation/http/route.ts';
import { timestamp } from '../payments/payment.ts';
import { actorRecordOf, terminalOf } from '../payments/views.ts';
import { newest, positionAt, positionText } from './position.ts';
import type { TransactionService } from './service.ts';
import type { TransactionView } from './store.ts';

/**
 * The list of transactions, newest first; its cursor is a position in time, so new transactions do not shift a page.
 */
export function transactionRoutes(transactions: TransactionService): Route[] {
  return [
    route(listTransactions, async ({ caller, query }) => {
      const { limit, cursor, type = null, currency = null, method = null, deviceId = null } = query;
      const { staffId = null, paymentLinkId = null, paymentId = null, from, to } = query;
      const rows = await transactions.list({
        businessId: caller.businessId,
        type,
        filter: {
          currency,
          method,
          terminalId: deviceId,
          staffId,
          paymentLinkId,
          paymentId,
          from: instantOf(from),
          to: instantOf(to),
        },
        before: cursor.after === null ? newest : positionAt(cursor.after),
        limit: limit + 1,
      });
      const { items, nextCursor } = pageOf(rows, query, positionText);
      return respond(200, { items: items.map(transactionRecordOf), nextCursor });
    }),
  ];
}

/** A transaction as the API shows it; `staff` is who authorised it at a terminal, with their present name. */
export function transactionRecordOf(line: TransactionView): TransactionRecord {
  const { staffId, staffName, staffNumber, amountMinor, actorKind } = line;
  return {
    id: line.id,
    type: line.type,
    amountInCents: amountMinor,
    amountSats: line.amountSats,
    currency: line.currency,
    method: line.method,
    paymentId: line.paymentId,
    refundId: line.refundId,
    paymentLinkId: line.paymentLinkId,
    purpose: line.purpose,
    purposeId: line.purposeId,
    invoiceNumber: line.invoiceNumber,
    cardScheme: line.cardScheme,
    cardLastFour: line.cardLastFour,
    gatewayReference: line.gatewayReference,
    terminal: terminalOf(line),
    staff: staffId === null ? null : { id: staffId, name: staffName ?? staffId, staffNumber: staffNumber ?? '' },
    by: actorKind === null ? null : actorRecordOf({ ...line, actorKind }),
    at: timestamp(line.at),
  };
}
