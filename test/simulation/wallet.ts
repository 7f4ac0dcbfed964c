import type { BitcoinInvoiceRow } from '../../backend/bitcoin/invoices/rows.ts';
import type { WalletPlan } from './customer-plan.ts';
import type { BookedOutput } from './node-ledger.ts';
import type { Shop } from './shop.ts';

/** The smallest amount that wallets send. */
const minSats = 600;

type Asked = Pick<BitcoinInvoiceRow, 'bolt11' | 'address' | 'amountSats' | 'expiresAt'>;

/** A customer's wallet and the behaviour of its transactions. */
export class Wallet {
  readonly #shop: Shop;

  constructor(shop: Shop) {
    this.#shop = shop;
  }

  async pay({ bolt11, address, amountSats, expiresAt }: Asked, plan: WalletPlan): Promise<void> {
    const { world, numbers } = this.#shop;
    const { node } = world;
    const lateMs = Math.max(0, expiresAt - world.now()) + numbers.pick([0, 200, 900, 5_000, 20_000]);
    await this.#shop.wait(plan.afterMs === 'late' ? lateMs : plan.afterMs);
    const sats = Math.floor(amountSats * plan.share);
    if (plan.network === 'lightning' && bolt11 !== null)
      await node?.pay(bolt11, sats * 1_000 + numbers.between(0, 999));
    if (plan.network === 'onchain' && address !== null && node)
      await this.#follow(node.receive(address, Math.max(minSats, sats)), plan.behaviour);
  }

  async #follow(output: BookedOutput, behaviour: WalletPlan['behaviour']): Promise<void> {
    const { world, numbers } = this.#shop;
    const { node } = world;
    const soon = () => this.#shop.wait(numbers.pick([50, 3_000, 12_000, 40_000]));
    await soon();
    if (behaviour === 'replaced' || behaviour === 'dropped') node?.replace(output, behaviour === 'dropped');
    if (behaviour === 'dropped') return;
    for (let blocks = numbers.between(1, world.confirmations); blocks > 0; blocks -= 1) {
      node?.mine();
      await soon();
    }
    if (behaviour !== 'reorganised' && behaviour !== 'reverted') return;
    node?.reorganise(behaviour === 'reverted');
    await soon();
    node?.mine();
  }
}
