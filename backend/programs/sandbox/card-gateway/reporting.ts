import { z } from 'zod';
import type { MerchantAccount } from './accounts.ts';
import { timestamp } from './replies.ts';
import type { Store, TransactionRow } from './store.ts';

const maxPageSize = 500;

const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  .transform(text => Date.parse(`${text.replace(' ', 'T')}Z`))
  .pipe(z.number());
const where = z.strictObject({ createTime: z.strictObject({ $gte: time, $lte: time }) });
const count = z.coerce.number().int().min(0);

export type ReportAnswer = { readonly status: number; readonly body: string };

/** The read-only report of an account's transactions in a time window, for a portal user. */
export function report(options: {
  query: URLSearchParams;
  authorization: string | undefined;
  accounts: readonly MerchantAccount[];
  store: Store;
  /** Values that replace the true ones in every row. */
  echoes: Readonly<Record<string, string>>;
}): ReportAnswer {
  const account = options.accounts.find(one => basic(one) === options.authorization);
  if (!account) return { status: 401, body: JSON.stringify({ error: 'portal user or password wrong' }) };
  const window = where.safeParse(parseJson(options.query.get('_where') ?? ''));
  const offset = count.safeParse(options.query.get('_offset') ?? 0);
  const limit = count.safeParse(options.query.get('_limit') ?? maxPageSize);
  if (!window.success || !offset.success || !limit.success) {
    return { status: 400, body: JSON.stringify({ error: 'a createTime window, _offset and _limit are understood' }) };
  }
  const found = options.store.createdBetween({
    merchantID: account.merchantID,
    from: window.data.createTime.$gte,
    // The window is in whole seconds and includes its last second.
    to: window.data.createTime.$lte + 999,
    offset: offset.data,
    limit: Math.min(limit.data, maxPageSize),
  });
  const data = found.rows.map(row => ({ ...rowOf(row), ...options.echoes }));
  return { status: 200, body: JSON.stringify({ total: found.total, data }) };
}

function rowOf(row: TransactionRow) {
  return {
    transactionID: row.transactionID,
    merchantID: row.merchantID,
    xref: row.xref,
    action: row.action,
    type: row.type,
    state: row.state,
    amount: row.amountMinor,
    amountReceived: row.receivedMinor,
    amountRefunded: row.refundedMinor,
    currencyCode: row.currencyCode,
    transactionUnique: row.transactionUnique,
    orderRef: new Map(JSON.parse(row.echoJson) as [string, string][]).get('orderRef'),
    responseCode: row.responseCode,
    responseMessage: row.responseMessage,
    authorisationCode: row.authorisationCode,
    cardNumberMask: row.cardMask,
    cardScheme: row.cardScheme,
    createTime: timestamp(row.createdAt),
  };
}

function basic(account: MerchantAccount): string {
  return `Basic ${Buffer.from(`${account.portalUser}:${account.portalPassword}`).toString('base64')}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
