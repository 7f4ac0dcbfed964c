import type { Services } from '../../backend/compose.ts';
import type { DiscrepancyRow } from '../../backend/money/discrepancies/rows.ts';
import { manager } from './refund-calls.ts';
import type { Shop } from './shop.ts';

export const evidence = 'read on the bank statement';

/** All open discrepancies of the shop. */
export function openOnes(shop: Shop) {
  const { id: businessId } = shop.world.business;
  return { businessId, status: 'open', kind: null, paymentId: null, before: '~', limit: 100 } as const;
}

/** Decides what the service must not decide: outcomes for which the bank named another amount, and what waits for them. */
export async function decideDisputed(shop: Shop): Promise<void> {
  const { auditor, numbers } = shop;
  for (const row of auditor.discrepancies.values()) {
    const { id, businessId, kind, refundId, paymentId, resolvedAt, contestedMinor } = row;
    if (resolvedAt !== null) continue;
    const isAmount = kind.endsWith('amount_differs');
    const subject = refundId === null ? auditor.payments.get(paymentId ?? '') : auditor.refunds.get(refundId);
    const holdsUp = contestedMinor > 0 && auditor.payments.get(paymentId ?? '')?.reversalDueAt !== null;
    if (isAmount && subject?.status === 'pending') await decide(shop, row);
    else if (isAmount || holdsUp) {
      const outcome = isAmount ? 'records_right' : numbers.pick(['gateway_right', 'records_right'] as const);
      await answered(shop, e => e.discrepancies.resolve({ businessId, id, outcome, evidence, by: manager }));
    }
  }
}

async function decide(shop: Shop, { businessId, refundId, paymentId }: DiscrepancyRow) {
  const { auditor } = shop;
  const uniqueReference = refundId ?? paymentId ?? '';
  const gatewayReference = auditor.ledger.rows.get(uniqueReference)?.booking?.gatewayReference ?? null;
  const outcome = auditor.ledger.isApproved(uniqueReference) ? 'approved' : 'failed';
  const decision = { businessId, outcome, evidence, gatewayReference, by: manager } as const;
  await answered(shop, async ({ refunds, payments }) =>
    refundId === null
      ? payments.resolve({ ...decision, id: paymentId ?? '' })
      : refunds.resolve({ ...decision, id: refundId }),
  );
}

/** Resolves every discrepancy at the end, each once. */
export async function resolveAll(shop: Shop): Promise<void> {
  const { auditor, numbers } = shop;
  const open = [...auditor.discrepancies.values()].filter(({ resolvedAt }) => resolvedAt === null);
  const { value: listed } = await answered(shop, e => e.discrepancies.list(openOnes(shop)));
  for (const { id } of open)
    if (!listed.some(one => one.id === id)) auditor.report(`discrepancy ${id} is open and not listed`);
  for (const { id, businessId, kind } of listed) {
    const outcome = numbers.pick(['gateway_right', 'records_right'] as const);
    const resolution = { businessId, id, outcome, evidence, by: manager };
    const first = await answered(shop, e => e.discrepancies.resolve(resolution));
    // A process may have resolved it and crashed before it answered.
    if (!first.value.ok && first.attempts === 1)
      auditor.report(`discrepancy ${id}, ${kind}, cannot be resolved: ${first.value.refusal.kind}`);
    const second = await answered(shop, e => e.discrepancies.resolve(resolution));
    if (second.value.ok) auditor.report(`discrepancy ${id} was resolved twice`);
  }
}

/** Brings all terminals online and syncs their outboxes. */
export async function emptyOutboxes(shop: Shop): Promise<void> {
  for (const machine of shop.machines) await machine.deliver(async work => (await answered(shop, work)).value);
}

/** Retries until a process answers. */
async function answered<Value>(
  shop: Shop,
  call: (services: Services) => Promise<Value>,
): Promise<{ value: Value; attempts: number }> {
  for (let attempts = 1; ; attempts += 1)
    try {
      const instance = await shop.anInstance();
      return { value: await instance.call(call), attempts };
    } catch (error) {
      shop.unlessCrashed(error);
    }
}
