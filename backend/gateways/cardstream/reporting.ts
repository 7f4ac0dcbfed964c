import { cardSchemeOf } from '@florin/shared/card-schemes.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { z } from 'zod';
import type {
  ListedOperation,
  LookupOutcome,
  LookupRequest,
  OperationsInPeriod,
  VerificationFailure,
} from '../gateway.ts';
import type { HttpClient } from '../http-client.ts';
import { differenceFrom } from '../matching.ts';
import { actions } from './binding.ts';
import { meaningOf } from './codes.ts';
import { outcomeOfState } from './transform.ts';

/**
 * The read-only reporting interface of the gateway's portal. README.md lists what is documented and what is assumed.
 */
export type ReportingOptions = {
  /** `https://<gateway host>/rest/transactions` */
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** Margin around the time of sending: clocks differ, and the gateway's time zone is not documented. */
  readonly marginMs?: number;
};

const defaultMarginMs = 2 * 60 * 60 * 1000;
const rowsPerPage = 500;
/** Windows with more pages are not read to the end, so nothing can be concluded from a missing row. */
const maxPages = 100;

const text = z.union([z.string(), z.number()]).transform(String);
const transactionRow = z.looseObject({
  merchantID: text,
  action: z.string(),
  state: z.string(),
  xref: z.string(),
  amount: text,
  currencyCode: text,
  transactionUnique: text.nullish(),
  orderRef: text.nullish(),
  responseCode: text.nullish(),
  responseMessage: z.string().nullish(),
  authorisationCode: text.nullish(),
  amountReceived: text.nullish(),
  cardNumberMask: z.string().nullish(),
  cardScheme: z.string().nullish(),
});
type TransactionRow = z.infer<typeof transactionRow>;
const transactionPage = z.looseObject({ total: z.int().min(0), data: z.array(transactionRow) });

/** Finds an operation among the transactions around its time, matching our unique reference on our side. */
export function reportingClient(
  options: ReportingOptions & { readonly merchantId: string; readonly send: HttpClient },
) {
  const marginMs = options.marginMs ?? defaultMarginMs;
  const authorization = `Basic ${Buffer.from(`${options.user}:${options.password}`, 'utf8').toString('base64')}`;

  async function page(url: URL): Promise<z.infer<typeof transactionPage> | string> {
    const answer = await options.send({
      method: 'GET',
      url,
      headers: { authorization, accept: 'application/json' },
    });
    if (answer.kind !== 'reply') return answer.cause;
    if (answer.status !== 200) return `status ${answer.status}`;
    const parsed = transactionPage.safeParse(parseJson(answer.body));
    return parsed.success ? parsed.data : 'malformed';
  }

  /** Every row of the period and its margins, or why it could not be read completely. */
  async function rowsOf(period: { readonly from: Instant; readonly to: Instant }): Promise<TransactionRow[] | string> {
    const rows: TransactionRow[] = [];
    const [from, to] = [period.from - marginMs, period.to + marginMs];
    for (let pages = 0; pages < maxPages; pages++) {
      const next = await page(pageUrl({ url: options.url, from, to, offset: rows.length }));
      if (typeof next === 'string') return next;
      rows.push(...next.data);
      if (rows.length >= next.total) return rows;
      if (next.data.length === 0) return 'the report ended before its total';
    }
    return 'the report is too long';
  }

  return {
    async lookup(request: LookupRequest): Promise<LookupOutcome> {
      const rows = await rowsOf({ from: request.sentAt, to: request.sentAt });
      if (typeof rows === 'string') return { kind: 'unanswered', cause: rows };
      const sameReference = rows.filter(row => row.transactionUnique === request.uniqueReference);
      const found = sameReference.filter(row => row.action === actions[request.operation]);
      // A row of another kind under our reference is unexplained, and no proof that the operation never arrived.
      if (found.length === 0 && sameReference.length > 0) return { kind: 'unanswered', cause: 'operation_differs' };
      return outcomeOfRows(found, request, options.merchantId);
    },

    async operationsIn(period: { readonly from: Instant; readonly to: Instant }): Promise<OperationsInPeriod> {
      const rows = await rowsOf(period);
      if (typeof rows === 'string') return { kind: 'unanswered', cause: rows };
      // Its user may see the report of further merchant accounts.
      const ofAccount = rows.filter(({ merchantID }) => merchantID === options.merchantId);
      const listed = ofAccount.filter(({ state }) => outcomeOfState(state) === 'moves money').map(listedOf);
      const unreadable = listed.find(one => typeof one === 'string');
      if (unreadable !== undefined) return { kind: 'unanswered', cause: unreadable };
      return { kind: 'listed', operations: listed.flatMap(one => (one && typeof one !== 'string' ? [one] : [])) };
    },
  };
}

