import type { TipLinkRow } from '../../backend/channels/tip-links/rows.ts';
import type { Services } from '../../backend/compose.ts';
import { answerIn, type Caller } from './caller.ts';
import type { TipPlan } from './customer-plan.ts';
import { manager } from './refund-calls.ts';
import { Wallet } from './wallet.ts';

/** A merchant with a tip link, and customers whose wallets use it. */
export class TipCustomers {
  readonly #caller: Caller;
  readonly #wallet: Wallet;

  constructor(caller: Caller) {
    this.#caller = caller;
    this.#wallet = new Wallet(caller.shop);
  }

  async leave({ tips, removeAfterMs }: TipPlan): Promise<void> {
    const id = await this.#create();
    if (id === undefined) return;
    await Promise.all([...tips.map(tip => this.#tip(id, tip)), this.#remove(id, removeAfterMs)]);
  }

  #call<Value>(work: (services: Services) => Promise<Value>): Promise<Value | undefined> {
    return this.#caller.callWithRetries(instance => instance.call(work));
  }

  async #create(): Promise<string | undefined> {
    const name = this.#caller.requestId();
    const { id: businessId } = this.#caller.shop.world.business;
    const link = { name, lightningName: name, minimumSats: 1_000, maximumSats: 10_000 };
    const answerWith = ({ id }: TipLinkRow) => ({ status: 201, body: id });
    const made = await this.#call(
      this.#caller.keyed(`key-${name}`, async ({ tipLinks }, call) => {
        const created = await tipLinks.create(businessId, link, manager, call.storing(answerWith));
        return created.ok ? answerWith(created.value) : { status: 409, error: created.refusal };
      }),
    );
    const answer = answerIn(made);
    return answer?.status === 201 ? String(answer.body) : undefined;
  }

  async #tip(id: string, { amountSats, pay }: TipPlan['tips'][number]): Promise<void> {
    const { shop } = this.#caller;
    const asked = await this.#call(({ tipLinks }) => tipLinks.invoice(id, String(amountSats * 1_000)));
    if (!asked?.ok) return;
    if (amountSats < 1_000 || amountSats > 10_000) shop.auditor.report(`${id} takes a tip of ${amountSats}`);
    const { bolt11 } = asked.value;
    const invoice = [...(shop.auditor.bitcoin?.invoices.values() ?? [])].find(one => one.bolt11 === bolt11);
    if (!invoice) return shop.auditor.report(`the node does not have the invoice of ${id}`);
    if (pay) await this.#wallet.pay(invoice, pay);
    const { paymentHash } = invoice;
    const verified = await this.#call(({ tipLinks }) => tipLinks.verify(id, paymentHash ?? ''));
    shop.note(`${this.#caller.name} verifies a tip: ${verified?.preimage != null}`);
    const booked = shop.world.node?.nodeLedger.invoices.get(paymentHash ?? '');
    if (verified?.preimage != null && booked?.settled == null)
      shop.auditor.report(`a tip on ${id} is reported as paid, and the node was not paid`);
  }

  async #remove(id: string, removeAfterMs: number | null): Promise<void> {
    if (removeAfterMs === null) return;
    await this.#caller.shop.wait(removeAfterMs);
    const { id: businessId } = this.#caller.shop.world.business;
    const removed = await this.#call(({ tipLinks }) => tipLinks.remove(businessId, id, manager));
    // Every process called has crashed.
    if (removed?.deletedAt == null) return;
    const asked = await this.#call(({ tipLinks }) => tipLinks.invoice(id, '2000000'));
    if (asked?.ok) this.#caller.shop.auditor.report(`${id} takes tips after it was deleted`);
  }
}
