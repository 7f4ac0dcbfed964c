import type { Services } from '../../backend/compose.ts';
import type { Caller } from './caller.ts';
import type { BitcoinSalePlan } from './customer-plan.ts';
import { Wallet } from './wallet.ts';
import { gbp } from './world.ts';

/** A terminal sale whose customer pays in bitcoin or changes the payment method. */
export class BitcoinSale {
  readonly #caller: Caller;
  readonly #wallet: Wallet;

  constructor(caller: Caller) {
    this.#caller = caller;
    this.#wallet = new Wallet(caller.shop);
  }

  async sell(plan: BitcoinSalePlan): Promise<void> {
    const { shop, terminal: terminalId } = this.#caller;
    const terminal = { businessId: shop.world.business.id, terminalId };
    const saleId = shop.world.aSaleId();
    const amount = { reference: null, amountMinor: plan.amountMinor, currency: 'GBP' };
    const opened = await this.#call(({ terminalSales }) => terminalSales.bitcoin.open(terminal, saleId, amount));
    shop.note(`${this.#caller.name} requests bitcoin: ${opened?.ok ? opened.value.state : opened?.refusal.kind}`);
    const invoice = [...(shop.auditor.bitcoin?.invoices.values() ?? [])].find(one => one.purposeId === saleId);
    if (!invoice) return;
    const paying = plan.pays.map(pay => this.#wallet.pay(invoice, pay));
    await Promise.all([...paying, this.#presentCard(saleId, terminalId, plan), this.#withdraw(terminal, saleId, plan)]);
  }

  #call<Value>(work: (services: Services) => Promise<Value>): Promise<Value | undefined> {
    return this.#caller.callWithRetries(instance => instance.call(work));
  }

  async #presentCard(saleId: string, terminalId: string, { amountMinor, cardAfterMs }: BitcoinSalePlan): Promise<void> {
    if (cardAfterMs === null) return;
    const { shop } = this.#caller;
    await shop.wait(cardAfterMs);
    const sale = { amount: gbp(amountMinor), terminalId, saleId };
    const taken = await this.#caller.callWithRetries(instance => shop.world.authorise(sale, instance));
    shop.note(`${this.#caller.name} presents a card: ${taken?.ok ? taken.value.status : taken?.refusal.kind}`);
    if (taken?.ok && taken.value.status === 'unsettled')
      await this.#call(({ payments }) =>
        payments.completeSale({ businessId: shop.world.business.id, terminalId, saleId }),
      );
  }

  async #withdraw(
    terminal: { readonly businessId: string; readonly terminalId: string },
    saleId: string,
    { withdrawAfterMs, to }: BitcoinSalePlan,
  ): Promise<void> {
    if (withdrawAfterMs === null) return;
    await this.#caller.shop.wait(withdrawAfterMs);
    const withdrawn = await this.#call(({ terminalSales }) =>
      terminalSales.bitcoin.withdraw(terminal, saleId, { to, reason: 'customer_cancelled' }),
    );
    const result = withdrawn?.ok ? withdrawn.value.state : withdrawn?.refusal.kind;
    this.#caller.shop.note(`${this.#caller.name} cancels bitcoin: ${result}`);
  }
}
