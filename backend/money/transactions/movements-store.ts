import type { ActorKind } from '@florin/shared/actor.ts';
import type { TransactionType } from '@florin/shared/contracts/api-v1/transactions.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** A movement of money, from any kind of record. */
export type Movement = {
  readonly id: string;
  readonly type: TransactionType;
  /** Its effect on the merchant's money. A reversal voids or returns. */
  readonly effect: 'taken' | 'voided' | 'rejected' | 'returned';
  readonly at: Instant;
  /** The time that determines its settlement; null if not settled yet. */
  readonly settlesAt: Instant | null;
  readonly paymentId: string;
  /** Of the payment. */
  readonly gatewayAccountId: string | null;
  /** Of the payment. */
  readonly currency: string;
  readonly refundId: string | null;
  /** Negative if money was returned. */
  readonly amountMinor: number;
  readonly amountSats: number | null;
  readonly gatewayReference: string | null;
  readonly terminalId: string | null;
  readonly staffId: string | null;
  /** Who asked for the void or refund; null if none did. */
  readonly actorKind: ActorKind | null;
  readonly actorId: string | null;
};

type Column = Exclude<keyof Movement, keyof typeof paymentColumns>;
type Columns = Readonly<Record<Column, RawBuilder<unknown>>>;

/** The record that a movement is read from; a `loss` is that of a payment which took no money after all. */
export type MovementRecord = 'payment' | 'loss' | 'refund' | 'correction';

/** A kind of record with movements. `p` is its payment. */
type Source = {
  readonly record: MovementRecord;
  readonly types: readonly TransactionType[];
  readonly columns: Columns;
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<unknown>;
};

/** The payment's columns, the same for every kind of record. */
const paymentColumns = {
  paymentId: sql`p."id"`,
  gatewayAccountId: sql`p."gatewayAccountId"`,
  currency: sql`p."currency"`,
} as const;

const noText = sql`cast(null as text)`;
const noNumber = sql`cast(null as bigint)`;
const taken = sql`coalesce(p."approvedMinor", p."amountMinor")`;
const nobody = { staffId: noText, actorKind: noText, actorId: noText } as const;
const whoRefunded = {
  staffId: sql`CASE WHEN r."actorKind" = 'staff' THEN r."actorId" END`,
  actorKind: sql`r."actorKind"`,
  actorId: sql`r."actorId"`,
} as const;

/** Who decided a discrepancy. */
const whoDecided = (isPostgres: boolean) => {
  const resolution = isPostgres ? sql`cast(d."resolutionJson" as jsonb)` : sql`d."resolutionJson"`;
  const part = (name: string) => sql`${resolution} -> 'by' ->> ${sql.lit(name)}`;
  return { staffId: noText, actorKind: part('kind'), actorId: part('id') };
};

/** One line each: a payment when it took money, and every record that took some of it back. */
const sourcesOnBoth: readonly Source[] = [
  {
    record: 'payment',
    types: ['payment'],
    from: sql`"payments" p`,
    where: sql`p."takenAt" IS NOT NULL`,
    columns: {
      id: sql`'txn_p' || substr(p."id", 5)`,
      type: sql`'payment'`,
      effect: sql`'taken'`,
      at: sql`p."takenAt"`,
      settlesAt: sql`coalesce(p."settledAt", p."voidedOrRejectedAt")`,
      refundId: noText,
      amountMinor: taken,
      amountSats: sql`p."amountSats"`,
      gatewayReference: sql`p."gatewayReference"`,
      terminalId: sql`p."terminalId"`,
      ...nobody,
    },
  },
  {
    // The refund that voided it, unless it was voided at the gateway itself.
    record: 'loss',
    types: ['void', 'reversal', 'settlement_rejected'],
    from: sql`"payments" p LEFT JOIN "refunds" r ON r."paymentId" = p."id" AND r."kind" = 'CANCEL' AND r."status" = 'approved'`,
    where: sql`p."voidedOrRejectedAt" IS NOT NULL`,
    columns: {
      id: sql`'txn_v' || substr(p."id", 5)`,
      type: sql`CASE WHEN p."status" = 'settlement_rejected' THEN 'settlement_rejected' WHEN r."isReversal" = 1 THEN 'reversal' ELSE 'void' END`,
      effect: sql`CASE WHEN p."status" = 'settlement_rejected' THEN 'rejected' ELSE 'voided' END`,
      at: sql`p."voidedOrRejectedAt"`,
      settlesAt: sql`p."voidedOrRejectedAt"`,
      refundId: sql`r."id"`,
      amountMinor: sql`-${taken}`,
      amountSats: sql`-p."amountSats"`,
      gatewayReference: sql`r."gatewayReference"`,
      terminalId: sql`r."terminalId"`,
      ...whoRefunded,
    },
  },
  {
    record: 'refund',
    types: ['refund', 'uncapped_refund', 'bitcoin_refund', 'reversal'],
    from: sql`"refunds" r JOIN "payments" p ON p."id" = r."paymentId"`,
    where: sql`r."status" IN ('approved', 'recorded') AND r."kind" <> 'CANCEL' AND r."outcomeAt" IS NOT NULL AND r."businessId" = p."businessId"`,
    columns: {
      id: sql`'txn_r' || substr(r."id", 5)`,
      type: sql`CASE WHEN r."isReversal" = 1 THEN 'reversal' WHEN r."kind" = 'REFUND_SALE' THEN 'refund' WHEN r."kind" = 'REFUND' THEN 'uncapped_refund' ELSE 'bitcoin_refund' END`,
      effect: sql`'returned'`,
      at: sql`r."outcomeAt"`,
      settlesAt: sql`r."outcomeAt"`,
      refundId: sql`r."id"`,
      amountMinor: sql`-r."amountMinor"`,
      amountSats: sql`-r."amountSats"`,
      gatewayReference: sql`r."gatewayReference"`,
      terminalId: sql`r."terminalId"`,
      ...whoRefunded,
    },
  },
];

