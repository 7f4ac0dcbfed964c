import type { Instant } from '@florin/shared/ports.ts';
import type { RateSource } from '../../backend/bitcoin/rates/source.ts';
import type { VirtualTime } from './seeded.ts';

export type Quote = { readonly price: string; readonly at: Instant };

/** Sources whose price changes every few seconds; their prices are recorded for the auditor. */
export class RateModel {
  readonly quotes: Quote[] = [];
  readonly sources: readonly RateSource[];

  constructor(options: { readonly time: VirtualTime; readonly isSilent: () => boolean }) {
    const { time, isSilent } = options;
    this.sources = ['first', 'second', 'third'].map((name, at) => ({
      name,
      price: () =>
        new Promise(resolve => {
          time.after(5 + at, () => {
            if (isSilent()) return resolve({ kind: 'failed', reason: 'no answer' });
            const steps = Math.floor(time.now() / 3_000);
            const price = `${50_000 + ((steps * 37 + at * 11) % 1_000)}.${at}`;
            this.quotes.push({ price, at: time.now() });
            resolve({ kind: 'price', price });
          });
        }),
    }));
  }
}
