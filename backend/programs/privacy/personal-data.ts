import type { Tables } from '../../foundation/database/database.ts';

/**
 * What an erasure does with a column that names the person.
 * - `row`: the row exists for this address alone and is deleted
 * - `text`: the address is replaced where it is written, and the rest of the text stays
 * - `claim`: the claim's own operation deletes it, see bitcoin/claims/service.ts
 * - `kept`: it stays, for the reason that the table gives
 */
export type Treatment = 'row' | 'text' | 'claim' | 'kept';

type ColumnOf<Table extends keyof Tables> = keyof Tables[Table] & string;

/** A table that holds data of persons: which, of whom, and when it goes. */
export type Holding<Column extends string = string> = {
  /** One row, in words for the person that it is about. */
  readonly what: string;
  /** `customers` of a business, or the `people` who work for it. */
  readonly of: 'customers' | 'people';
  readonly columns: { readonly [Name in Column]?: Treatment };
  /** When it goes without a request. */
  readonly goes: string;
  /** Why columns are `kept`. */
  readonly because?: string;
  /** Columns that hold the address of a customer and nothing else; with when they did. */
  readonly addresses?: { readonly columns: readonly Column[]; readonly at: Column };
  /** Further columns that an export tells the person. */
  readonly tells?: readonly Column[];
  /** A row has data of many persons: an export tells that it names this one, and not its text. */
  readonly isOfMany?: true;
  /** Its key; `id` if left out. */
  readonly key?: readonly Column[];
  /** SQL: the rows of `:business`; by their `businessId` if left out. */
  readonly ofBusiness?: string;
  /** SQL: the rows that cannot be erased yet, and what ends that. */
  readonly needed?: { readonly rows: string; readonly until: string };
};

const untilRetention = '`RETENTION_DAYS` after it was sent or given up';
const ofTheBooks = 'never: it is part of the books';
const byHand = 'when the business removes it';