/** What a person confirmed to have been returned. */
const corrections = (isPostgres: boolean): Source => ({
  record: 'correction',
  types: ['correction'],
  // CROSS JOIN: otherwise SQLite starts with every payment of the business.
  from: sql`"discrepancies" d CROSS JOIN "payments" p`,
  where: sql`d."returnedMinor" > 0 AND p."id" = d."paymentId" AND d."businessId" = p."businessId"`,
  columns: {
    id: sql`'txn_d' || substr(d."id", 5)`,
    type: sql`'correction'`,
    effect: sql`'returned'`,
    at: sql`d."resolvedAt"`,
    settlesAt: sql`d."resolvedAt"`,
    refundId: sql`d."refundId"`,
    amountMinor: sql`-d."returnedMinor"`,
    amountSats: noNumber,
    gatewayReference: noText,
    terminalId: noText,
    ...whoDecided(isPostgres),
  },
});
const sources = {
  sqlite: [...sourcesOnBoth, corrections(false)],
  postgres: [...sourcesOnBoth, corrections(true)],
};

/**
 * A table expression of the movements of these types. `where` applies to each kind of record separately, and `tail`
 * (order and limit) may cut each, so that indexes serve a page of the list. With `only`, other columns are omitted, so
 * that an index can cover the query.
 */
export function movementsOf(options: {
  readonly isPostgres: boolean;
  readonly type: TransactionType | null;
  /** Only movements of this kind of record; default: all. */
  readonly record?: MovementRecord;
  readonly where: (columns: Columns) => readonly RawBuilder<SqlBool>[];
  readonly tail?: (columns: Columns) => RawBuilder<unknown>;
  readonly only?: readonly (keyof Movement)[];
}): RawBuilder<Movement> {
  const { isPostgres, type, record, where, tail = () => sql``, only } = options;
  const parts = sources[isPostgres ? 'postgres' : 'sqlite']
    .filter(source => record === undefined || source.record === record)
    .filter(({ types }) => type === null || types.includes(type))
    .map(({ types, columns, from, where: always }, index) => {
      const offered = { ...paymentColumns, ...columns };
      const names = only ?? (Object.keys(offered) as (keyof Movement)[]);
      const selected = names.map(name => sql`${offered[name]} AS ${sql.ref(name)}`);
      const ofType = type === null || types.length === 1 ? [] : [sql<SqlBool>`${columns.type} = ${sql.lit(type)}`];
      const conditions = [always, ...where(columns), ...ofType];
      const query = sql`SELECT ${sql.join(selected)} FROM ${from} WHERE ${sql.join(conditions, sql` AND `)} ${tail(columns)}`;
      return sql`SELECT * FROM (${query}) ${sql.ref(`part${index}`)}`;
    });
  return sql<Movement>`(${sql.join(parts, sql` UNION ALL `)})`;
}
