import { ApiProgram } from './api-program.ts';
import { BackOffice } from './back-office.ts';
import { BitcoinSale } from './bitcoin-sale.ts';
import { Caller, type Callers } from './caller.ts';
import { CheckoutCustomer } from './checkout-customer.ts';
import { Kiosk } from './kiosk.ts';
import { LinkCustomers } from './link-customers.ts';
import type { Action, ActorPlan } from './plan.ts';
import type { Shop } from './shop.ts';
import { Till } from './till.ts';
import { TipCustomers } from './tip-customers.ts';
import { UcpPlatform } from './ucp-platform.ts';
import { Withdrawals } from './withdrawals.ts';

/** One person or program: performs its actions in order, and retries when the connection breaks. */
export class Actor {
  readonly #caller: Caller;
  readonly #till: Till;
  readonly #program: ApiProgram;
  readonly #backOffice: BackOffice;
  readonly #kiosk: Kiosk;
  readonly #customer: CheckoutCustomer;
  readonly #linkCustomers: LinkCustomers;
  readonly #withdrawals: Withdrawals;
  readonly #tipCustomers: TipCustomers;
  readonly #bitcoinSale: BitcoinSale;
  readonly #platform: UcpPlatform;

  constructor(shop: Shop, plan: ActorPlan, callers: Callers) {
    this.#caller = new Caller(shop, plan, callers);
    this.#till = new Till(this.#caller);
    this.#program = new ApiProgram(this.#caller);
    this.#backOffice = new BackOffice(this.#caller);
    this.#kiosk = new Kiosk(this.#caller);
    this.#customer = new CheckoutCustomer(this.#caller);
    this.#linkCustomers = new LinkCustomers(this.#caller);
    this.#withdrawals = new Withdrawals(this.#caller);
    this.#tipCustomers = new TipCustomers(this.#caller);
    this.#bitcoinSale = new BitcoinSale(this.#caller);
    this.#platform = new UcpPlatform(this.#caller);
  }

  async work(): Promise<void> {
    const { shop, plan, name } = this.#caller;
    for (const action of plan.actions) {
      await shop.wait(action.afterMs);
      shop.note(`${name} ${action.kind}`);
      await this.#act(action);
    }
  }

  async #act(action: Action): Promise<void> {
    switch (action.kind) {
      case 'sale':
        return this.#till.sell(action);
      case 'reverseBeforeAuthorising':
        return this.#till.reverseBeforeAuthorising();
      case 'drivenSale':
        return this.#kiosk.sell(action);
      case 'staffRefund':
        return this.#till.staffRefund(action);
      case 'guesses':
        return this.#till.guess(action);
      case 'passwordChange':
        return this.#till.changePassword(action);
      case 'offlineCheck':
        return this.#till.offlineCheck(action);
      case 'enrolAgain':
        return this.#till.enrolAgain(action);
      case 'takeOver':
        return this.#till.takeOver(action);
      case 'withdrawal':
        return this.#till.withdraw(action);
      case 'apiRefund':
        return this.#program.apiRefund(action);
      case 'repeatKey':
        return this.#program.repeatKey(action);
      case 'bitcoin':
        return this.#program.bitcoin(action);
      case 'foreign':
        return this.#program.foreign(action);
      case 'resolve':
        return this.#backOffice.resolve(action);
      case 'resolveDiscrepancy':
        return this.#backOffice.resolveDiscrepancy(action);
      case 'limits':
      case 'permission':
      case 'unlock':
        return this.#backOffice.manageStaff(action);
      case 'settlement':
        return this.#backOffice.settle(action);
      case 'forgedCallback':
      case 'oldCallback':
        return this.#backOffice.callback(action);
      case 'checkout':
        return this.#customer.checkout(action);
      case 'link':
        return this.#linkCustomers.visit(action);
      case 'bitcoinSale':
        return this.#bitcoinSale.sell(action);
      case 'tips':
        return this.#tipCustomers.leave(action);
      case 'ucp':
        return this.#platform.sell(action);
      case 'payOut':
        return this.#withdrawals.payOut(action);
    }
  }
}
