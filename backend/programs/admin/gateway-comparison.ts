import { currencyNumber } from '@florin/shared/currency-numbers.ts';
import { type CurrencyCode, formatMoney } from '@florin/shared/money.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { currencyOfNumeric } from '@florin/shared/reader-line/currencies.ts';
import { z } from 'zod';
import type { Backend } from '../../backend.ts';
import { afterEveryId } from '../../foundation/database/database.ts';
import { systemClock } from '../../foundation/platform/system.ts';
import type { ListedOperation } from '../../gateways/gateway.ts';
import { gatewayCause, noReport } from '../doctor/causes.ts';
import { command, type Outcome } from './command.ts';
import { since, sinceFlag } from './since.ts';

const maxAccounts = 1_000;
/** References that this service makes; an account may also be used by other software. */
const ownReference = /^(pay|ref)_[0-9a-f]{32}$/;

type Held = ListedOperation & { readonly payments: readonly { readonly id: string; readonly businessId: string }[] };

/** `merchantAccount`: the account at the gateway, which several businesses can use. */
type Account = {
  readonly businessId: string;
  readonly gatewayAccountId: string;
  readonly merchantAccount: string;
};

type Comparison = {
  readonly gatewayAccountId: string;
  readonly businessId: string;
  /** Why the gateway's list could not be read, a cause of its port; null if it was. */
  readonly problem: string | null;
  readonly listed: number;
  /** How many of them the records have for other businesses, which use the same account at the gateway. */
  readonly ofOthers: readonly { readonly businessId: string; readonly operations: number }[];
  readonly salesMissing: readonly ListedOperation[];
  readonly refundsHeld: readonly Held[];
  readonly refundsMissing: readonly ListedOperation[];
  /** How many more are in no records, and were named under an account before this one. */
  readonly namedBefore: number;
};

export const gatewayAccountCompare = command({
  summary: 'Find what the gateways carried out and the records do not have, as after a restored backup',
  flags: { since: sinceFlag },
  input: z.object({ since }),
  async run({ since }, backend): Promise<Outcome> {
    const businesses = await backend.services.businesses.list();
    const accounts = await accountsOf(backend, businesses);
    const currencies = new Set(businesses.map(({ currency }) => currency));
    const named = new Set<string>();
    const comparisons: Comparison[] = [];
    for (const account of accounts) {
      const comparison = await compared(backend, { account, accounts, since });
      comparisons.push(inCodes(namedOnce(comparison, account, named), currencies));
    }
    const ok = comparisons.every(one => one.problem === null && missingIn(one) === 0);
    const names = new Map(businesses.map(({ id, name }) => [id, name]));
    const lines = comparisons.flatMap(one => linesOf(one, names));
    const nothing = ['No business has a gateway account: there is nothing to compare'];
    return { ok, json: { comparisons }, lines: lines.length === 0 ? nothing : lines };
  },
});

async function accountsOf({ services }: Backend, businesses: readonly { readonly id: string }[]): Promise<Account[]> {
  const accounts: Account[] = [];
  for (const { id: businessId } of businesses) {
    const page = { businessId, before: afterEveryId, limit: maxAccounts };
    for (const { account } of await services.gatewayAccounts.list(page)) {
      const merchantAccount = `${account.adapter} ${account.merchantId}`;
      accounts.push({ businessId, gatewayAccountId: account.id, merchantAccount });
    }
  }
  return accounts;
}

async function compared(
  { services }: Backend,
  { account, accounts, since }: { account: Account; accounts: readonly Account[]; since: Instant },
): Promise<Comparison> {
  const { gatewayAccountId, businessId } = account;
  const lists = { ofOthers: [], salesMissing: [], refundsHeld: [], refundsMissing: [] };
  const nothing = { gatewayAccountId, businessId, listed: 0, ...lists, namedBefore: 0 };
  const gateway = await services.gatewayAccounts.byId(gatewayAccountId);
  if (!gateway?.operationsIn) return { ...nothing, problem: noReport };
  const list = await gateway.operationsIn({ from: since, to: systemClock.now() });
  if (list.kind === 'unanswered') return { ...nothing, problem: list.cause };
  const own = list.operations.filter(({ uniqueReference }) => ownReference.test(uniqueReference));
  const among = accounts.filter(({ merchantAccount }) => merchantAccount === account.merchantAccount);
  const salesMissing: ListedOperation[] = [];
  const refundsHeld: Held[] = [];
  const refundsMissing: ListedOperation[] = [];
  const knownIn: (string | null)[] = [];
  for (const operation of own) {
    if (operation.operation === 'authorise') {
      const sale = await services.payments.callbacks.findSent(operation.uniqueReference);
      if (sale) knownIn.push(sale.gatewayAccountId);
      else salesMissing.push(operation);
      continue;
    }
    const found = await services.refunds.recordUnrecorded({ among, operation, recordsEndAt: since });
    if (found.kind === 'known') knownIn.push(found.gatewayAccountId);
    if (found.kind === 'held') {
      const payments = found.payments.map(payment => ({ id: payment.id, businessId: payment.businessId }));
      refundsHeld.push({ ...operation, payments });
    }
    if (found.kind === 'unidentified') refundsMissing.push(operation);
  }
  const missing = { salesMissing, refundsHeld, refundsMissing };
  return { ...nothing, problem: null, listed: own.length, ofOthers: ofOthers(account, among, knownIn), ...missing };
}

