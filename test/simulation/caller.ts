import type { Services } from '../../backend/compose.ts';
import type { IdempotentCall } from '../../backend/foundation/idempotency/call.ts';
import type { KeyedOutcome } from '../../backend/foundation/idempotency/service.ts';
import type { PaymentRow } from '../../backend/money/payments/rows.ts';
import type { RefundOutcome } from '../../backend/money/refunds/service.ts';
import type { Instance } from './instance.ts';
import { InstanceCrashed } from './instance.ts';
import type { Machine } from './machines.ts';
import type { ActorPlan } from './plan.ts';
import type { StaffMember } from './refund-calls.ts';
import type { Shop } from './shop.ts';

/** Checks what callers see across all processes: replies by idempotency key, refunds by request id. */
export class Callers {
  readonly #answers = new Map<string, string>();
  readonly #firstRuns = new Map<string, number>();
  readonly #refunds = new Map<string, string>();
  readonly #shop: Shop;

  constructor(shop: Shop) {
    this.#shop = shop;
  }

  /** Invariant 6: a key has one original reply, and every repeat gives the same. */
  answered(key: string, isFirst: boolean, answer: string): void {
    const known = this.#answers.get(key);
    if (known !== undefined && known !== answer) this.#shop.auditor.report(`key ${key} got two answers`);
    this.#answers.set(key, answer);
    const firstRuns = (this.#firstRuns.get(key) ?? 0) + (isFirst ? 1 : 0);
    this.#firstRuns.set(key, firstRuns);
    if (firstRuns > 1) this.#shop.auditor.report(`key ${key} was served twice`);
  }

  wasAnswered(key: string): boolean {
    return this.#answers.has(key);
  }

  /** The same request id stands for one refund. */
  refunded(requestId: string, refundId: string): void {
    const known = this.#refunds.get(requestId);
    if (known !== undefined && known !== refundId) this.#shop.auditor.report(`${requestId} made two refunds`);
    this.#refunds.set(requestId, refundId);
  }
}

/** A caller of the service: retries when the connection breaks. */
export class Caller {
  readonly shop: Shop;
  readonly plan: ActorPlan;
  readonly callers: Callers;
  #requests = 0;

  constructor(shop: Shop, plan: ActorPlan, callers: Callers) {
    this.shop = shop;
    this.plan = plan;
    this.callers = callers;
  }

  get name(): string {
    return `${this.plan.kind} ${this.plan.id}`;
  }

  /** Retries until a process answers; undefined when the attempts run out. */
  async callWithRetries<Value>(
    call: (instance: Instance) => Promise<Value>,
    turn?: number,
  ): Promise<Value | undefined> {
    for (let attempt = 0; attempt < 4; attempt += 1) {
      try {
        return await call(await this.shop.anInstance(turn === undefined ? undefined : turn + attempt));
      } catch (error) {
        if (!(error instanceof InstanceCrashed)) throw error;
      }
    }
    return undefined;
  }

  /** A call under an Idempotency-Key. */
  keyed<Response extends object>(key: string, run: (services: Services, call: IdempotentCall) => Promise<Response>) {
    const { id: businessId } = this.shop.world.business;
    const request = { businessId, key, requestHash: key, runId: this.requestId(), isGone: () => false };
    return (services: Services) => services.idempotency.run(request, call => run(services, call));
  }

  payment(at: number): PaymentRow {
    const { payments } = this.shop;
    const chosen = payments[at % payments.length];
    if (!chosen) throw new Error('the shop has no payment');
    return chosen;
  }

  staff(at: number): StaffMember {
    const { staff } = this.shop;
    const chosen = staff[at % staff.length];
    if (!chosen) throw new Error('the shop has no staff');
    return chosen;
  }

  /** The machine on the counter. */
  get machine(): Machine {
    const { machines } = this.shop;
    const chosen = machines[this.plan.id % machines.length];
    if (!chosen) throw new Error('the shop has no terminal');
    return chosen;
  }

  /** The id of the terminal that the machine is enrolled as now. */
  get terminal(): string {
    return this.machine.terminalId;
  }

  noteOutcome(outcome: RefundOutcome | undefined): void {
    const summary =
      outcome?.kind === 'done'
        ? `${outcome.view.refund.kind} ${outcome.view.refund.status}`
        : outcome?.kind === 'refused'
          ? outcome.refusal.kind
          : 'nothing';
    this.shop.note(`${this.name} is answered ${summary}`);
  }

  requestId(): string {
    this.#requests += 1;
    return `${this.plan.id}-${this.#requests}`;
  }
}

/** The reply that the caller of a key received, if any. */
export function answerIn(
  outcome: KeyedOutcome<object> | undefined,
): { readonly status: number; readonly body: unknown; readonly isFirst: boolean } | undefined {
  if (outcome?.kind === 'replayed')
    return { status: outcome.status, body: JSON.parse(outcome.body) as unknown, isFirst: false };
  if (outcome?.kind !== 'first') return undefined;
  const { status, body } = outcome.response as { status: number; body?: unknown };
  return { status, body, isFirst: true };
}

export function shareOf(payment: PaymentRow, share: number): number {
  return Math.max(1, Math.floor(payment.amountMinor * share));
}
