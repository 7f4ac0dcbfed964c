import type { CustomerLink } from '../../backend/channels/payment-links/customer.ts';
import type { Services } from '../../backend/compose.ts';
import { unkeyedWrite } from '../../backend/foundation/idempotency/call.ts';
import type { BrowserDetails } from '../../backend/gateways/gateway.ts';
import type { PaymentRow } from '../../backend/money/payments/rows.ts';
import { answerIn, type Caller } from './caller.ts';
import type { LinkPlan, TabPlan } from './customer-plan.ts';
import { challenged } from './gateway-model.ts';
import { MerchantRefunds } from './merchant-refunds.ts';
import { manager } from './refund-calls.ts';
import { Wallet } from './wallet.ts';

type CardTab = Extract<TabPlan, { rail: 'card' }>;
type ApiTab = Extract<TabPlan, { rail: 'api' }>;
type BitcoinTab = Extract<TabPlan, { rail: 'bitcoin' }>;

const browser: BrowserDetails = {
  returnUrl: 'https://pay.example/',
  remoteAddress: '192.0.2.1',
  identity: 'model',
  timeZoneOffsetMinutes: 0,
  capabilities: '',
  screenResolution: '1x1x1',
  acceptContent: '*/*',
  acceptLanguage: 'en',
};

/** Customers with the same payment link, in tabs on either rail, and its merchant. */
export class LinkCustomers {
  readonly #caller: Caller;
  readonly #wallet: Wallet;
  readonly #back: MerchantRefunds;

  constructor(caller: Caller) {
    this.#caller = caller;
    this.#back = new MerchantRefunds(caller);
    this.#wallet = new Wallet(caller.shop);
  }

  async visit(plan: LinkPlan): Promise<void> {
    const linkId = await this.#create(plan);
    if (linkId === undefined) return;
    this.#caller.shop.note(`${this.#caller.name} has ${linkId}`);
    const tabs = plan.tabs.map(tab => this.#open(linkId, tab, plan));
    await Promise.all([...tabs, this.#remove(linkId, plan), this.#giveBack(linkId, tabs, plan)]);
  }

  /** After the first tab is done, while others may still be paying. */
  async #giveBack(linkId: string, tabs: readonly Promise<void>[], { back }: LinkPlan): Promise<void> {
    if (back === null) return;
    await tabs[0];
    const { id: businessId } = this.#caller.shop.world.business;
    const payments = async () =>
      (await this.#call(({ paymentLinks }) => paymentLinks.byId(businessId, linkId)))?.payments ?? [];
    await this.#back.of('paymentLink', linkId, payments, back);
  }

  #call<Value>(work: (services: Services) => Promise<Value>, turn?: number): Promise<Value | undefined> {
    return this.#caller.callWithRetries(instance => instance.call(work), turn);
  }

  async #create({ amountMinor, expiresAfterMs, minimumShare }: LinkPlan): Promise<string | undefined> {
    const { world } = this.#caller.shop;
    const link = {
      businessId: world.business.id,
      description: 'Invoice',
      amountMinor,
      currency: 'GBP',
      minimumAmountMinor: minimumShare === null ? null : Math.floor(amountMinor * minimumShare),
      externalReference: null,
      successUrl: null,
      allowPartPayment: minimumShare !== null,
      expiresAt: expiresAfterMs === null ? null : world.now() + expiresAfterMs,
    };
    const made = await this.#caller.callWithRetries(instance =>
      instance.call(({ paymentLinks }) => paymentLinks.create(link, unkeyedWrite(instance.database))),
    );
    return made?.ok ? made.value.id : undefined;
  }

