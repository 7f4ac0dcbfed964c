import type { Services } from '../../backend/compose.ts';
import type { BrowserDetails } from '../../backend/gateways/gateway.ts';
import { unkeyedWrite } from '../../backend/idempotency/call.ts';
import type { CustomerLink } from '../../backend/payment-links/customer.ts';
import type { Caller } from './caller.ts';
import { challenged } from './gateway-model.ts';
import type { LinkPlan, TabPlan } from './plan.ts';
import { Wallet } from './wallet.ts';

type CardTab = Extract<TabPlan, { rail: 'card' }>;
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

/** Customers who have the same payment link open, in tabs on either rail, and the merchant who made it. */
export class LinkVisitors {
  readonly #caller: Caller;
  readonly #wallet: Wallet;

  constructor(caller: Caller) {
    this.#caller = caller;
    this.#wallet = new Wallet(caller.shop);
  }

  async visit(plan: LinkPlan): Promise<void> {
    const linkId = await this.#create(plan);
    if (linkId === undefined) return;
    this.#caller.shop.note(`${this.#caller.name} has ${linkId}`);
    const tabs = plan.tabs.map(tab => this.#open(linkId, tab, plan));
    await Promise.all([...tabs, this.#remove(linkId, plan)]);
  }

  #call<Value>(work: (services: Services) => Promise<Value>, turn?: number): Promise<Value | undefined> {
    return this.#caller.tryHard(instance => instance.call(work), turn);
  }

  async #create({ amountMinor, expiresAfterMs }: LinkPlan): Promise<string | undefined> {
    const { world } = this.#caller.shop;
    const link = {
      businessId: world.business.id,
      description: 'Invoice',
      amountMinor,
      currency: 'GBP',
      minimumAmountMinor: null,
      externalReference: null,
      successUrl: null,
      allowPartPayment: false,
      expiresAt: expiresAfterMs === null ? null : world.now() + expiresAfterMs,
    };
    const made = await this.#caller.tryHard(instance =>
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

  async #open(linkId: string, tab: TabPlan, { amountMinor }: LinkPlan): Promise<void> {
    await this.#caller.shop.wait(tab.afterMs);
    if (tab.rail === 'card') await this.#payByCard(linkId, tab, amountMinor);
    else await this.#payInBitcoin(linkId, tab);
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
      shop.note(`${this.#caller.name} gives bitcoin up: ${left?.ok ? 'done' : left?.refusal.kind}`);
    };
    await Promise.all([leave(), ...pays.map(pay => this.#wallet.pay(asked, pay))]);
  }

  #say(linkId: string, view: CustomerLink | undefined): void {
    this.#caller.shop.note(`${this.#caller.name} sees ${linkId} ${view?.status} ${view?.progress.kind}`);
  }
}
