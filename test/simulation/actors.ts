import { BitcoinTill } from './at-the-bitcoin-till.ts';
import { Customer } from './at-the-checkout.ts';
import { Kiosk } from './at-the-kiosk.ts';
import { LinkVisitors } from './at-the-link.ts';
import { Platform } from './at-the-platform.ts';
import { Till } from './at-the-till.ts';
import { Tippers } from './at-the-tip-link.ts';
import { Treasurer } from './at-the-treasury.ts';
import { Caller, type Callers } from './caller.ts';
import { Office } from './in-the-office.ts';
import { Program } from './over-the-api.ts';
import type { Action, ActorPlan } from './plan.ts';
import type { Shop } from './shop.ts';

/** One person or program: performs its actions in order, and retries when the connection breaks. */
export class Actor {
  readonly #caller: Caller;
  readonly #till: Till;
  readonly #program: Program;
  readonly #office: Office;
  readonly #kiosk: Kiosk;
  readonly #customer: Customer;
  readonly #visitors: LinkVisitors;
  readonly #treasurer: Treasurer;
  readonly #tippers: Tippers;
  readonly #bitcoinTill: BitcoinTill;
  readonly #platform: Platform;

  constructor(shop: Shop, plan: ActorPlan, callers: Callers) {
    this.#caller = new Caller(shop, plan, callers);
    this.#till = new Till(this.#caller);
    this.#program = new Program(this.#caller);
    this.#office = new Office(this.#caller);
    this.#kiosk = new Kiosk(this.#caller);
    this.#customer = new Customer(this.#caller);
    this.#visitors = new LinkVisitors(this.#caller);
    this.#treasurer = new Treasurer(this.#caller);
    this.#tippers = new Tippers(this.#caller);
    this.#bitcoinTill = new BitcoinTill(this.#caller);
    this.#platform = new Platform(this.#caller);
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
        return this.#office.resolve(action);
      case 'resolveDiscrepancy':
        return this.#office.resolveDiscrepancy(action);
      case 'limits':
      case 'permission':
      case 'unlock':
        return this.#office.manageStaff(action);
      case 'settlement':
        return this.#office.settle(action);
      case 'forgedCallback':
      case 'oldCallback':
        return this.#office.callback(action);
      case 'checkout':
        return this.#customer.checkout(action);
      case 'link':
        return this.#visitors.visit(action);
      case 'bitcoinSale':
        return this.#bitcoinTill.sell(action);
      case 'tips':
        return this.#tippers.leave(action);
      case 'ucp':
        return this.#platform.sell(action);
      case 'payOut':
        return this.#treasurer.payOut(action);
    }
  }
}
