import type { Screen } from '@florin/device/ipc/view.ts';
import type { ActionInput } from '@florin/hardware-sim/actions.ts';
import type { MatrixShop } from './shop.ts';

export const operations = ['sale', 'void', 'refund'] as const;
export type Operation = (typeof operations)[number];

export const saleMinor = 12_50;
export const refundMinor = 5_00;

/** What the terminal told its staff in the end. */
export type Shown = Extract<Screen, { name: 'sale_result' | 'return_result' }> | undefined;

const patienceMs = 4 * 60_000;
const longestMs = 20 * 60_000;
const lookEveryMs = 500;

/** What a customer does at the reader whenever it asks for a card. */
export type Customer = {
  /** With which card, and how; undefined where they have gone. */
  readonly present: () => ActionInput | undefined;
  /** The PIN that they type. */
  readonly pin?: () => 'ok' | 'wrong';
  /** The key that they press when the reader asks for a tip. */
  readonly tip?: () => Extract<ActionInput, { do: 'key' }>['key'];
};

/** A customer who always pays with the same card. */
export function cardholder(entry: 'insert' | 'tap'): Customer {
  return { present: () => ({ do: entry, card: 'visa' }) };
}

const actAfterMs = 900;

/** The customer at the reader does what it asks for, and takes their card when the reader is done. */
export function attendReader({ reader, world }: Pick<MatrixShop, 'reader' | 'world'>, customer: Customer): void {
  let isComing = false;
  const wanted = (): (() => ActionInput | undefined) | undefined => {
    const { stage } = reader;
    const isCardInside = reader.state().insertedCard !== null;
    if (isCardInside && (stage === 'remove' || stage === undefined)) return () => ({ do: 'remove' });
    if (stage === 'present' && !isCardInside) return customer.present;
    if (stage === 'pin' || stage === 'pin_retry') return () => ({ do: 'pin', pin: customer.pin?.() ?? 'ok' });
    if (reader.state().screen.kind === 'tip') return () => ({ do: 'key', key: customer.tip?.() ?? 'cancel' });
    return undefined;
  };
  const act = () => {
    isComing = false;
    if (!reader.plugged) return look();
    const action = wanted()?.();
    if (action) void reader.act(action).then(look);
  };
  const look = () => {
    if (isComing || !wanted()) return;
    isComing = true;
    world.time.after(actAfterMs, act);
  };
  reader.onChange(look);
}

/** Staff begin the operation and do what the screen tells them, until the terminal has said how it ended. */
export async function work(shop: MatrixShop, operation: Operation): Promise<Shown> {
  const staff = operation === 'sale' ? new Cashier(shop) : new Returner(shop);
  const end = shop.world.now() + longestMs;
  while (shop.world.now() < end) {
    const { screen } = shop;
    if (screen && (await staff.act(screen)) === 'over') break;
    await shop.pass(lookEveryMs);
  }
  const { screen } = shop;
  return screen?.name === 'sale_result' || screen?.name === 'return_result' ? screen : undefined;
}

type Staff = { act(screen: Screen): Promise<'over' | 'working'> };

class Cashier implements Staff {
  readonly #shop: MatrixShop;
  #hasBegun = false;
  #hasCancelled = false;

  constructor(shop: MatrixShop) {
    this.#shop = shop;
  }

  async act(screen: Screen): Promise<'over' | 'working'> {
    const { terminal, world } = this.#shop;
    if (screen.name === 'sale_result') return 'over';
    if (screen.name === 'keypad') {
      if (this.#hasBegun) return 'over';
      this.#hasBegun = (await terminal.send({ name: 'start_sale', amountMinor: saleMinor })) === 'accepted';
    }
    const isLong = screen.name === 'sale' && world.now() - screen.since > patienceMs;
    if (isLong && screen.cancellable && !this.#hasCancelled) {
      this.#hasCancelled = true;
      this.#shop.note('staff cancel the sale');
      await terminal.send({ name: 'cancel_sale' });
    }
    return 'working';
  }
}

class Returner implements Staff {
  readonly #shop: MatrixShop;
  #hasConfirmed = false;

  constructor(shop: MatrixShop) {
    this.#shop = shop;
  }

  async act(screen: Screen): Promise<'over' | 'working'> {
    const { terminal, world } = this.#shop;
    const isEnd = screen.name === 'return_result';
    if (isEnd || (this.#hasConfirmed && (screen.name === 'keypad' || screen.name === 'sale_detail'))) return 'over';
    if (screen.name === 'keypad') await terminal.send({ name: 'show_recent_sales' });
    else if (screen.name === 'recent_sales' && !screen.busy) {
      const sale = screen.sales.find(({ kind }) => kind === 'recorded');
      await terminal.send(sale ? { name: 'show_sale', saleId: sale.saleId } : { name: 'back' });
    } else if (screen.name === 'sale_detail') await terminal.send({ name: 'return_money', saleId: screen.sale.saleId });
    else if (screen.name === 'refund_amount')
      await terminal.send({ name: 'enter_refund_amount', amountMinor: refundMinor });
    else if (screen.name === 'confirm_return') {
      this.#shop.steps.count(true);
      this.#hasConfirmed = (await terminal.send({ name: 'confirm_return' })) === 'accepted';
    } else if (screen.name === 'return_progress' && screen.mayLeave && world.now() - screen.since > patienceMs)
      await terminal.send({ name: 'back' });
    return 'working';
  }
}
