import type { Screen, View } from '@florin/device/ipc/view.ts';
import type { Counter } from '../matrix/counter.ts';
import { attendReader } from '../matrix/people.ts';
import type { CounterPlan, ReturnErrand, SaleErrand } from './plan.ts';
import { Returning } from './returning.ts';
import type { Person, TradeShop } from './shop.ts';

const lookEveryMs = 700;
const patienceMs = 4 * 60_000;
const longestMs = 40 * 60_000;
const tipPatienceMs = 60_000;
const switchedOffFromMs = 2 * 60_000;
const startsBeforeMs = 30_000;
const leaverPatienceMs = 15_000;

/** Who works at a counter, and what its customers do, from its opening to its end. */
export class CounterDay {
  readonly shop: TradeShop;
  readonly counter: Counter;
  readonly #plan: CounterPlan;
  #customer: SaleErrand | undefined;
  #pinsTyped = 0;
  /** Whether everything was done and the terminal may be switched off. */
  isOver = false;

  constructor(shop: TradeShop, counter: Counter, plan: CounterPlan) {
    this.shop = shop;
    this.counter = counter;
    this.#plan = plan;
    attendReader(counter, {
      present: () => this.#present(),
      pin: () => {
        this.#pinsTyped += 1;
        return this.#customer?.ends === 'mistypes_pin' && this.#pinsTyped === 1 ? 'wrong' : 'ok';
      },
      tip: () => this.#customer?.tip ?? 'cancel',
    });
  }

  get now(): number {
    return this.shop.world.now();
  }

  get screen(): Screen | undefined {
    return this.counter.screen;
  }

  /** The person on shift. */
  get staff(): Person {
    const shift = this.#plan.shifts.findLast(({ from }) => from <= this.now) ?? this.#plan.shifts[0];
    return this.person(shift?.staff ?? 0);
  }

  person(index: number): Person {
    const person = this.shop.people[index];
    if (!person) throw new Error(`nobody is number ${index}`);
    return person;
  }

  look(): Promise<void> {
    return this.shop.world.pause(lookEveryMs);
  }

  send(action: Parameters<Counter['terminal']['send']>[0]): Promise<string> {
    return this.counter.terminal.send(action);
  }

  async work(): Promise<void> {
    const { errands, open } = this.#plan;
    if (open.from > this.now) {
      this.counter.terminal.cut();
      await this.#at(open.from);
      this.counter.terminal.start();
    }
    for (const errand of errands) {
      await this.#idleUntil(errand.at);
      if (!(await this.toKeypad())) this.shop.roll.turnedAway += 1;
      else if (errand.kind === 'sale') await this.#sell(errand);
      else await this.#takeBack(errand);
      this.#customer = undefined;
    }
    await this.#idleUntil(open.to);
    await this.toKeypad();
    this.isOver = true;
  }

  /** Until the next customer; where that is long, and terminals are switched off between customers, it is off. */
  async #idleUntil(time: number): Promise<void> {
    const isOff = this.shop.plan.areSwitchedOff && time - this.now > switchedOffFromMs;
    if (isOff) {
      this.counter.terminal.cut();
      await this.#at(time - startsBeforeMs);
      this.counter.terminal.start();
    }
    await this.#at(time);
  }

  async #at(time: number): Promise<void> {
    if (time > this.now) await this.shop.world.pause(time - this.now);
  }

  #present(): Parameters<Counter['reader']['act']>[0] | undefined {
    const { reader } = this.counter;
    const customer = this.#customer;
    if (customer?.ends === 'leaves') return undefined;
    const { card = 'visa', entry = 'insert' } = customer ?? {};
    return { do: reader.state().screen.kind === 'insert' ? 'insert' : entry, card };
  }

  /** Closes whatever is shown, until the next customer can be served. */
  async toKeypad(): Promise<boolean> {
    const end = this.now + longestMs;
    while (this.now < end) {
      const { screen } = this;
      if (screen?.name === 'keypad') return true;
      if (screen && (await this.send({ name: 'show_keypad' })) !== 'accepted') await this.send({ name: 'back' });
      if (this.screen?.name !== 'keypad') await this.look();
    }
    throw new Error(`${this.counter.name} does not leave ${JSON.stringify(this.screen)}`);
  }

  async #sell(errand: SaleErrand): Promise<void> {
    this.#customer = errand;
    this.#pinsTyped = 0;
    if (!(await this.#begin(errand.amountMinor))) {
      this.shop.roll.turnedAway += 1;
      return;
    }
    const end = this.now + longestMs;
    let keypads = 0;
    let hasCancelled = false;
    while (this.now < end) {
      await this.look();
      const { screen } = this;
      if (screen?.name === 'sale_result') return this.#noteSale(screen);
      if (screen?.name === 'keypad') keypads += 1;
      if (keypads > 2) return this.#noteNoSale(errand, screen);
      if (screen?.name === 'tip' && this.now - screen.since > tipPatienceMs) await this.send({ name: 'skip_tip' });
      if (screen?.name === 'sale' && !hasCancelled && this.#isTooLong(screen, errand))
        hasCancelled = (await this.send({ name: 'cancel_sale' })) === 'accepted';
    }
    throw new Error(`${this.counter.name}: a sale does not end: ${JSON.stringify(this.screen)}`);
  }

  async #begin(amountMinor: number): Promise<boolean> {
    for (let tries = 0; tries < 20; tries += 1) {
      if ((await this.send({ name: 'start_sale', amountMinor })) === 'accepted') return true;
      await this.look();
    }
    return false;
  }

  #isTooLong(screen: Extract<View['screen'], { name: 'sale' }>, { ends }: SaleErrand): boolean {
    const waitedMs = this.now - screen.since;
    return screen.cancellable && waitedMs > (ends === 'leaves' ? leaverPatienceMs : patienceMs);
  }

  #noteSale(screen: Extract<View['screen'], { name: 'sale_result' }>): void {
    const { customerOutcome: end, amount, tipMinor = 0, sale } = screen;
    const { amountMinor } = amount;
    const { counter, shop } = this;
    shop.roll.note({ at: this.now, counter: counter.name, kind: 'sale', amountMinor, tipMinor, end });
    if (end === 'approved' && sale) shop.sold.push({ sale, counter, remainingMinor: amountMinor });
  }

  /** It was not begun, and the screen says why; or nothing is known of it after a loss of power. */
  #noteNoSale({ amountMinor }: SaleErrand, screen: Screen | undefined): void {
    const { roll } = this.shop;
    if (screen?.name === 'keypad' && screen.notice) roll.turnedAway += 1;
    else roll.note({ at: this.now, counter: this.counter.name, kind: 'sale', end: 'no_end', amountMinor, tipMinor: 0 });
  }

  async #takeBack(errand: ReturnErrand): Promise<void> {
    const isOurs = (other: Counter) => other === this.counter;
    const chosen = this.shop.sold.filter(
      ({ counter, remainingMinor }) =>
        remainingMinor > 0 && counter.protocol === this.counter.protocol && isOurs(counter) !== errand.isElsewhere,
    );
    const sold = chosen[Math.floor(errand.which * chosen.length)];
    if (sold) await new Returning(this, sold, errand).run(this.now + longestMs);
  }
}
