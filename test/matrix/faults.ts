import { unreachable } from '@florin/shared/result.ts';
import type { SeededNumbers } from '../simulation/seeded.ts';
import type { MatrixShop } from './shop.ts';
import type { Passing, Step } from './steps.ts';

export const faults = [
  'cable',
  'lost',
  'doubled',
  'flipped',
  'late',
  'reboot',
  'wiped',
  'power-terminal',
  'power-reader',
  'power-service',
  'bank-silent',
  'bank-late',
] as const;
export type Fault = (typeof faults)[number];

/** Whether a fault can occur at a step: those of messages on the line, and of the bank, occur at theirs. */
export function isPossibleAt(fault: Fault, { from, to }: Step): boolean {
  const isOnLine = (from === 'terminal' && to === 'reader') || (from === 'reader' && to === 'terminal');
  switch (fault) {
    case 'lost':
    case 'doubled':
    case 'flipped':
    case 'late':
      return isOnLine;
    case 'bank-silent':
    case 'bank-late':
      return to === 'bank';
    case 'cable':
    case 'reboot':
    case 'wiped':
    case 'power-terminal':
    case 'power-reader':
    case 'power-service':
      return true;
    default:
      return unreachable(fault);
  }
}

/** Makes the fault occur as a message is sent; how it occurs in detail follows from the numbers. */
export function occur(shop: MatrixShop, fault: Fault, step: Step): Passing {
  const { numbers } = shop.world;
  shop.note(`${fault} at ${step.from} → ${step.to}: ${step.what}`);
  switch (fault) {
    case 'cable':
      return pullCable(shop, step);
    case 'lost':
      return { change: bytes => withoutSome(bytes, numbers) };
    case 'doubled':
      return { change: bytes => [bytes, bytes] };
    case 'flipped':
      return { change: bytes => [withOneBitFlipped(bytes, numbers)] };
    case 'late':
      return { delayMs: numbers.pick([50, 500, 3_000, 12_000]) + numbers.between(0, 500) };
    case 'reboot':
      void shop.reader.act({ do: 'reboot', announced: numbers.chance(0.5) });
      return { isLost: isOf(step, 'reader') };
    case 'wiped':
      void shop.reader.act({ do: 'wipe', announced: numbers.chance(0.5) });
      return { isLost: isOf(step, 'reader') };
    case 'power-terminal':
      shop.terminal.cut();
      later(shop, seconds(numbers, 1, 120), 'the terminal is on again', () => shop.terminal.start());
      // Its own last message may have left.
      return { isLost: step.to === 'terminal' || (step.from === 'terminal' && numbers.chance(0.5)) };
    case 'power-reader':
      void shop.reader.act({ do: 'reboot', announced: false });
      void shop.reader.act({ do: 'unplug' });
      later(shop, seconds(numbers, 1, 120), 'the reader is on again', () => void shop.reader.act({ do: 'replug' }));
      return { isLost: isOf(step, 'reader') };
    case 'power-service': {
      // Half of the time it is back before a terminal stops repeating its request.
      const longest = numbers.chance(0.5) ? 4 : 120;
      shop.cutService();
      later(shop, seconds(numbers, 1, longest), 'the service is on again', () => shop.startService());
      return { isLost: isOf(step, 'service') };
    }
    case 'bank-silent':
    case 'bank-late':
      return shop.bank.fails(fault, numbers);
    default:
      return unreachable(fault);
  }
}

function pullCable(shop: MatrixShop, { from, to }: Step): Passing {
  const { numbers } = shop.world;
  const pull = () => {
    void shop.reader.act({ do: 'unplug' });
    later(shop, seconds(numbers, 1, 60), 'the cable is back', () => void shop.reader.act({ do: 'replug' }));
  };
  const isOnLine = [from, to].every(party => party === 'terminal' || party === 'reader');
  const how = isOnLine ? numbers.pick(['before', 'within', 'after'] as const) : 'before';
  shop.note(`the cable is pulled ${how} it`);
  if (how === 'before') pull();
  if (how === 'within') return { change: bytes => [bytes.subarray(0, bytes.length >> 1)], afterwards: pull };
  return how === 'after' ? { afterwards: pull } : { isLost: isOnLine };
}

const isOf = ({ from, to }: Step, party: Step['from']): boolean => from === party || to === party;
const seconds = (numbers: SeededNumbers, least: number, most: number) => numbers.between(least * 1_000, most * 1_000);

function later(shop: MatrixShop, ms: number, what: string, act: () => void): void {
  shop.world.time.after(ms, () => {
    shop.note(what);
    act();
  });
}

/** Loses the whole message, or some of its bytes. */
function withoutSome(bytes: Buffer, numbers: SeededNumbers): Buffer[] {
  if (numbers.chance(0.5)) return [];
  const from = numbers.between(0, bytes.length - 1);
  const to = numbers.between(from + 1, bytes.length);
  const rest = Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  return rest.length === 0 ? [] : [rest];
}

function withOneBitFlipped(bytes: Buffer, numbers: SeededNumbers): Buffer {
  const flipped = Buffer.from(bytes);
  const at = numbers.between(0, bytes.length - 1);
  flipped[at] = (flipped[at] ?? 0) ^ (1 << numbers.between(0, 7));
  return flipped;
}
