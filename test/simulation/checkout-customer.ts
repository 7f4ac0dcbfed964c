import { isFinalCheckout } from '@florin/shared/contracts/api-v1/checkouts.ts';
import type { BitcoinInvoiceRow } from '../../backend/bitcoin/invoices/rows.ts';
import type { CheckoutRow } from '../../backend/channels/checkouts/rows.ts';
import type { NewCheckout } from '../../backend/channels/checkouts/service.ts';
import type { Services } from '../../backend/compose.ts';
import { unkeyedWrite } from '../../backend/foundation/idempotency/call.ts';
import { answerIn, type Caller } from './caller.ts';
import type { CheckoutPlan, WalletPlan } from './customer-plan.ts';
import { MerchantRefunds } from './merchant-refunds.ts';
import { Wallet } from './wallet.ts';

const software = { kind: 'api_key', apiKeyId: 'key_000001' } as const;
const anonymous = { kind: 'system' } as const;

/** A customer of a checkout in one or several tabs, and its creator. */
export class CheckoutCustomer {
  readonly #caller: Caller;
  readonly #wallet: Wallet;
  readonly #back: MerchantRefunds;

  constructor(caller: Caller) {
    this.#caller = caller;
    this.#back = new MerchantRefunds(caller);
    this.#wallet = new Wallet(caller.shop);
  }