  async #remove(linkId: string, { deleteAfterMs }: LinkPlan): Promise<void> {
    if (deleteAfterMs === null) return;
    await this.#caller.shop.wait(deleteAfterMs);
    const { id: businessId } = this.#caller.shop.world.business;
    const removed = await this.#call(({ paymentLinks }) => paymentLinks.remove(businessId, linkId));
    this.#caller.shop.note(`${this.#caller.name} deletes ${linkId}: ${removed?.ok ? 'done' : removed?.refusal.kind}`);
  }

  async #open(linkId: string, tab: TabPlan, plan: LinkPlan): Promise<void> {
    const { amountMinor } = plan;
    await this.#caller.shop.wait(tab.afterMs);
    if (tab.rail === 'api') return this.#payOverTheApi(linkId, tab, plan);
    if (tab.rail === 'card') await this.#payByCard(linkId, tab, amountMinor);
    else await this.#payInBitcoin(linkId, tab);
  }

  /** A part if the share is below one, otherwise the balance. */
  async #payOverTheApi(linkId: string, { share, times }: ApiTab, { amountMinor, back }: LinkPlan): Promise<void> {
    const { shop, callers } = this.#caller;
    const key = `key-${this.#caller.requestId()}`;
    const { id: businessId } = shop.world.business;
    const part = share === 1 ? null : Math.max(1, Math.floor(amountMinor * share));
    const request = { businessId, linkId, amountMinor: part, paymentToken: 'token', by: manager };
    const answerWith = ({ id, status }: PaymentRow) => ({ status: status === 'pending' ? 202 : 201, body: id });
    const turns = Array.from({ length: times }, (_, turn) => turn);
    await Promise.all(
      turns.map(async turn => {
        const pay = this.#caller.keyed(key, async ({ paymentLinks }, call) => {
          const paid = await paymentLinks.pay({ ...request, write: call.storing(answerWith) });
          if (paid.ok) return answerWith(paid.value);
          const link = shop.auditor.bitcoin?.links.get(linkId);
          if (back === null && paid.refusal.kind === 'payment_link_paid' && link && link.amountPaidMinor < amountMinor)
            shop.auditor.report(`${linkId} is reported as paid with ${link.amountPaidMinor} of ${amountMinor}`);
          return { status: 409, error: paid.refusal };
        });
        const answer = answerIn(await this.#call(pay, turn));
        shop.note(`${this.#caller.name} pays ${part} over the API: ${answer?.status}`);
        if (answer && answer.status < 300) callers.answered(key, answer.isFirst, String(answer.body));
      }),
    );
  }

  async #payByCard(linkId: string, { times, atBank, takesMs }: CardTab, amountMinor: number): Promise<void> {
    const attempt = this.#caller.requestId();
    const paymentToken = atBank === null ? 'token' : `${challenged}-${attempt}`;
    const payment = { linkId, attempt, method: 'card', paymentToken, amountMinor, browser } as const;
    const turns = Array.from({ length: times }, (_, turn) => turn);
    const sent = await Promise.all(
      turns.map(turn => this.#call(({ paymentLinks }) => paymentLinks.customers.pay(payment), turn)),
    );
    const seen = sent.find(outcome => outcome?.ok);
    this.#say(linkId, seen?.ok ? seen.value : undefined);
    const view = await this.#call(({ paymentLinks }) => paymentLinks.customers.view(linkId, attempt));
    if (view?.progress.kind !== 'at_bank' || atBank === null) return;
    await this.#caller.shop.wait(takesMs);
    await this.#atBank(linkId, attempt, atBank);
  }

  async #atBank(linkId: string, attempt: string, atBank: NonNullable<CardTab['atBank']>): Promise<void> {
    if (atBank === 'leaves') return;
    if (atBank === 'startsAgain') {
      this.#say(linkId, await this.#call(({ paymentLinks }) => paymentLinks.customers.abandon(linkId, attempt)));
      await this.#payByCard(
        linkId,
        { afterMs: 0, rail: 'card', times: 1, atBank: null, takesMs: 0 },
        await this.#asked(linkId),
      );
      return;
    }
    const response = { confirmed: atBank === 'refuses' ? 'no' : 'yes' };
    const back = { linkId, attempt, step: 'challenge', response } as const;
    const times = atBank === 'confirmsTwice' ? [0, 1] : [0];
    const views = await Promise.all(
      times.map(turn => this.#call(({ paymentLinks }) => paymentLinks.customers.continueAtBank(back), turn)),
    );
    this.#say(linkId, views[0]);
  }

  async #asked(linkId: string): Promise<number> {
    return (await this.#call(({ paymentLinks }) => paymentLinks.customers.view(linkId)))?.amountMinor ?? 0;
  }

  async #payInBitcoin(linkId: string, { pays, leavesAfterMs }: BitcoinTab): Promise<void> {
    const { shop } = this.#caller;
    await this.#call(({ paymentLinks }) => paymentLinks.customers.payInBitcoin(linkId));
    const view = await this.#call(({ paymentLinks }) => paymentLinks.customers.view(linkId));
    this.#say(linkId, view);
    if (view?.progress.kind !== 'bitcoin') return;
    const asked = view.progress;
    const leave = async () => {
      if (leavesAfterMs === null) return;
      await shop.wait(leavesAfterMs);
      const left = await this.#call(({ paymentLinks }) => paymentLinks.customers.leaveBitcoin(linkId));
      shop.note(`${this.#caller.name} cancels bitcoin: ${left?.ok ? 'done' : left?.refusal.kind}`);
    };
    await Promise.all([leave(), ...pays.map(pay => this.#wallet.pay(asked, pay))]);
  }

  #say(linkId: string, view: CustomerLink | undefined): void {
    this.#caller.shop.note(`${this.#caller.name} sees ${linkId} ${view?.status} ${view?.progress.kind}`);
  }
}