/** Every table with data of persons. The README shows it; a test compares both with the schema. */
export const personalData: { readonly [Table in keyof Tables]?: Holding<ColumnOf<Table>> } = {
  receiptEmails: {
    what: 'an address that a receipt was sent to',
    of: 'customers',
    columns: { address: 'row', addressKey: 'row' },
    goes: '`RETENTION_DAYS` after the receipt was sent',
    addresses: { columns: ['address'], at: 'sentAt' },
    tells: ['receiptId', 'sentAt'],
    ofBusiness: '"receiptId" IN (SELECT "id" FROM "receipts" WHERE "businessId" = :business)',
  },
  emails: {
    what: 'an e-mail of the service',
    of: 'customers',
    columns: { recipient: 'row', subject: 'text', text: 'text', html: 'text', lastError: 'text' },
    goes: untilRetention,
    tells: ['subject', 'text', 'status', 'createdAt', 'finishedAt'],
    // Receipts belong to no business in this table; find.ts reads from their link whose they are.
    ofBusiness: `"businessId" IN (:business, '')`,
  },
  bitcoinClaims: {
    what: 'bitcoin to return to the customer',
    of: 'customers',
    columns: { destination: 'claim' },
    goes: ofTheBooks,
    addresses: { columns: ['destination'], at: 'requestedAt' },
    tells: ['invoiceId', 'reason', 'amountSats', 'returnedSats', 'status', 'createdAt', 'requestedAt', 'returnedAt'],
    needed: { rows: `"status" <> 'returned'`, until: 'all of it is returned' },
  },
  bitcoinClaimDestinations: {
    what: 'a destination that was given for a return',
    of: 'customers',
    columns: { destination: 'claim' },
    goes: ofTheBooks,
    addresses: { columns: ['destination'], at: 'givenAt' },
    tells: ['claimId', 'givenAt'],
    key: ['claimId', 'number'],
    ofBusiness: '"claimId" IN (SELECT "id" FROM "bitcoinClaims" WHERE "businessId" = :business)',
    needed: {
      rows: `"claimId" IN (SELECT "id" FROM "bitcoinClaims" WHERE "status" <> 'returned')`,
      until: 'all of it is returned',
    },
  },
  bitcoinReturns: {
    what: 'bitcoin that was returned',
    of: 'customers',
    columns: { destination: 'text', note: 'text' },
    goes: ofTheBooks,
    addresses: { columns: ['destination'], at: 'createdAt' },
    tells: ['claimId', 'network', 'txId', 'amountSats', 'createdAt'],
  },
  withdrawals: {
    what: 'bitcoin that the shop sent',
    of: 'customers',
    columns: { destination: 'text', failureReason: 'text' },
    goes: ofTheBooks,
    tells: ['network', 'amountSats', 'status', 'txId', 'createdAt'],
    needed: { rows: '"finalAt" IS NULL', until: 'its outcome is known' },
  },
  paymentLinks: {
    what: 'a payment link',
    of: 'customers',
    columns: { description: 'text', externalReference: 'text', successUrl: 'text' },
    goes: ofTheBooks,
    tells: ['amountMinor', 'currency', 'createdAt', 'paidAt'],
  },
  checkouts: {
    what: 'a checkout',
    of: 'customers',
    columns: {
      orderId: 'text',
      externalReference: 'text',
      successUrl: 'text',
      webhookUrl: 'text',
      paidJson: 'text',
    },
    goes: ofTheBooks,
    tells: ['invoiceId', 'amountMinor', 'currency', 'status', 'createdAt'],
  },
  bitcoinInvoices: {
    what: 'a request for bitcoin',
    of: 'customers',
    columns: { memo: 'text' },
    goes: ofTheBooks,
    tells: ['amountMinor', 'currency', 'amountSats', 'createdAt'],
  },
  ucpInvoices: {
    what: 'a request for bitcoin of a shopping program',
    of: 'customers',
    columns: { checkoutId: 'kept' },
    goes: ofTheBooks,
    because: 'the number of the order, by which it is never paid twice',
    tells: ['invoiceId', 'amountMinor', 'currency', 'createdAt'],
  },
  terminalSales: {
    what: 'a sale that software started on a terminal',
    of: 'customers',
    columns: { reference: 'text', metadataJson: 'text' },
    goes: ofTheBooks,
    tells: ['amountMinor', 'currency', 'status', 'createdAt'],
  },
  terminalCommands: {
    what: 'the same, as it was sent to the terminal',
    of: 'customers',
    columns: { bodyJson: 'text' },
    goes: '`RETENTION_DAYS` after it expired',
    tells: ['saleId', 'createdAt'],
    ofBusiness: '"terminalId" IN (SELECT "id" FROM "terminals" WHERE "businessId" = :business)',
  },
  payments: {
    what: 'a payment',
    of: 'customers',
    columns: { reference: 'text', declineMessage: 'text', threeDSecureJson: 'text' },
    goes: ofTheBooks,
    tells: ['createdAt'],
  },
  refunds: {
    what: 'a refund or void',
    of: 'customers',
    columns: { reason: 'text', gatewayMessage: 'text', resolutionJson: 'text' },
    goes: ofTheBooks,
    tells: ['paymentId', 'kind', 'status', 'amountMinor', 'amountSats', 'currency', 'createdAt'],
  },
  discrepancies: {
    what: 'a contradiction between the shop and the gateway',
    of: 'customers',
    columns: { recordedJson: 'text', gatewayJson: 'text', resolutionJson: 'text' },
    goes: ofTheBooks,
    tells: ['paymentId', 'kind', 'createdAt'],
  },
  events: {
    what: 'a note of what happened',
    of: 'customers',
    columns: { payloadJson: 'text' },
    goes: '`RETENTION_DAYS` after it was handled; those of a payment with it',
    tells: ['type', 'paymentId', 'createdAt'],
  },
  webhooks: {
    what: 'an address of the shop’s software',
    of: 'customers',
    columns: { url: 'text', description: 'text' },
    goes: 'never: removed ones stay in the history',
    tells: ['eventType', 'createdAt'],
    needed: { rows: '"checkoutId" IS NULL AND "deletedAt" IS NULL', until: 'the shop changes or removes it' },
  },
  webhookDeliveries: {
    what: 'a message to the shop’s software',
    of: 'customers',
    columns: { body: 'text' },
    goes: '`RETENTION_DAYS` after it was delivered or given up',
    tells: ['eventType', 'status', 'createdAt', 'finishedAt'],
    key: ['webhookId', 'id'],
  },
  webhookAttempts: {
    what: 'an attempt to deliver it',
    of: 'customers',
    columns: { url: 'text', responseExcerpt: 'text', error: 'text' },
    goes: 'with the message',
    tells: ['deliveryId', 'startedAt'],
    key: ['deliveryId', 'series', 'number'],
    ofBusiness: '"deliveryId" IN (SELECT "id" FROM "webhookDeliveries" WHERE "businessId" = :business)',
  },
  idempotencyRecords: {
    what: 'an answer that is kept so that a repeated request does nothing twice',
    of: 'customers',
    columns: { responseBody: 'text', key: 'kept' },
    goes: '`IDEMPOTENCY_HOURS` after the request',
    because: 'the Idempotency-Key, without which a repeated request would move money again',
    tells: ['createdAt'],
    key: ['businessId', 'key'],
  },
  apiRequests: {
    what: 'a call of the shop’s software',
    of: 'customers',
    columns: { path: 'text', message: 'text', issuesJson: 'text', idempotencyKey: 'text' },
    goes: 'after 7 days',
    tells: ['method', 'route', 'status', 'createdAt'],
  },
  exports: {
    what: 'the filter of a file that somebody exported',
    of: 'customers',
    columns: { filtersJson: 'text', cursor: 'text' },
    goes: 'after 24 hours',
    tells: ['list', 'createdAt'],
  },
  exportChunks: {
    what: 'a part of that file',
    of: 'customers',
    columns: { text: 'text' },
    goes: 'after 24 hours',
    isOfMany: true,
    key: ['exportId', 'number'],
    ofBusiness: '"exportId" IN (SELECT "id" FROM "exports" WHERE "businessId" = :business)',
  },
  savedViews: {
    what: 'a filter that somebody keeps',
    of: 'customers',
    columns: { name: 'text', filtersJson: 'text' },
    goes: byHand,
    tells: ['list', 'createdAt'],
  },
  terminalAlerts: {
    what: 'a report about a terminal',
    of: 'customers',
    columns: { message: 'kept', entryJson: 'kept' },
    goes: 'never',
    because: 'evidence of a changed terminal, as it signed it',
    tells: ['kind', 'createdAt'],
  },
  auditEntries: {
    what: 'an entry of the sealed audit log',
    of: 'customers',
    columns: { reason: 'kept', detailJson: 'kept' },
    goes: 'never',
    because: 'proof of who returned money and to where, in a chain of hashes that no entry can leave',
    tells: ['kind', 'paymentId', 'recordedAt'],
    key: ['businessId', 'sequence'],
  },
  staff: {
    what: 'a staff member',
    of: 'people',
    columns: { name: 'kept', staffNumber: 'kept' },
    goes: 'never: who refunded stays known',
    because: 'they work for the shop',
    tells: ['createdAt', 'disabledAt'],
  },
  portalUsers: {
    what: 'a user of the portal',
    of: 'people',
    columns: { email: 'kept', emailKey: 'kept', name: 'kept' },
    goes: 'never: what they did stays known',
    because: 'they sign in for the shop; remove them from its team',
    tells: ['createdAt'],
    ofBusiness: '"id" IN (SELECT "portalUserId" FROM "memberships" WHERE "businessId" = :business)',
  },
  portalSessions: {
    what: 'a sign-in to the portal',
    of: 'people',
    columns: { userAgent: 'kept', address: 'kept' },
    goes: '90 days after it ended',
    because: 'security of the portal',
    tells: ['createdAt', 'lastSeenAt'],
    ofBusiness: '"portalUserId" IN (SELECT "portalUserId" FROM "memberships" WHERE "businessId" = :business)',
  },
  portalThrottles: {
    what: 'a wrong password at the portal',
    of: 'people',
    columns: { key: 'kept' },
    goes: 'after 15 minutes',
    because: 'security of the portal',
    key: ['key'],
    ofBusiness: `cast(:business as text) <> ''`,
  },
  portalPasskeys: {
    what: 'a passkey of the portal',
    of: 'people',
    columns: { name: 'kept' },
    goes: 'when the user removes it',
    because: 'they sign in for the shop',
    tells: ['createdAt'],
    ofBusiness: '"portalUserId" IN (SELECT "portalUserId" FROM "memberships" WHERE "businessId" = :business)',
  },
  invitations: {
    what: 'an invitation to the portal',
    of: 'people',
    columns: { email: 'kept', emailKey: 'kept' },
    goes: 'when it is accepted or withdrawn, and `RETENTION_DAYS` after it expired',
    because: 'the shop invited them; withdraw it in the portal',
    tells: ['createdAt', 'expiresAt'],
  },
  notificationRecipients: {
    what: 'an address that the shop’s notifications go to',
    of: 'people',
    columns: { email: 'kept', emailKey: 'kept' },
    goes: byHand,
    because: 'the shop gave it; remove it in the portal',
    tells: ['createdAt'],
  },
  tipLinks: {
    what: 'a link for tips',
    of: 'people',
    columns: { name: 'kept', lightningName: 'kept' },
    goes: 'never: a Lightning address is given out once',
    because: 'the shop made it for somebody who works there',
    tells: ['createdAt', 'deletedAt'],
  },
};

