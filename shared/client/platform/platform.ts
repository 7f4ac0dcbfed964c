import type { Clock } from '@florin/shared/ports.ts';
import type { Ports } from '../ports.ts';

export const systemClock: Clock = { now: () => Date.now() };

/** The network, time and randomness of Node.js or of the browser. */
export const platform: Ports = {
  fetch: (url, request) => fetch(url, request),
  clock: systemClock,
  timers: {
    after(delayMs, task) {
      const timer = setTimeout(task, delayMs);
      return () => clearTimeout(timer);
    },
  },
  random: { bytes: length => crypto.getRandomValues(new Uint8Array(length)) },
};
