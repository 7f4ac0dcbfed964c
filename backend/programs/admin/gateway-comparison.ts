import type { Instant } from '@florin/shared/ports.ts';
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

type Comparison = {
  readonly gatewayAccountId: string;
  /** Why the gateway's list could not be read, a cause of its port; null if it was. */
  readonly problem: string | null;
  readonly listed: number;
  readonly salesMissing: readonly ListedOperation[];
  readonly refundsHeld: readonly (ListedOperation & { readonly paymentId: string })[];
  readonly refundsMissing: readonly ListedOperation[];
};

export const gatewayAccountCompare = command({
  summary: 'Find what the gateways carried out and the records do not have, as after a restored backup',
  flags: { since: sinceFlag },
  input: z.object({ since }),
  async run({ since }, backend): Promise<Outcome> {
    const comparisons: Comparison[] = [];
    for (const { id: businessId } of await backend.services.businesses.list()) {
      const page = { businessId, before: afterEveryId, limit: maxAccounts };
      for (const { account } of await backend.services.gatewayAccounts.list(page))
        comparisons.push(await compared(backend, { businessId, accountId: account.id, since }));
    }
    const ok = comparisons.every(
      ({ problem, salesMissing, refundsHeld, refundsMissing }) =>
        problem === null && salesMissing.length + refundsHeld.length + refundsMissing.length === 0,
    );
    return { ok, json: { comparisons }, lines: comparisons.flatMap(linesOf) };
  },
});

async function compared(
  { services }: Backend,
  { businessId, accountId, since }: { businessId: string; accountId: string; since: Instant },
): Promise<Comparison> {
  const nothing = { gatewayAccountId: accountId, listed: 0, salesMissing: [], refundsHeld: [], refundsMissing: [] };
  const gateway = await services.gatewayAccounts.byId(accountId);
  if (!gateway?.operationsIn) return { ...nothing, problem: noReport };
  const list = await gateway.operationsIn({ from: since, to: systemClock.now() });
  if (list.kind === 'unanswered') return { ...nothing, problem: list.cause };
  const own = list.operations.filter(({ uniqueReference }) => ownReference.test(uniqueReference));
  const salesMissing: ListedOperation[] = [];
  const refundsHeld: (ListedOperation & { readonly paymentId: string })[] = [];
  const refundsMissing: ListedOperation[] = [];
  for (const operation of own) {
    if (operation.operation === 'authorise') {
      if (!(await services.payments.callbacks.findSent(operation.uniqueReference))) salesMissing.push(operation);
      continue;
    }
    const refund = { businessId, gatewayAccountId: accountId, operation, recordsEndAt: since };
    const found = await services.refunds.recordUnrecorded(refund);
    if (found.kind === 'held') refundsHeld.push({ ...operation, paymentId: found.paymentId });
    if (found.kind === 'unidentified') refundsMissing.push(operation);
  }
  return { ...nothing, problem: null, listed: own.length, salesMissing, refundsHeld, refundsMissing };
}

function linesOf(comparison: Comparison): string[] {
  const { gatewayAccountId, problem, listed, salesMissing, refundsHeld, refundsMissing } = comparison;
  if (problem !== null) {
    const { says, todo } = gatewayCause(problem);
    return [`${gatewayAccountId}: not compared: ${says}`, `  To do: ${todo}`];
  }
  return [
    `${gatewayAccountId}: ${listed} operations at the gateway, ${salesMissing.length + refundsHeld.length + refundsMissing.length} not in the records`,
    ...salesMissing.map(one => `  Sale ${words(one)}: the customer was charged, and the records have no such payment`),
    ...refundsHeld.map(one => `  Refund ${words(one)}: held on ${one.paymentId} as a discrepancy`),
    ...refundsMissing.map(one => `  Refund ${words(one)}: the records have no payment that fits`),
  ];
}

function words({ amountMinor, currency, invoiceNumber, gatewayReference, cardLastFour }: ListedOperation): string {
  const card = cardLastFour === null ? '' : `, card ${cardLastFour}`;
  return `of ${amountMinor} (${currency}), invoice ${invoiceNumber ?? 'unknown'}${card}, ${gatewayReference}`;
}
