import { deriveStaffKey } from '@florin/device/core/staff/keys.ts';
import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import { defaultArgon2 } from '../../backend/people/staff/password.ts';
import type { Counter } from '../matrix/counter.ts';
import { Premises } from '../matrix/premises.ts';
import { seededRandom } from '../simulation/seeded.ts';
import { aWorld, type World } from '../simulation/world.ts';
import type { DayPlan } from './plan.ts';
import { Roll } from './roll.ts';
import { Wifi } from './wifi.ts';

/** A member of staff, and the passwords that they may have by now: the last is the one that they try first. */
export type Person = { readonly number: string; readonly isTrainee: boolean; passwords: string[] };

/** A sale that somebody could bring back. */
export type Sold = { readonly sale: SaleRecord; readonly counter: Counter; remainingMinor: number };

/** What a trainee may refund without a colleague. */
const traineeLimitMinor = 15_00;
const opensBeforeMs = 20 * 60_000;

/** The shop of a day, before anybody does anything. */
export class TradeShop {
  readonly plan: DayPlan;
  readonly premises: Premises;
  readonly wifis: Wifi[] = [];
  readonly people: Person[] = [];
  readonly sold: Sold[] = [];
  readonly roll = new Roll();
  readonly #bank: { isDown: boolean };

  private constructor(plan: DayPlan, world: World, bank: { isDown: boolean }) {
    this.plan = plan;
    this.premises = new Premises(world);
    this.#bank = bank;
  }

  static async open(plan: DayPlan, seed: number): Promise<TradeShop> {
    const bank = { isDown: false };
    const world = await aWorld({
      seed,
      startsAt: plan.begins - opensBeforeMs,
      // Of work that nothing else starts: as often as here it would only make the day longer.
      settings: { recoveryEveryMs: 60_000 },
      business: { tipPercentsJson: '[5,10,15]' },
      behaviours: numbers => {
        if (bank.isDown) return numbers.pick([{ dropped: true }, { replyLost: true }]);
        return numbers.chance(0.03) ? { declined: true } : numbers.chance(0.003) ? { replyLost: true } : {};
      },
    });
    const shop = new TradeShop(plan, world, bank);
    await shop.#hire();
    await shop.#setUp();
    return shop;
  }

  get world(): World {
    return this.premises.world;
  }

  get counters(): readonly Counter[] {
    return this.premises.counters;
  }

  async #hire(): Promise<void> {
    const { world } = this;
    for (const { name, isTrainee, isNew } of this.plan.staff) {
      const password = `${name}: a quiet word`;
      const salt = seededRandom(world.numbers).bytes(16);
      const derived = { password, salt: Buffer.from(salt).toString('base64'), argon2: defaultArgon2 };
      const { publicKey } = await deriveStaffKey(derived);
      const { row } = await world.aStaffMember({
        name,
        password,
        publicKey,
        salt: derived.salt,
        passwordIsTemporary: isNew ? 1 : 0,
        perTransactionLimitMinor: isTrainee ? traineeLimitMinor : null,
      });
      this.people.push({ number: row.staffNumber, isTrainee, passwords: [password] });
    }
  }

  async #setUp(): Promise<void> {
    const { premises, wifis } = this;
    for (const [index, { name, protocol }] of this.plan.counters.entries()) {
      const wifi = new Wifi(premises.connect);
      wifis.push(wifi);
      await premises.addCounter(
        { name, protocol, readerTerminalId: String(65_000_100 + index) },
        { connect: wifi.connect, isServiceUp: () => premises.isServiceUp && wifi.isUp },
      );
    }
  }

  /** While it is down, requests or their answers are lost, and it answers no lookups. */
  setBankDown(isDown: boolean): void {
    this.#bank.isDown = isDown;
    this.world.gateway.silent = isDown;
  }

  /** The bank's day ends: behind the gateway, and in each reader’s own processor. */
  settle(): void {
    this.world.gateway.settle();
    for (const { reader } of this.counters) reader.zvt?.endOfDay();
  }
}
