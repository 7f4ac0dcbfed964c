import type { Caller } from './caller.ts';
import { evidence, openOnes } from './manager.ts';
import type { Action } from './plan.ts';
import { manager } from './refund-calls.ts';

/** Managers, the bank's settlement run, and forged callbacks. */
export class BackOffice {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** A manager decides a pending outcome, possibly against what the bank decides later. */
  async resolve({ isPremature, other }: Extract<Action, { kind: 'resolve' }>): Promise<void> {
    const { auditor, world } = this.#caller.shop;
    const pending = [...auditor.refunds.values()].filter(({ status }) => status === 'pending');
    const chosen = pending[other % Math.max(1, pending.length)];
    if (!chosen?.uniqueReference) return;
    const isSettled = auditor.ledger.rows.get(chosen.uniqueReference)?.booking !== undefined;
    const isCertain = isSettled || auditor.ledger.rows.get(chosen.uniqueReference)?.isDropped === true;
    if (!isCertain && !isPremature) return;
    if (!isCertain || isPremature)
      auditor.wronglyResolved.add(auditor.payments.get(chosen.paymentId)?.gatewayReference ?? '');
    const isApproved = auditor.ledger.isApproved(chosen.uniqueReference) !== isPremature;
    const { booking } = auditor.ledger.rows.get(chosen.uniqueReference) ?? {};
    // An approval is only recorded with a reference: a manager who is wrong has that of something else.
    const wrongReference = isApproved ? `elsewhere-${chosen.id}` : null;
    await this.#caller.callWithRetries(instance =>
      instance.call(e =>
        e.refunds.resolve({
          businessId: world.business.id,
          id: chosen.id,
          outcome: isApproved ? 'approved' : 'failed',
          evidence,
          gatewayReference: booking?.gatewayReference ?? wrongReference,
          by: manager,
        }),
      ),
    );
  }

  /** Resolves one discrepancy from the list. */
  async resolveDiscrepancy({ other, outcome }: Extract<Action, { kind: 'resolveDiscrepancy' }>): Promise<void> {
    const { shop } = this.#caller;
    const open = await this.#caller.callWithRetries(instance =>
      instance.call(e => e.discrepancies.list(openOnes(shop))),
    );
    const chosen = open?.[other % Math.max(1, open.length)];
    if (!chosen) return;
    const resolution = { businessId: chosen.businessId, id: chosen.id, outcome, evidence, by: manager };
    const resolved = await this.#caller.callWithRetries(instance =>
      instance.call(e => e.discrepancies.resolve(resolution)),
    );
    shop.note(
      `${this.#caller.name} resolves ${chosen.kind}: ${resolved?.ok === false ? resolved.refusal.kind : outcome}`,
    );
  }

  async manageStaff(action: Extract<Action, { kind: 'limits' | 'permission' | 'unlock' }>): Promise<void> {
    const { businessId, id } = this.#caller.staff(action.staff).row;
    await this.#caller.callWithRetries(instance =>
      instance.call(async ({ staff }) => {
        if (action.kind === 'unlock') return staff.unlock(businessId, id, manager);
        if (action.kind === 'permission')
          return staff.change(businessId, id, { mayRefundAndVoid: action.mayRefundAndVoid }, manager);
        const { dailyLimitMinor, perTransactionLimitMinor } = action;
        return staff.change(businessId, id, { dailyLimitMinor, perTransactionLimitMinor }, manager);
      }),
    );
  }

  async settle({ isAll, payment, stage }: Extract<Action, { kind: 'settlement' }>): Promise<void> {
    this.#caller.shop.world.gateway.settle(
      isAll ? undefined : (this.#caller.payment(payment).gatewayReference ?? ''),
      stage,
    );
  }

  async callback({ kind, other }: Extract<Action, { kind: 'forgedCallback' | 'oldCallback' }>): Promise<void> {
    const { world, auditor } = this.#caller.shop;
    const pending = [...auditor.refunds.values()].find(({ status }) => status === 'pending');
    const { bookings } = world.gateway;
    const old = bookings[other % Math.max(1, bookings.length)];
    const forged = pending && {
      operation: 'refundSale',
      uniqueReference: pending.uniqueReference,
      amountMinor: pending.amountMinor,
      approved: true,
      gatewayReference: 'forged',
      seal: 'forged',
    };
    if (kind === 'oldCallback' && old) auditor.ledger.requoted(old.uniqueReference);
    const body = kind === 'oldCallback' ? old && world.gateway.callbackOf(old) : forged && JSON.stringify(forged);
    if (!body) return;
    const outcome = await this.#caller.callWithRetries(instance =>
      instance.call(({ gateways }) => gateways.takeCallback(world.gatewayAccountId, { rawBody: body, headers: {} })),
    );
    if (kind === 'forgedCallback' && outcome && outcome !== 'not_genuine')
      auditor.report('a callback without a valid signature was accepted');
  }
}
