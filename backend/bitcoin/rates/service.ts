import { compareDecimals, decimalOf } from '@florin/shared/bitcoin.ts';
import type { Clock, Instant, Log } from '@florin/shared/ports.ts';
import type { RateSource } from './source.ts';

export type RateSettings = {
  /** The maximum age of a price used without a request. */
  readonly freshMs: number;
  /** The maximum age of a price if its source does not respond. */
  readonly staleMs: number;
  /** Backoff of a failing source, doubled from the first delay to the second. */
  readonly backOffMs: readonly [first: number, most: number];
  /** The maximum difference in percent between two sources without a third. */
  readonly maxDifferencePercent: number;
};

export const defaultRates: RateSettings = {
  freshMs: 60_000,
  staleMs: 5 * 60_000,
  backOffMs: [5_000, 5 * 60_000],
  maxDifferencePercent: 10,
};

export type Rate = {
  readonly currency: string;
  /** The price of one bitcoin, as a decimal string. */
  readonly price: string;
  readonly sources: readonly string[];
  /** The time of its oldest price. */
  readonly asOf: Instant;
};

export type Rates = {
  /** The price of one bitcoin now; undefined if unavailable, and then nothing may be priced in bitcoin. */
  current(currency: string): Promise<Rate | undefined>;
};

type Known = {
  price: string | undefined;
  at: Instant;
  failures: number;
  notBefore: Instant;
};

type Quote = { readonly source: string; readonly price: string; readonly at: Instant };

/**
 * The median of several sources. Prices are never invented, kept long, or taken from one source that another
 * contradicts.
 */
export function rateService(options: {
  readonly sources: readonly RateSource[];
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: RateSettings;
}): Rates {
  const { sources, clock, log, settings } = options;
  const known = new Map<string, Known>();
  const underWay = new Map<string, Promise<Rate | undefined>>();

  async function ask(source: RateSource, currency: string): Promise<Quote | undefined> {
    const slot = `${source.name} ${currency}`;
    const entry = known.get(slot) ?? { price: undefined, at: 0, failures: 0, notBefore: 0 };
    known.set(slot, entry);
    const isFresh = entry.price !== undefined && clock.now() - entry.at < settings.freshMs;
    if (!isFresh && clock.now() >= entry.notBefore) await refresh(entry, source, currency);
    const { price, at } = entry;
    return price !== undefined && clock.now() - at < settings.staleMs ? { source: source.name, price, at } : undefined;
  }

  async function refresh(entry: Known, source: RateSource, currency: string): Promise<void> {
    const answer = await source.price(currency);
    const now = clock.now();
    if (answer.kind === 'price') {
      Object.assign(entry, { price: answer.price, at: now, failures: 0, notBefore: 0 });
      return;
    }
    const [firstMs, maxMs] = settings.backOffMs;
    entry.failures += 1;
    entry.notBefore =
      now + (answer.kind === 'not_listed' ? maxMs : Math.min(maxMs, firstMs * 2 ** (entry.failures - 1)));
    if (answer.kind === 'failed')
      log.warn({ source: source.name, currency, reason: answer.reason }, 'an exchange-rate source failed');
  }

  async function look(currency: string): Promise<Rate | undefined> {
    const replies = await Promise.all(sources.map(source => ask(source, currency)));
    const quotes = replies.filter(quote => quote !== undefined);
    const median = medianOf(quotes, settings.maxDifferencePercent);
    if (median === undefined) {
      log.warn({ currency, quotes: quotes.length }, 'no exchange rate is available');
      return undefined;
    }
    return {
      currency,
      price: median,
      sources: quotes.map(({ source }) => source),
      asOf: Math.min(...quotes.map(({ at }) => at)),
    };
  }

  return {
    current(currency) {
      const running = underWay.get(currency) ?? look(currency).finally(() => underWay.delete(currency));
      underWay.set(currency, running);
      return running;
    },
  };
}

/** The lower one of an even number, which favours the merchant by a satoshi. */
function medianOf(quotes: readonly Quote[], maxDifferencePercent: number): string | undefined {
  const sorted = quotes
    .flatMap(({ price }) => {
      const decimal = decimalOf(price);
      return decimal ? [{ price, decimal }] : [];
    })
    .sort((a, b) => compareDecimals(a.decimal, b.decimal));
  const [lowest, highest] = [sorted.at(0), sorted.at(-1)];
  if (!lowest || !highest) return undefined;
  const limit = { ...lowest.decimal, digits: lowest.decimal.digits * BigInt(100 + maxDifferencePercent) };
  const top = { ...highest.decimal, digits: highest.decimal.digits * 100n };
  if (sorted.length === 2 && compareDecimals(top, limit) > 0) return undefined;
  return sorted[Math.floor((sorted.length - 1) / 2)]?.price;
}