export type TableName = keyof typeof personalData;
export const holdings = Object.entries<Holding>(personalData) as readonly (readonly [TableName, Holding])[];

/** The columns by which a row of the table is found; events are numbered by the database. */
export function keyOf(table: TableName, { key = ['id'] }: Holding, isPostgres: boolean): readonly string[] {
  if (table === 'events') return [isPostgres ? 'sequence' : 'position'];
  return key;
}

/** Columns with such a name that hold nothing of a person: settings, codes, and names of things. */
export const impersonal: { readonly [Table in keyof Tables]?: readonly ColumnOf<Table>[] } = {
  businesses: ['name', 'addressLinesJson', 'quickAmountsJson', 'saleReference', 'tipPercentsJson', 'receiptFooter'],
  counters: ['name'],
  readerClosings: ['totalsJson'],
  apiKeys: ['name', 'permissionsJson'],
  kioskKeys: ['name', 'terminalIdsJson'],
  staff: ['argon2Json'],
  portalUsers: ['passwordJson'],
  portalPasskeys: ['transportsJson'],
  roles: ['name', 'permissionsJson'],
  dashboards: ['cardsJson'],
  notificationRecipients: ['kindsJson'],
  apiRequests: ['reason'],
  gatewayAccounts: ['name', 'configJson'],
  terminals: ['name'],
  terminalAlerts: ['reason'],
  terminalChannels: ['readerJson', 'healthJson'],
  // Lines of its log, which has ids and no names.
  terminalDiagnostics: ['logJson'],
  terminalSales: ['statusReason'],
  payments: ['uniqueReference', 'gatewayReference', 'reversalReason'],
  refunds: ['uniqueReference', 'gatewayReference'],
  bitcoinBackends: ['configJson'],
  // The shop's own, and so are the requests that its node signs.
  bitcoinInvoices: ['address', 'addressFromHeight'],
  bitcoinClaims: ['reason'],
  checkoutSettings: ['frameOriginsJson'],
  webhooks: ['disabledReason'],
  eventConsumers: ['name'],
};

/** The tables as the README shows them: what they hold, and when it goes. */
export function retentionTable(): string {
  const rows = holdings.map(([table, held]) => {
    const { what, of, columns, goes, because, needed } = held;
    const kept = Object.entries<Treatment | undefined>(columns).flatMap(([column, how]) =>
      how === 'kept' ? [column] : [],
    );
    const keeps = kept.length === 0 ? '' : `keeps ${kept.map(column => `\`${column}\``).join(', ')}: ${because}`;
    const all = kept.length === Object.keys(columns).length;
    const waits = needed === undefined ? '' : `, not until ${needed.until}`;
    const erases = all
      ? ''
      : `\`${Object.keys(columns)
          .filter(column => !kept.includes(column))
          .join('`, `')}\`${waits}`;
    const erased = [erases, keeps].filter(part => part !== '').join('; ');
    return `| \`${table}\` | ${of} | ${what} | ${goes} | ${erased} |`;
  });
  return [
    '| Table | Of | A row is | Goes by itself | `privacy erase` takes |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}
