import type { KeyedOutcome } from '@florin/backend/foundation/idempotency/service.ts';
import type { PaymentRow } from '../../backend/money/payments/rows.ts';
import { refundRecordOf } from '../../backend/money/refunds/refund.ts';
import type { CardRefundRequest } from '../../backend/money/refunds/reservation.ts';
import { type Caller, shareOf } from './caller.ts';
import type { Action } from './plan.ts';
import { otherBusiness } from './shop.ts';

type ApiCall = { readonly key: string; readonly payment: PaymentRow; readonly body: ApiBody };
type ApiBody = { readonly kind: 'CANCEL' | 'REFUND_SALE' | 'REFUND' | 'BITCOIN'; readonly amount: number | null };

/** A program of the shop that uses the API. */
export class ApiProgram {
  readonly #caller: Caller;
  readonly #calls: ApiCall[] = [];

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async apiRefund({ of, times, payment, share }: Extract<Action, { kind: 'apiRefund' }>): Promise<void> {
    const row = this.#caller.payment(payment);
    const body: ApiBody = { kind: of, amount: of === 'CANCEL' ? null : shareOf(row, share) };
    const call = { key: `key-${this.#caller.requestId()}`, payment: row, body };
    this.#calls.push(call);
    // Repetitions reach different processes where there are several.
    await Promise.all(Array.from({ length: times }, (_, turn) => this.call(call, { turn })));
  }

  async repeatKey({ other, isSameBody }: Extract<Action, { kind: 'repeatKey' }>): Promise<void> {
    const call = this.#calls[other % Math.max(1, this.#calls.length)];
    if (!call) return;
    if (isSameBody) {
      await this.call(call);
      return;
    }
    const wasAnswered = this.#caller.callers.wasAnswered(call.key);
    const outcome = await this.call(
      { ...call, body: { ...call.body, amount: (call.body.amount ?? 0) + 1 } },
      { isOther: true },
    );
    if (wasAnswered && outcome && outcome.kind !== 'reused')
      this.#caller.shop.auditor.report(`key ${call.key} served another body`);
  }

  /** Under its key, at the process of that turn. */
  async call({ key, payment, body }: ApiCall, { isOther = false, turn }: { isOther?: boolean; turn?: number } = {}) {
    const { world } = this.#caller.shop;
    const outcome = await this.#caller.callWithRetries(
      instance =>
        instance.call(services =>
          services.idempotency.run(
            {
              businessId: world.business.id,
              key,
              requestHash: JSON.stringify([payment.id, body]),
              runId: this.#caller.requestId(),
              isGone: () => false,
            },
            async call => {
              const { kind, amount } = body;
              const response = (view: Parameters<typeof refundRecordOf>[0]) => ({
                status: view.refund.status === 'pending' ? 202 : 201,
                body: refundRecordOf(view, services.receipts.addresses),
              });
              const write = call.storing(response);
              const common = {
                businessId: world.business.id,
                paymentId: payment.id,
                by: { kind: 'api_key', apiKeyId: 'key_000001' } as const,
                reason: null,
                clientRequestId: write.clientRequestId,
                write,
              };
              const outcome =
                kind === 'BITCOIN'
                  ? await services.refunds.recordBitcoin({ ...common, amountSats: amount ?? 0 })
                  : await services.refunds.requestCard({ ...common, kind, amountMinor: amount });
              return outcome.kind === 'done' ? response(outcome.view) : { status: 409, error: outcome.refusal };
            },
          ),
        ),
      turn,
    );
    const response = outcome && responseIn(outcome);
    this.#caller.shop.note(`${this.#caller.name} is answered ${response ? answerOf(response) : outcome?.kind}`);
    // A refused call wrote nothing, so the same key may be used again.
    if (!isOther && outcome && response && response.status < 300)
      this.#caller.callers.answered(key, outcome.kind === 'first', `${response.status} ${response.body}`);
    return outcome;
  }

  async bitcoin({ share }: Extract<Action, { kind: 'bitcoin' }>): Promise<void> {
    const payment = this.#caller.shop.bitcoin;
    if (!payment) return;
    const amount = Math.max(1, Math.floor((payment.amountSats ?? 0) * share));
    await this.call({ key: `key-${this.#caller.requestId()}`, payment, body: { kind: 'BITCOIN', amount } });
  }

  /** Another business's key and terminal are refused. */
  async foreign({ payment }: Extract<Action, { kind: 'foreign' }>): Promise<void> {
    const row = this.#caller.payment(payment);
    const request: CardRefundRequest = {
      businessId: otherBusiness,
      paymentId: row.id,
      kind: 'REFUND_SALE',
      amountMinor: 100,
      by: { kind: 'api_key', apiKeyId: 'key_other' },
      reason: null,
      clientRequestId: `other-${this.#caller.requestId()}`,
    };
    const outcome = await this.#caller.callWithRetries(instance => instance.call(e => e.refunds.requestCard(request)));
    if (outcome && (outcome.kind !== 'refused' || outcome.refusal.kind !== 'payment_not_found'))
      this.#caller.shop.auditor.report('a payment was found by another business');
    const found = await this.#caller.callWithRetries(instance =>
      instance.call(e => e.payments.byId(otherBusiness, row.id)),
    );
    if (found) this.#caller.shop.auditor.report('a payment was read by another business');
  }
}

/** The reply that the caller of a key received, if any. */
function responseIn(outcome: KeyedOutcome<object>): { readonly status: number; readonly body: string } | undefined {
  if (outcome.kind === 'replayed') return outcome;
  if (outcome.kind !== 'first') return undefined;
  const { status, body, error } = outcome.response as { status: number; body?: unknown; error?: unknown };
  return { status, body: JSON.stringify(body ?? error) };
}

function answerOf({ status, body }: { status: number; body: string }): string {
  const { kind, status: state } = JSON.parse(body) as { kind: string; status?: string };
  return `${status} ${kind} ${state ?? ''}`;
}
