import type { SearchTerm } from '@florin/shared/contracts/payment-search.ts';
import type { Clock, Instant } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import { businessById } from '../../people/businesses/store.ts';
import {
  firstSince,
  lastBefore,
  lastRead,
  type PaymentFilter,
  type Position,
  pageOfSource,
  type SearchArgs,
  type Source,
  tooManyReferences,
} from './search-store.ts';
import { type Term, type Typist, termsOf } from './search-terms.ts';
import type { PaymentView } from './views-store.ts';

export type PaymentSearch = PaymentFilter & {
  readonly businessId: string;
  /** What a person typed. */
  readonly q: string | null;
  readonly before: string;
  readonly limit: number;
};

/** All payments of a business. */
export const noFilter: PaymentFilter = {
  status: null,
  refunded: null,
  rail: null,
  method: null,
  paymentLinkId: null,
  terminalId: null,
  staffId: null,
  atTerminals: null,
  from: null,
  to: null,
};

export type PaymentsFound = {
  readonly rows: readonly PaymentView[];
  /** Where reading ended, if there are older payments that were not read. */
  readonly readTo: Position | null;
  readonly searchedFor: readonly SearchTerm[] | null;
};

/** How far the ids of payments made at the same time, by several processes, may be out of the order of their times. */
const outOfOrderMs = 10 * 60_000;

/**
 * Finds payments, newest first. A filter that has an index is read in its order; any other is checked on at most 10,000
 * payments, after which the answer says how far it got instead of reading on.
 */
export async function searchPayments(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  search: PaymentSearch,
): Promise<PaymentsFound> {
  const nothing = { rows: [], readTo: null };
  const { q, ...rest } = search;
  const terms = q === null ? null : termsOf(q, await typistOf(database, search.businessId, clock.now()));
  const searchedFor = terms?.map(({ field, value }) => ({ field, value })) ?? null;
  const span = await idsOfPeriod(database, search);
  if (!span) return { ...nothing, searchedFor };
  const none = { amountMinor: 0, text: '', textEnd: '', ofReferences: null };
  const args: SearchArgs = { ...rest, ...span, ...none, method: methodOf(search) };
  const parts = await Promise.all(
    terms === null
      ? [read(database, sourceOf(args), args)]
      : terms.flatMap(({ period, ...term }) => [
          ...(period === null ? [] : [readPeriod(database, search, period, args)]),
          ...(term.field === 'reference' ? [readReferences(database, term, args)] : readSources(database, term, args)),
        ]),
  );
  return { ...merged(parts, search.limit), searchedFor };
}

type Part = { readonly rows: readonly PaymentView[]; readonly readTo: Position | null };

async function read(database: Database, source: Source, args: SearchArgs): Promise<Part> {
  const readTo = isFiltered(source, args) ? ((await database.first(lastRead[source], args)) ?? null) : null;
  const rows = await database.all(pageOfSource[source], readTo ? { ...args, downTo: readTo.id } : args);
  // A full page ends before the last payment that may be read.
  return { rows, readTo: rows.length < args.limit ? readTo : null };
}

type TermOfSources = Omit<Term, 'period'>;

function readSources(database: Database, { sources, amountMinor, text, textEnd }: TermOfSources, args: SearchArgs) {
  return sources.map(source => read(database, source, { ...args, amountMinor, text, textEnd }));
}

/** What many references begin with narrows the list, newest first, as a filter without an index does. */
async function readReferences(database: Database, term: TermOfSources, args: SearchArgs): Promise<Part> {
  const { text, textEnd } = term;
  const range = { businessId: args.businessId, text, textEnd };
  if (await database.first(tooManyReferences, range))
    return read(database, sourceOf(args), { ...args, ...range, ofReferences: 1 });
  return merged(await Promise.all(readSources(database, term, args)), args.limit);
}

/** What a list of this period shows, as far as it is in the one that was asked for. */
async function readPeriod(
  database: Database,
  search: PaymentSearch,
  period: { readonly from: Instant; readonly to: Instant },
  args: SearchArgs,
): Promise<Part> {
  const from = Math.max(period.from, search.from ?? period.from);
  const to = Math.min(period.to, search.to ?? period.to);
  const span = await idsOfPeriod(database, { ...search, from, to });
  return span ? read(database, sourceOf(args), { ...args, ...span, from, to }) : { rows: [], readTo: null };
}

/** The newest of all parts. Below the place where one of them stopped, the others are not complete. */
function merged(parts: readonly Part[], limit: number): Part {
  const stops = parts.flatMap(({ readTo }) => readTo ?? []);
  const readTo = stops.reduce<Position | null>((newest, stop) => (newest && newest.id > stop.id ? newest : stop), null);
  const found = new Map(parts.flatMap(({ rows }) => rows.map(row => [row.id, row] as const)));
  const rows = [...found.values()]
    .filter(({ id }) => readTo === null || id >= readTo.id)
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit);
  return { rows, readTo: rows.length < limit ? readTo : null };
}

/** The ids of a period; undefined if no payment can be in it. */
async function idsOfPeriod(
  database: Database,
  { businessId, before, from, to }: PaymentSearch,
): Promise<{ before: string; downTo: string } | undefined> {
  const first = from === null ? undefined : await database.first(firstSince, { businessId, at: from - outOfOrderMs });
  const last = to === null ? undefined : await database.first(lastBefore, { businessId, at: to + outOfOrderMs });
  if ((from !== null && !first) || (to !== null && !last)) return undefined;
  // After this id and before every later one.
  const end = last && `${last.id}z`;
  return { before: end !== undefined && end < before ? end : before, downTo: first?.id ?? '' };
}

const ended: ReadonlySet<string | null> = new Set(['declined', 'failed', 'cancelled', 'settlement_rejected']);

/** The one that reads the fewest payments. */
function sourceOf({ paymentLinkId, staffId, status, method, terminalId }: SearchArgs): Source {
  if (paymentLinkId !== null) return 'link';
  if (staffId !== null) return 'staff';
  if (status === 'pending') return 'pending';
  if (method === 'lightning' || method === 'onchain') return 'bitcoin';
  if (ended.has(status)) return 'ended';
  return terminalId === null ? 'business' : 'terminal';
}

const answeredBy: Readonly<Partial<Record<Source, keyof PaymentFilter>>> = {
  link: 'paymentLinkId',
  staff: 'staffId',
  pending: 'status',
  bitcoin: 'method',
  ended: 'status',
  terminal: 'terminalId',
};

/** Whether rows of the source are read that the page does not show. */
function isFiltered(source: Source, args: SearchArgs): boolean {
  const { status, refunded, rail, method, paymentLinkId, terminalId, staffId, atTerminals, ofReferences } = args;
  const isRailAnswered = source === 'bitcoin' && rail === method;
  const narrowing = {
    status,
    refunded,
    rail: isRailAnswered ? null : rail,
    method,
    paymentLinkId,
    terminalId,
    staffId,
    atTerminals,
    ofReferences,
  };
  return Object.entries(narrowing).some(([name, value]) => value !== null && name !== answeredBy[source]);
}

/** Lightning and on-chain are rails with one method each. */
function methodOf({ method, rail }: PaymentFilter): PaymentFilter['method'] {
  return method ?? (rail === 'lightning' || rail === 'onchain' ? rail : null);
}

async function typistOf(database: Database, businessId: string, now: Instant): Promise<Typist> {
  const {
    currency = '',
    locale = 'en-GB',
    timeZone = 'UTC',
  } = (await database.first(businessById, { id: businessId })) ?? {};
  return { currency, locale, timeZone, now };
}