  async checkout(plan: CheckoutPlan): Promise<void> {
    const { shop } = this.#caller;
    const id = await this.#create(plan);
    const checkout = id === undefined ? undefined : await this.#find(id);
    if (!checkout) return;
    shop.note(`${this.#caller.name} opens ${checkout.id}`);
    const paying = plan.pays.map(pay => this.#pay(checkout, pay));
    await Promise.all([...paying, this.#watch(checkout), this.#cancel(checkout, plan)]);
    await Promise.all([plan.claims ? this.#claim(checkout) : undefined, this.#giveBack(checkout, plan)]);
  }

  async #giveBack({ id, invoiceId }: CheckoutRow, { back }: CheckoutPlan): Promise<void> {
    if (back === null) return;
    const { shop } = this.#caller;
    const { id: businessId } = shop.world.business;
    const paid = async () => {
      const receipts = shop.auditor.bitcoin?.receiptsOf(invoiceId) ?? [];
      const found = receipts.flatMap(({ paymentId }) =>
        paymentId === null ? [] : [this.#call(({ payments }) => payments.byId(businessId, paymentId))],
      );
      return (await Promise.all(found)).filter(payment => payment !== undefined);
    };
    await this.#back.of('checkout', id, paid, back);
  }

  #call<Value>(work: (services: Services) => Promise<Value>, turn?: number): Promise<Value | undefined> {
    return this.#caller.callWithRetries(instance => instance.call(work), turn);
  }

  #find(id: string): Promise<CheckoutRow | undefined> {
    return this.#call(services => services.checkouts.find(id));
  }

  async #create({ amountMinor, isInSats, times, tellsOwnUrl }: CheckoutPlan): Promise<string | undefined> {
    const input = {
      businessId: this.#caller.shop.world.business.id,
      amountMinor: isInSats ? amountMinor * 10 : amountMinor,
      currency: isInSats ? 'BTC' : 'GBP',
      orderId: this.#caller.requestId(),
      externalReference: null,
      successUrl: null,
      webhookUrl: tellsOwnUrl ? 'https://shop.example/own' : null,
    };
    if (times === 0) return this.#createWithoutKey({ ...input, by: anonymous });
    const key = `key-${input.orderId}`;
    const answerWith = ({ id }: CheckoutRow) => ({ status: 201, body: id });
    const turns = Array.from({ length: times }, (_, turn) => turn);
    const made = await Promise.all(
      turns.map(async turn => {
        const create = this.#caller.keyed(key, async ({ checkouts }, call) => {
          const outcome = await checkouts.create({ ...input, by: software }, call.storing(answerWith));
          return outcome.ok ? answerWith(outcome.value.checkout) : { status: 409, error: outcome.refusal };
        });
        const answer = answerIn(await this.#call(create, turn));
        if (answer?.status !== 201) return undefined;
        this.#caller.callers.answered(key, answer.isFirst, String(answer.body));
        return String(answer.body);
      }),
    );
    return made.find(id => id !== undefined);
  }

  async #createWithoutKey(input: NewCheckout): Promise<string | undefined> {
    const outcome = await this.#caller.callWithRetries(instance =>
      instance.call(({ checkouts }) => checkouts.create(input, unkeyedWrite(instance.database))),
    );
    return outcome?.ok ? outcome.value.checkout.id : undefined;
  }

  /** Opens the page, and pays what it shows. */
  async #pay({ invoiceId }: CheckoutRow, plan: WalletPlan): Promise<void> {
    const invoice = await this.#open(invoiceId, plan);
    if (invoice) await this.#wallet.pay(invoice, plan);
  }

  /** As the page does: retries after some seconds if the node was unreachable. */
  async #open(invoiceId: string, { network }: WalletPlan): Promise<BitcoinInvoiceRow | undefined> {
    for (const waitMs of [0, 2_000, 10_000]) {
      await this.#caller.shop.wait(waitMs);
      const opened = await this.#call(services => services.bitcoinInvoices.open(invoiceId, network));
      if (opened?.ok) return opened.value;
      if (opened?.refusal.kind !== 'node_unreachable') return undefined;
    }
    return undefined;
  }

  /** Polls: a newer response is never followed by an older one. */
  async #watch({ id }: CheckoutRow): Promise<void> {
    let last: CheckoutRow | undefined;
    for (const waitMs of [0, 500, 5_000, 20_000, 40_000]) {
      await this.#caller.shop.wait(waitMs);
      const now = await this.#find(id);
      if (!now) continue;
      const isOlder =
        last && (now.sequence < last.sequence || (isFinalCheckout(last.status) && now.status !== last.status));
      if (isOlder) this.#caller.shop.auditor.report(`${id} was ${last?.status}, and later ${now.status}`);
      last = now;
    }
  }

  /** Cancelled with the token or by the shop; the response states the actual outcome. */
  async #cancel(checkout: CheckoutRow, { cancelAfterMs }: CheckoutPlan): Promise<void> {
    if (cancelAfterMs === null) return;
    const { shop } = this.#caller;
    await shop.wait(cancelAfterMs);
    const known = shop.auditor.bitcoin?.invoices.get(checkout.invoiceId);
    const key = `key-${this.#caller.requestId()}`;
    const answerWith = ({ status }: CheckoutRow) => ({ status: 200, body: status });
    const cancelled = await this.#call(
      this.#caller.keyed(key, async ({ checkouts }, call) =>
        answerWith(await checkouts.cancel(checkout, software, call.storing(answerWith))),
      ),
    );
    const answer = answerIn(cancelled);
    if (answer === undefined) return;
    shop.note(`${this.#caller.name} cancels ${checkout.id}: ${String(answer.body)}`);
    if (answer.body !== 'CANCELLED' || known?.paymentHash == null) return;
    if (!shop.world.node?.nodeLedger.cancelled.has(known.paymentHash))
      shop.auditor.report(`${checkout.id} was cancelled without a query to the node`);
  }

  /** Two concurrent claims with different destinations: both are kept. */
  async #claim({ id, invoiceId }: CheckoutRow): Promise<void> {
    const checkout = await this.#find(id);
    if (!checkout) return;
    const key = `key-${this.#caller.requestId()}`;
    await Promise.all(
      ['bcrt1first', 'bcrt1second'].map(async (destination, turn) => {
        const answerWith = () => ({ status: 200, body: destination });
        const claim = this.#caller.keyed(`${key}-${turn}`, async ({ checkouts }, call) => {
          const claimed = await checkouts.claim(checkout, destination, call.storing(answerWith));
          return claimed.ok ? answerWith() : { status: 409, error: claimed.refusal };
        });
        if (answerIn(await this.#call(claim, turn))?.status !== 200) return;
        const { auditor } = this.#caller.shop;
        const kept = auditor.bitcoin?.destinations.get(auditor.bitcoin.claimOf(invoiceId)?.id ?? '') ?? [];
        if (!kept.includes(destination)) auditor.report(`${destination} was accepted for ${id}, and is not stored`);
      }),
    );
  }
}
