import type { Screen } from '@florin/device/ipc/view.ts';
import type { Counter } from '../matrix/counter.ts';
import type { ReturnErrand } from './plan.ts';
import type { ReturnEnd } from './roll.ts';
import type { Person, Sold, TradeShop } from './shop.ts';

type Shows<Name extends Screen['name']> = Extract<Screen, { name: Name }>;

/** The counter at which it happens. */
type Here = {
  readonly shop: TradeShop;
  readonly counter: Counter;
  readonly now: number;
  readonly screen: Screen | undefined;
  /** The person on shift. */
  readonly staff: Person;
  person(index: number): Person;
  look(): Promise<void>;
  send(action: Parameters<Counter['terminal']['send']>[0]): Promise<string>;
};

const leavesAfterMs = 5 * 60_000;

/** Staff give a sale back: they find it by its invoice number, and authorise it with their own password. */
export class Returning {
  readonly #day: Here;
  readonly #sold: Sold;
  readonly #errand: ReturnErrand;
  #person: Person;
  #hasMistyped = false;
  #passwordsTyped = 0;
  #amountsTyped = 0;
  #hasCalledColleague = false;
  #isAsked = false;
  #kind: 'void' | 'refund' = 'void';
  #amountMinor = 0;

  constructor(day: Here, sold: Sold, errand: ReturnErrand) {
    this.#day = day;
    this.#sold = sold;
    this.#errand = errand;
    this.#person = day.staff;
  }

  async run(until: number): Promise<void> {
    await this.#day.send({ name: 'show_find_sale' });
    while (this.#day.now < until) {
      const { screen } = this.#day;
      const isOver = screen !== undefined && (await this.#act(screen));
      if (isOver) return;
      await this.#day.look();
    }
    throw new Error(`${this.#day.counter.name}: a return does not end: ${JSON.stringify(this.#day.screen)}`);
  }

  /** What staff do at each screen; true once it is over. */
  readonly #acts: { readonly [Name in Screen['name']]?: (screen: Shows<Name>) => Promise<boolean> | boolean } = {
    find_sale: async () => {
      await this.#day.send({ name: 'search_sales', text: this.#sold.sale.invoiceNumber });
      return false;
    },
    recent_sales: screen => this.#choose(screen),
    sale_detail: screen => this.#ask(screen),
    refund_amount: screen => this.#enterAmount(screen),
    staff_id: screen => this.#identify(screen),
    staff_password: screen => this.#authorise(screen),
    new_password: screen => this.#choosePassword(screen),
    return_progress: ({ mayLeave, since }) =>
      mayLeave && this.#day.now - since > leavesAfterMs && this.#end('pending', 'left'),
    return_result: screen => this.#note(screen),
    keypad: () => this.#end(this.#isAsked ? 'no_end' : 'not_begun', 'the keypad is shown'),
    locked_out: () => this.#end('not_begun', 'locked out'),
  };

  async #act(screen: Screen): Promise<boolean> {
    const act = this.#acts[screen.name] as ((screen: Screen) => Promise<boolean> | boolean) | undefined;
    return (await act?.(screen)) ?? false;
  }

  async #choose(screen: Shows<'recent_sales'>): Promise<boolean> {
    if (screen.busy) return false;
    const { saleId } = this.#sold.sale;
    if (screen.sales.some(sale => sale.saleId === saleId)) await this.#day.send({ name: 'show_sale', saleId });
    else return this.#end('not_begun', screen.notice?.message ?? 'the sale is not found');
    return false;
  }

  async #ask({ sale, notice }: Shows<'sale_detail'>): Promise<boolean> {
    if (this.#isAsked) return this.#end('no_end', 'the sale is shown');
    if (sale.action === 'none') return this.#end('not_begun', notice?.message ?? 'nothing can be returned');
    this.#kind = sale.action;
    this.#amountMinor = sale.remainingInCents;
    const asked = await this.#day.send({ name: 'return_money', saleId: sale.saleId });
    return asked === 'accepted' ? false : this.#end('not_begun', `the return is refused: ${asked}`);
  }

  async #enterAmount({ sale, notice }: Shows<'refund_amount'>): Promise<boolean> {
    this.#amountsTyped += 1;
    if (this.#amountsTyped > 2) return this.#end('not_begun', notice?.message ?? 'the amount is not taken');
    this.#kind = 'refund';
    this.#amountMinor = Math.max(1, Math.floor(sale.remainingInCents * this.#errand.part));
    await this.#day.send({ name: 'enter_refund_amount', amountMinor: this.#amountMinor });
    return false;
  }

  /** A trainee who may not calls a colleague, who approves it with their own password. */
  async #identify({ busy, notice }: Shows<'staff_id'>): Promise<boolean> {
    if (busy) return false;
    if (notice && this.#hasCalledColleague) return this.#end('not_begun', notice.message);
    if (notice) {
      if (!this.#person.isTrainee) return this.#end('not_begun', notice.message);
      this.#hasCalledColleague = true;
      this.#person = this.#day.person(0);
    }
    await this.#day.send({ name: 'enter_staff_number', staffNumber: this.#person.number });
    return false;
  }

  async #authorise({ busy, notice }: Shows<'staff_password'>): Promise<boolean> {
    if (busy) return false;
    if (this.#passwordsTyped > 3) return this.#end('not_begun', notice?.message ?? 'the password is not taken');
    const isWrong = this.#errand.mistypesPassword && !this.#hasMistyped;
    this.#hasMistyped = true;
    // Of a change whose answer was lost the old password may still count.
    const { passwords } = this.#person;
    const password =
      passwords[Math.max(0, passwords.length - this.#passwordsTyped - (isWrong ? 1 : 0)) - 1] ?? passwords[0];
    this.#passwordsTyped += isWrong ? 0 : 1;
    this.#isAsked = true;
    await this.#day.send({ name: 'enter_password', password: isWrong ? 'not the word' : (password ?? '') });
    return false;
  }

  async #choosePassword({ busy, notice }: Shows<'new_password'>): Promise<boolean> {
    if (busy) return false;
    if (notice) return this.#end('not_begun', notice.message);
    const password = `${this.#person.number}: my own quiet word`;
    if (!this.#person.passwords.includes(password)) this.#person.passwords.push(password);
    await this.#day.send({ name: 'choose_password', password, repeated: password });
    return false;
  }

  async #note({ outcome, notice, returning, sale }: Shows<'return_result'>): Promise<boolean> {
    this.#kind = returning.kind === 'CANCEL' ? 'void' : 'refund';
    if (returning.amountMinor !== null) this.#amountMinor = returning.amountMinor;
    // The reader says only now that the sale has settled: what was to be a void is refunded.
    if (outcome !== 'declined' || sale.action !== 'refund' || this.#kind === 'refund')
      return this.#end(outcome, notice.message);
    this.#isAsked = false;
    this.#passwordsTyped = 0;
    await this.#day.send({ name: 'show_keypad' });
    await this.#day.send({ name: 'show_find_sale' });
    return false;
  }

  #end(end: ReturnEnd, why: string): true {
    const { counter, shop, now } = this.#day;
    const isApproved = end === 'approved';
    // What is not known, or cannot be done at this counter, is not tried again.
    this.#sold.remainingMinor = isApproved ? this.#sold.remainingMinor - this.#amountMinor : 0;
    shop.roll.note({
      at: now,
      counter: counter.name,
      kind: this.#kind,
      amountMinor: this.#amountMinor,
      end,
      why,
      isElsewhere: counter !== this.#sold.counter,
    });
    return true;
  }
}