/** The only place that builds the URL of a time window and page. */
function pageUrl(query: { url: string; from: Instant; to: Instant; offset: number }): URL {
  const url = new URL(query.url);
  url.searchParams.set(
    '_where',
    JSON.stringify({ createTime: { $gte: gatewayTime(query.from), $lte: gatewayTime(query.to) } }),
  );
  url.searchParams.set('_offset', String(query.offset));
  url.searchParams.set('_limit', String(rowsPerPage));
  return url;
}

function gatewayTime(instant: Instant): string {
  return new Date(instant).toISOString().slice(0, 19).replace('T', ' ');
}

/**
 * The combined outcome of the transactions under one unique reference. An approval takes precedence over declines;
 * further approvals are double charges or refunds and are reported.
 */
function outcomeOfRows(rows: readonly TransactionRow[], request: LookupRequest, merchantId: string): LookupOutcome {
  const outcomes = rows.map(row => outcomeOf(row, request, merchantId));
  const first = outcomes.find(({ kind }) => kind === 'unanswered');
  if (first) return first;
  const approvals = outcomes.filter(outcome => outcome.kind === 'approved');
  const [approval, ...further] = approvals;
  if (approval) {
    const alsoApproved = further.map(({ gatewayReference }) => gatewayReference);
    return alsoApproved.length === 0 ? approval : { ...approval, alsoApproved };
  }
  return outcomes.find(({ kind }) => kind === 'inProgress') ?? outcomes[0] ?? { kind: 'notFound' };
}

function outcomeOf(row: TransactionRow, request: LookupRequest, merchantId: string): LookupOutcome {
  const failure = differenceOf(row, request, merchantId);
  if (failure) return { kind: 'unanswered', cause: failure };
  const message = row.responseMessage ?? row.state;
  switch (outcomeOfState(row.state)) {
    case 'moves money':
      return {
        kind: 'approved',
        gatewayReference: row.xref,
        message,
        ...detailsOf(row, request),
      };
    case 'ended':
      if (row.state === 'finished' && receivedBy(row) > 0) return { kind: 'unanswered', cause: 'contradictory' };
      return { kind: 'declined', code: declineCodeOf(row), message, gatewayReference: row.xref };
    case 'received':
      return meaningOf(Number(row.responseCode)) === 'three_d_secure'
        ? { kind: 'inProgress', awaitsCustomer: true }
        : { kind: 'inProgress' };
    case undefined:
      return { kind: 'unanswered', cause: `unknown state ${row.state}` };
  }
}

const listedOperations = { SALE: 'authorise', REFUND_SALE: 'refundSale', REFUND: 'refund' } as const;

/** The operation of a row; undefined for a kind that Florin never asks for, or why the row cannot be read. */
function listedOf(row: TransactionRow): ListedOperation | string | undefined {
  const operation = listedOperations[row.action as keyof typeof listedOperations];
  if (operation === undefined) return undefined;
  if (!/^[1-9]\d{0,15}$/.test(row.amount)) return `row ${row.xref} cannot be read`;
  const received = operation === 'authorise' ? receivedBy(row) : 0;
  return {
    operation,
    uniqueReference: row.transactionUnique ?? '',
    gatewayReference: row.xref,
    amountMinor: received > 0 ? received : Number(row.amount),
    currency: row.currencyCode,
    invoiceNumber: row.orderRef ?? null,
    cardLastFour: lastFourOf(row) ?? null,
  };
}

function lastFourOf(row: TransactionRow): string | undefined {
  return /(\d{4})$/.exec(row.cardNumberMask ?? '')?.[1];
}

function differenceOf(
  row: TransactionRow,
  request: LookupRequest,
  merchantId: string,
): VerificationFailure | undefined {
  if (row.merchantID !== merchantId) return 'merchant_differs';
  const amountMinor = /^[1-9]\d{0,15}$/.test(row.amount) ? Number(row.amount) : undefined;
  return differenceFrom(request, { amountMinor, currency: row.currencyCode, gatewayReference: row.xref });
}

/** A transaction that was approved and later ended otherwise has no code for it. */
function declineCodeOf(row: TransactionRow): string {
  const { responseCode, state } = row;
  return responseCode && responseCode !== '0' ? responseCode : `state_${state}`;
}

function receivedBy(row: TransactionRow): number {
  return /^\d{1,15}$/.test(row.amountReceived ?? '') ? Number(row.amountReceived) : 0;
}

function detailsOf(row: TransactionRow, request: LookupRequest) {
  if (request.operation !== 'authorise') return {};
  const lastFour = lastFourOf(row);
  const received = receivedBy(row);
  return {
    ...(row.authorisationCode ? { authorisationCode: row.authorisationCode } : {}),
    ...(lastFour ? { card: { scheme: cardSchemeOf(row.cardScheme ?? ''), lastFour } } : {}),
    ...(received > 0 ? { amount: { amountMinor: received, currency: request.amount.currency } } : {}),
  };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
