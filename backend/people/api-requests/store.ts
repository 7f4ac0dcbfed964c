import type { ApiRequestOutcome } from '@florin/shared/contracts/api-v1/api-requests.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import {
  type ArgumentOf,
  optionalFilters,
  type Queries,
  rowLimit,
  statement,
} from '../../foundation/database/database.ts';
import { insertRowsUnlessTaken } from '../../foundation/database/statements.ts';
import type { ApiRequestRow } from './rows.ts';

/** Rows that are there already stay: a batch whose commit was not confirmed is written again. */
export const insertApiRequests = insertRowsUnlessTaken('apiRequests');

export type ApiRequestFilters = {
  readonly businessId: string;
  readonly outcome: ApiRequestOutcome | null;
  readonly apiKeyId: string | null;
  readonly method: string | null;
  /** How the path begins. */
  readonly path: string | null;
};

/** A call with the name of its key. */
export type NamedApiRequest = ApiRequestRow & { readonly apiKeyName: string | null };

export type PageArgs = ApiRequestFilters & { readonly before: string; readonly limit: number };

/** How many calls a page looks through: more would keep the database from other work. */
const mostRead = 10_000;

type Source = 'all' | 'unsuccessful';

/** The calls that a page looks through, newest first, before the id `before`. */
function lookedThrough({ db, isPostgres }: Queries, arg: ArgumentOf<PageArgs>, source: Source) {
  const isWanted = sql<SqlBool>`"outcome" = ${arg('outcome')}`;
  return (
    db
      .selectFrom('apiRequests')
      .selectAll()
      .where('businessId', '=', arg('businessId'))
      .where('id', '<', arg('before'))
      // A partial index cannot be used with a parameter alone, and SQLite keeps no statistics of how few these are.
      .$if(source === 'unsuccessful', query =>
        query
          .where('outcome', '<>', sql.lit('ok'))
          .where(isPostgres ? isWanted : sql<SqlBool>`likelihood(${isWanted}, 0.001)`),
      )
      .orderBy('id', 'desc')
  );
}

const named = ({ db }: Queries, from: RawBuilder<ApiRequestRow>) =>
  db
    .selectFrom(from.as('made'))
    .leftJoin('apiKeys', 'apiKeys.id', 'made.apiKeyId')
    .selectAll('made')
    .select('apiKeys.name as apiKeyName');

const pageOf = (source: Source) =>
  statement<PageArgs, NamedApiRequest>((queries, arg) => {
    const { isPostgres } = queries;
    const optional = optionalFilters(isPostgres);
    const path = arg('path');
    const beginning = sql<string>`substr("path", 1, length(${isPostgres ? sql`cast(${path} as text)` : path}))`;
    const rows = lookedThrough(queries, arg, source).limit(sql.lit(mostRead));
    return named(queries, sql<ApiRequestRow>`(${rows})`)
      .where(optional.text('outcome', '=', arg('outcome')))
      .where(optional.text('apiKeyId', '=', arg('apiKeyId')))
      .where(optional.text('method', '=', arg('method')))
      .where(optional.text(beginning, '=', path))
      .orderBy('made.id', 'desc')
      .limit(rowLimit(arg('limit')));
  });

/** Those of the calls looked through that the filters let through. */
export const apiRequestPage = { all: pageOf('all'), unsuccessful: pageOf('unsuccessful') };

const lastLookedThroughIn = (source: Source) =>
  statement<PageArgs, Pick<ApiRequestRow, 'id' | 'createdAt'>>((queries, arg) =>
    lookedThrough(queries, arg, source)
      .limit(sql.lit(1))
      .offset(sql.lit(mostRead - 1)),
  );
/** The last call that a page looks through, if there may be more after it. */
export const lastLookedThrough = {
  all: lastLookedThroughIn('all'),
  unsuccessful: lastLookedThroughIn('unsuccessful'),
};

export const apiRequestById = statement<{ businessId: string; id: string }, NamedApiRequest>((queries, arg) => {
  const { db } = queries;
  const row = db
    .selectFrom('apiRequests')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('id', '=', arg('id'));
  return named(queries, sql<ApiRequestRow>`(${row})`);
});

export const deleteApiRequests = statement<{ before: Instant; limit: number }, unknown>(({ db }, arg) =>
  db.deleteFrom('apiRequests').where(({ eb, refTuple, selectFrom }) =>
    eb(
      refTuple('businessId', 'id'),
      'in',
      selectFrom('apiRequests')
        .select(['businessId', 'id'])
        .where('createdAt', '<=', arg('before'))
        .orderBy('createdAt')
        .limit(rowLimit(arg('limit')))
        .$asTuple('businessId', 'id'),
    ),
  ),
);
