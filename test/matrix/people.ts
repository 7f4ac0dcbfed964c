import type { Screen } from '@florin/device/ipc/view.ts';
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

/** The customer at the reader: presents a card whenever the reader asks for one, and takes it when the reader is done. */
export function attendReader(shop: MatrixShop, entry: 'insert' | 'tap'): void {
  const { reader, world } = shop;
  let isComing = false;
  const act = () => {
    isComing = false;
    const isCardInside = reader.state().insertedCard !== null;
    if (!reader.plugged) return look();
    if (reader.stage === 'present' && !isCardInside) void reader.act({ do: entry, card: 'visa' }).then(look);
    else if (isCardInside && (reader.stage === 'remove' || reader.stage === undefined))
      void reader.act({ do: 'remove' }).then(look);
  };
  const look = () => {
    const isCardInside = reader.state().insertedCard !== null;
    const isNeeded = reader.stage === 'present' ? !isCardInside : isCardInside;
    if (!isNeeded || isComing) return;
    isComing = true;
    world.time.after(900, act);
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
      const [sale] = screen.sales;
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
