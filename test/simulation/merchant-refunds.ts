import type { ClaimView } from '../../backend/bitcoin/claims/service.ts';
import type { InvoicePurpose } from '../../backend/bitcoin/invoices/rows.ts';
import type { Services } from '../../backend/compose.ts';
import type { PaymentRow } from '../../backend/money/payments/rows.ts';
import { ApiProgram } from './api-program.ts';
import { answerIn, type Caller, shareOf } from './caller.ts';
import type { GivingBackPlan } from './customer-plan.ts';
import { manager } from './refund-calls.ts';

type RefundPlan = GivingBackPlan['refunds'][number];

/** The merchant's refunds and returns of what customers paid on a link or checkout. */
export class MerchantRefunds {
  readonly #caller: Caller;
  readonly #program: ApiProgram;

  constructor(caller: Caller) {
    this.#caller = caller;
    this.#program = new ApiProgram(caller);
  }

  async of(purpose: InvoicePurpose, id: string, payments: () => Promise<readonly PaymentRow[]>, plan: GivingBackPlan) {
    await this.#caller.shop.wait(plan.afterMs);
    const paid = await payments();
    const refunds = plan.refunds.map(refund => this.#refund(paid, refund));
    const returns = plan.returns.map(share => this.#return(purpose, id, share));
    await Promise.all([...refunds, ...returns]);
  }

  #call<Value>(work: (services: Services) => Promise<Value>, turn?: number): Promise<Value | undefined> {
    return this.#caller.callWithRetries(instance => instance.call(work), turn);
  }

  async #refund(payments: readonly PaymentRow[], { of, share, times, settlesFirst }: RefundPlan): Promise<void> {
    const payment = payments.find(({ method }) => (method === 'card') === (of !== 'BITCOIN'));
    if (!payment) return;
    if (settlesFirst && payment.gatewayReference !== null)
      this.#caller.shop.world.gateway.settle(payment.gatewayReference);
    const wholeSats = Math.max(1, Math.floor((payment.amountSats ?? 0) * share));
    const amount = of === 'BITCOIN' ? wholeSats : shareOf(payment, share);
    const body = { kind: of, amount: of === 'CANCEL' ? null : amount };
    const call = { key: `key-${this.#caller.requestId()}`, payment, body };
    const turns = Array.from({ length: times }, (_, turn) => turn);
    await Promise.all(turns.map(turn => this.#program.call(call, { turn })));
  }

  /** One transaction for the whole claim or a share of it, recorded twice. */
  async #return(purpose: InvoicePurpose, id: string, share: number): Promise<void> {
    const { id: businessId } = this.#caller.shop.world.business;
    const key = `key-${this.#caller.requestId()}`;
    const claims = await this.#call(({ bitcoinClaims }) => bitcoinClaims.ofPurpose(businessId, purpose, id));
    const claim = claims?.at(-1);
    if (!claim) return;
    const view = await this.#call(({ bitcoinClaims }) => bitcoinClaims.find(businessId, claim.id));
    const about = {
      businessId,
      id: claim.id,
      network: 'onchain',
      txId: `return ${key}`,
      destination: view?.destinations[0]?.destination ?? null,
      note: null,
      amountSats: share === 1 ? null : Math.max(1, Math.floor(claim.amountSats * share)),
      by: manager,
    } as const;
    const answerWith = ({ claim: { returnedSats } }: ClaimView) => ({ status: 200, body: String(returnedSats) });
    await Promise.all(
      [0, 1].map(async turn => {
        const mark = this.#caller.keyed(key, async ({ bitcoinClaims }, call) => {
          const marked = await bitcoinClaims.markReturned({ ...about, write: call.storing(answerWith) });
          return marked.ok ? answerWith(marked.value) : { status: 409, error: marked.refusal };
        });
        const answer = answerIn(await this.#call(mark, turn));
        this.#caller.shop.note(`${this.#caller.name} returns of ${claim.id}: ${answer?.status}`);
        if (answer?.status === 200) this.#caller.callers.answered(key, answer.isFirst, String(answer.body));
      }),
    );
  }
}
