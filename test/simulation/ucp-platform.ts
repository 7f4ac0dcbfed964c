import type { VerifiedPayment } from '../../backend/channels/ucp/service.ts';
import type { Services } from '../../backend/compose.ts';
import { answerIn, type Caller } from './caller.ts';
import type { UcpPlan } from './customer-plan.ts';
import { Wallet } from './wallet.ts';

/** A UCP platform's checkout, paid over Lightning and completed with the proof of payment. */
export class UcpPlatform {
  readonly #caller: Caller;
  readonly #wallet: Wallet;

  constructor(caller: Caller) {
    this.#caller = caller;
    this.#wallet = new Wallet(caller.shop);
  }

  async sell(plan: UcpPlan): Promise<void> {
    const checkoutId = this.#caller.requestId();
    const hashes = new Set<string>();
    await Promise.all(
      plan.asksAfterMs.map(async afterMs => {
        await this.#caller.shop.wait(afterMs);
        const hash = await this.#ask(checkoutId, plan);
        if (hash === undefined || hashes.has(hash)) return;
        if (this.#isPayable(hash) && [...hashes].some(other => this.#isPayable(other)))
          this.#caller.shop.auditor.report(`${checkoutId} was given a second invoice while the first can be paid`);
        hashes.add(hash);
        await this.#pay(hash, plan);
        await this.#caller.shop.wait(plan.provesAfterMs);
        await this.#prove(checkoutId, hash);
      }),
    );
  }

  #isPayable(hash: string): boolean {
    const { world } = this.#caller.shop;
    const booked = world.node?.nodeLedger.invoices.get(hash);
    return booked?.settled === null && !booked.isCancelled && world.now() < booked.expiresAt;
  }

  #call<Value>(work: (services: Services) => Promise<Value>): Promise<Value | undefined> {
    return this.#caller.callWithRetries(instance => instance.call(work));
  }

  async #ask(checkoutId: string, { amountMinor, isInSats }: UcpPlan): Promise<string | undefined> {
    const { id: businessId } = this.#caller.shop.world.business;
    const amount = { amountMinor: isInSats ? amountMinor * 10 : amountMinor, currency: isInSats ? 'SAT' : 'GBP' };
    const asked = await this.#call(({ ucp }) => ucp.invoice({ businessId, checkoutId, ...amount, isByKey: 0 }));
    this.#caller.shop.note(`${this.#caller.name} is given ${asked?.ok ? 'an invoice' : asked?.refusal.kind}`);
    return asked?.ok ? asked.value.paymentHash : undefined;
  }

  async #pay(hash: string, { pays }: UcpPlan): Promise<void> {
    const invoices = [...(this.#caller.shop.auditor.bitcoin?.invoices.values() ?? [])];
    const invoice = invoices.find(({ paymentHash }) => paymentHash === hash);
    if (!invoice) return this.#caller.shop.auditor.report(`the node does not have the invoice ${hash}`);
    await Promise.all(pays.map(pay => this.#wallet.pay(invoice, pay)));
  }

  /** For this checkout and another one, with the preimage that only the payer has. */
  async #prove(checkoutId: string, hash: string): Promise<void> {
    const { shop } = this.#caller;
    const booked = shop.world.node?.nodeLedger.invoices.get(hash);
    if (!booked) return;
    const isPaid = await this.#isProven(checkoutId, booked.preimage);
    if (isPaid && Math.floor((booked.settled?.receivedMsat ?? 0) / 1_000) !== booked.amountSats)
      shop.auditor.report(`${checkoutId} is reported as paid, and the node did not receive the amount`);
    if (await this.#isProven(`${checkoutId}-other`, booked.preimage))
      shop.auditor.report(`the payment of ${checkoutId} also paid another checkout`);
  }

  async #isProven(checkoutId: string, preimage: string): Promise<boolean> {
    const { id: businessId } = this.#caller.shop.world.business;
    const key = `key-${this.#caller.requestId()}`;
    const answerWith = ({ row: { id } }: VerifiedPayment) => ({ status: 200, body: id });
    const proven = await this.#call(
      this.#caller.keyed(key, async ({ ucp }, call) => {
        const verified = await ucp.verify(businessId, { preimage, checkoutId }, call.storing(answerWith));
        return verified.ok ? answerWith(verified.value) : { status: 409, error: verified.refusal };
      }),
    );
    return answerIn(proven)?.status === 200;
  }
}
