import type { WithdrawalRow } from '../../backend/bitcoin/withdrawals/rows.ts';
import { answerIn, type Caller } from './caller.ts';
import type { PayOutPlan } from './customer-plan.ts';
import { foreignAddress, foreignInvoices } from './foreign-wallet.ts';
import { manager } from './refund-calls.ts';

/** Withdraws from the shop's node: repeated calls, one invoice twice, and more than the balance. */
export class Withdrawals {
  readonly #caller: Caller;
  #calls = 0;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async payOut(plan: PayOutPlan): Promise<void> {
    await Promise.all([this.#request(plan), this.#wait(plan)]);
  }

  /** Blocks are mined while a call is in progress. */
  async #wait({ network, minedAfterMs }: PayOutPlan): Promise<void> {
    if (network === 'lightning' || minedAfterMs === null) return;
    const { shop } = this.#caller;
    await shop.wait(minedAfterMs);
    shop.world.node?.mine();
  }

  async #request({ network, share, invoice, times }: PayOutPlan): Promise<void> {
    const { shop } = this.#caller;
    const key = `key-${this.#caller.requestId()}`;
    this.#calls += 1;
    const balanceSats = shop.world.node?.nodeLedger.balanceSats(network) ?? 0;
    const destination =
      network === 'lightning'
        ? { invoice: foreignInvoices()[invoice] ?? '', maxFeeSats: null }
        : {
            address: foreignAddress(this.#caller.plan.id, this.#calls),
            amountSats: Math.max(1, Math.floor(balanceSats * share)),
            satsPerVbyte: null,
          };
    const answerWith = ({ id }: WithdrawalRow) => ({ status: 202, body: id });
    const turns = Array.from({ length: times }, (_, turn) => turn);
    await Promise.all(
      turns.map(async turn => {
        const request = this.#caller.keyed(key, async ({ withdrawals }, call) => {
          const { id: businessId } = shop.world.business;
          const write = call.storing(answerWith);
          const answer = await withdrawals.request({ businessId, destination, by: manager, write });
          return answer.kind === 'done' ? answerWith(answer.withdrawal) : { status: 409, error: answer.refusal };
        });
        const outcome = await this.#caller.callWithRetries(instance => instance.call(request), turn);
        const answer = answerIn(outcome);
        shop.note(`${this.#caller.name} is answered ${answer?.status} ${String(answer?.body)}`);
        if (answer?.status === 202) this.#caller.callers.answered(key, answer.isFirst, String(answer.body));
      }),
    );
  }
}
