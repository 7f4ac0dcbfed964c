import type { Random } from '@florin/shared/ports.ts';

/**
 * From 0 to 1: by a random part of a delay, terminals that lost the service at one moment do not all return at one
 * moment.
 */
function randomPart(random: Random): number {
  const [high = 0, low = 0] = random.bytes(2);
  return (high * 256 + low) / 65_536;
}

/** The pause before an attempt: from half of `pauseMs` to one and a half. */
export function spreadPause(random: Random, pauseMs: number): number {
  return Math.round(pauseMs * (0.5 + randomPart(random)));
}

const mostSettlingMs = 5_000;

/** How long a terminal that was away waits before it takes up everything again: up to a tenth of that, at most 5 s. */
export function settlingTime(random: Random, awayMs: number): number {
  return Math.round(Math.min(awayMs / 10, mostSettlingMs) * randomPart(random));
}

/** How long a terminal waits before it reads changed settings, of which all terminals of a business hear at one moment. */
export function settingsPause(random: Random): number {
  return spreadPause(random, 500);
}
