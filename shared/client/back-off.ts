import type { Random } from '@florin/shared/ports.ts';

/** Between half the delay and all of it, so that clients that lost the service together do not reconnect together. */
export function jittered(delayMs: number, random: Random): number {
  const [high = 0, low = 0] = random.bytes(2);
  return delayMs * (0.5 + ((high << 8) | low) / 0x2_0000);
}

/** The delay doubles after each failure, up to a limit. */
export function backOffMs(failures: number, { firstMs, maxMs }: { firstMs: number; maxMs: number }): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 30));
}
