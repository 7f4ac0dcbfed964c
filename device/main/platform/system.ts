import { randomBytes } from 'node:crypto';
import { networkInterfaces, release } from 'node:os';
import type { Clock, Ids, Random, Timers } from '@florin/shared/ports.ts';

export const systemClock: Clock = { now: () => Date.now() };

/** Monotonic, so changes of the system clock do not affect it. */
export const systemUptime: Clock = { now: () => performance.now() };

export const systemTimers: Timers = {
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};

export const systemRandom: Random = { bytes: length => randomBytes(length) };

/** UUIDv7 (RFC 9562) without dashes: unique and sortable by time. Electron's Node has no function for it. */
export const systemIds: Ids = {
  next(prefix) {
    const bytes = randomBytes(16);
    bytes.writeUIntBE(Date.now(), 0, 6);
    bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
    bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
    return `${prefix}_${bytes.toString('hex')}`;
  },
};

/** The addresses of this machine that others in its network can see: not its own, and none that it gave to itself. */
export function networkAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap(addresses => addresses ?? [])
    .filter(({ internal, address }) => !internal && !/^(169\.254\.|fe80:)/i.test(address))
    .map(({ address }) => address);
}

/** The program and the machine that it runs on, for support. */
export function platformText(program: string): string {
  return `${program}; ${process.platform} ${release()} ${process.arch}; Node.js ${process.version}`.slice(0, 200);
}
