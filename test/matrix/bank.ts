import type { ReaderSimulator } from '@florin/hardware-sim/simulator.ts';
import type { SeededNumbers } from '../simulation/seeded.ts';
import type { World } from '../simulation/world.ts';
import type { Passing, Steps } from './steps.ts';

const minuteMs = 60_000;

/** Where the money is: behind the service's gateway, or behind the reader. */
export type Bank = {
  /** What it holds of the customer's money now. */
  heldMinor(): number;
  /** How often it moved money, in either direction. */
  movements(): number;
  fails(fault: 'bank-silent' | 'bank-late', numbers: SeededNumbers): Passing;
  /** The day ends: its payments are settled, and cannot be voided any more. */
  settle(): Promise<void>;
};

/** The bank behind the gateway, which the service asks. */
export function bankOfService(world: World): Bank {
  const { gateway } = world;
  return {
    heldMinor() {
      const approved = gateway.bookings.filter(booking => booking.approved);
      return approved.reduce(
        (sum, { operation, amountMinor }) => sum + (operation === 'authorise' ? amountMinor : -amountMinor),
        0,
      );
    },
    movements: () => gateway.bookings.filter(({ approved }) => approved).length,
    fails(fault, numbers) {
      if (fault === 'bank-late') gateway.next({ arrivesAfterMs: numbers.between(2_000, 90_000) });
      else {
        gateway.next(numbers.chance(0.5) ? { dropped: true } : { replyLost: true });
        gateway.silent = true;
        world.time.after(numbers.between(minuteMs, 8 * minuteMs), () => {
          gateway.silent = false;
        });
      }
      return {};
    },
    async settle() {
      for (const payment of await world.rows<Parameters<World['settle']>[0]>('payments')) await world.settle(payment);
    },
  };
}

type ZvtReader = NonNullable<ReaderSimulator['zvt']>;

/** The processor behind a reader that authorises by itself. */
export function bankOfReader(zvt: ZvtReader, world: World, steps: Steps): Bank {
  const { processor } = zvt;
  const ask = processor.authorise.bind(processor);
  processor.authorise = async amountMinor => {
    const asked = steps.pass({ from: 'reader', to: 'bank', what: 'authorise' });
    asked.afterwards?.();
    await pause(world, 20 + (asked.delayMs ?? 0));
    const answer = await ask(amountMinor);
    const answered = steps.pass({ from: 'bank', to: 'reader', what: 'authorise' });
    answered.afterwards?.();
    return answer;
  };
  return {
    heldMinor: () =>
      processor.movements.reduce((sum, { kind, amountMinor, reference }) => {
        if (kind === 'payment') return sum + amountMinor;
        const undone = processor.movements[reference - 1];
        return sum + (kind === 'reversal' && undone?.kind === 'refund' ? amountMinor : -amountMinor);
      }, 0),
    movements: () => processor.movements.length,
    fails(fault, numbers) {
      if (fault === 'bank-late') return { delayMs: numbers.between(2_000, 120_000) };
      processor.answersNext('unknown');
      return { delayMs: numbers.between(20_000, 90_000) };
    },
    async settle() {
      zvt.endOfDay();
    },
  };
}

function pause(world: World, ms: number): Promise<void> {
  return new Promise(resolve => void world.time.after(ms, resolve));
}
