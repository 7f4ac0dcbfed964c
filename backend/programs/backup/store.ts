import { sql } from 'kysely';
import { statement } from '../../foundation/database/database.ts';

/** Queries that find records which contradict each other. Each returns at most one. */

type Contradiction = { readonly id: string };

/** Held or returned amounts of a card payment are the sums of its refunds and discrepancies. */
export const paymentWithWrongSums = statement<object, Contradiction>(({ db }) =>
  db
    .selectFrom('payments')
    .select('payments.id as id')
    .where('payments.amountSats', 'is', null)
    .where(
      sql<boolean>`("refundedMinor" <> coalesce((select sum(r."amountMinor") from "refunds" r where r."paymentId" = "payments"."id" and r."kind" in ('CANCEL', 'REFUND_SALE') and r."status" = 'approved'), 0)
        or "reservedMinor" <> coalesce((select sum(r."amountMinor") from "refunds" r where r."paymentId" = "payments"."id" and r."kind" in ('CANCEL', 'REFUND_SALE') and r."status" = 'pending'), 0)
        or "contestedMinor" <> coalesce((select sum(d."contestedMinor") from "discrepancies" d where d."paymentId" = "payments"."id" and d."resolvedAt" is null), 0))`,
    )
    .limit(sql.lit(1)),
);

export const refundWithoutPayment = statement<object, Contradiction>(({ db }) =>
  db
    .selectFrom('refunds')
    .select('refunds.id as id')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('payments').select('payments.id').whereRef('payments.id', '=', 'refunds.paymentId'))),
    )
    .limit(sql.lit(1)),
);

/** A consumer of events that is past the last event would miss those to come. */
export const consumerPastEvents = statement<object, Contradiction>(({ db }) =>
  db
    .selectFrom('eventConsumers')
    .select('eventConsumers.name as id')
    .where('eventConsumers.position', '>', ({ selectFrom }) =>
      selectFrom('events').select(eb => eb.fn.coalesce(eb.fn.max('events.position'), sql.lit(0)).as('last')),
    )
    .limit(sql.lit(1)),
);