function ofOthers(
  { businessId: own }: Account,
  among: readonly Account[],
  knownIn: readonly (string | null)[],
): Comparison['ofOthers'] {
  const counts = new Map<string, number>();
  for (const accountId of knownIn) {
    const businessId = among.find(({ gatewayAccountId }) => gatewayAccountId === accountId)?.businessId ?? own;
    if (businessId !== own) counts.set(businessId, (counts.get(businessId) ?? 0) + 1);
  }
  return [...counts].map(([businessId, operations]) => ({ businessId, operations }));
}

/** An operation that several accounts list is named under the first of them. */
function namedOnce(comparison: Comparison, { merchantAccount }: Account, named: Set<string>): Comparison {
  const isNew = ({ gatewayReference }: ListedOperation): boolean => {
    const key = `${merchantAccount} ${gatewayReference}`;
    const isFirst = !named.has(key);
    named.add(key);
    return isFirst;
  };
  const once = {
    ...comparison,
    salesMissing: comparison.salesMissing.filter(isNew),
    refundsHeld: comparison.refundsHeld.filter(isNew),
    refundsMissing: comparison.refundsMissing.filter(isNew),
  };
  return { ...once, namedBefore: missingIn(comparison) - missingIn(once) };
}

function missingIn({ salesMissing, refundsHeld, refundsMissing }: Comparison): number {
  return salesMissing.length + refundsHeld.length + refundsMissing.length;
}

function linesOf(comparison: Comparison, names: ReadonlyMap<string, string>): string[] {
  const { gatewayAccountId, businessId, problem, listed, salesMissing, refundsHeld, refundsMissing } = comparison;
  const account = `${gatewayAccountId} of ${names.get(businessId)}`;
  if (problem !== null) {
    const { says, todo } = gatewayCause(problem);
    return [`${account}: not compared: ${says}`, `  To do: ${todo}`];
  }
  const others = comparison.ofOthers.map(one => `, ${one.operations} of ${names.get(one.businessId)}`);
  const before = comparison.namedBefore === 0 ? '' : `, besides ${comparison.namedBefore} named above`;
  const heldOn = ({ payments }: Held) =>
    payments.map(payment => `${payment.id} of ${names.get(payment.businessId)}`).join(' and ');
  return [
    `${account}: ${listed} operations at the gateway${others.join('')}, ${missingIn(comparison)} not in the records${before}`,
    ...salesMissing.map(one => `  Sale ${words(one)}: the customer was charged, and the records have no such payment`),
    ...refundsHeld.map(one =>
      one.payments.length === 1
        ? `  Refund ${words(one)}: held on ${heldOn(one)} as a discrepancy`
        : `  Refund ${words(one)}: of one of these payments, held on each as a discrepancy: ${heldOn(one)}`,
    ),
    ...refundsMissing.map(one => `  Refund ${words(one)}: the records have no payment that fits`),
  ];
}

/** With currencies as the API names them: the gateway has a number, which may be that of several. */
function inCodes(comparison: Comparison, currencies: ReadonlySet<CurrencyCode>): Comparison {
  const inCode = <Operation extends ListedOperation>(operation: Operation): Operation => {
    const { currency: given } = operation;
    const known = [...currencies].find(one => currencyNumber(one) === currencyNumber(given));
    return { ...operation, currency: known ?? currencyOfNumeric(given) ?? given };
  };
  return {
    ...comparison,
    salesMissing: comparison.salesMissing.map(inCode),
    refundsHeld: comparison.refundsHeld.map(inCode),
    refundsMissing: comparison.refundsMissing.map(inCode),
  };
}

function words({ amountMinor, currency, invoiceNumber, gatewayReference, cardLastFour }: ListedOperation): string {
  const isCode = /^[A-Z]{3}$/.test(currency);
  const amount = isCode ? formatMoney({ amountMinor, currency }, 'en-GB') : `${amountMinor} (${currency})`;
  const card = cardLastFour === null ? '' : `, card ${cardLastFour}`;
  return `of ${amount}, invoice ${invoiceNumber ?? 'unknown'}${card}, ${gatewayReference}`;
}
