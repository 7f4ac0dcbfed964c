import { decimalOf } from '@florin/shared/bitcoin.ts';
import { z } from 'zod';
import type { SourcePrice } from './source.ts';

/** How to request and parse a kind of source. Prices are strings in all of them, so nothing is rounded. */
type Kind = {
  readonly path: (currency: string) => string;
  readonly read: (status: number, body: unknown, currency: string) => SourcePrice;
};

export const sourceKinds = ['kraken', 'coinbase', 'bitstamp'] as const;
export type SourceKind = (typeof sourceKinds)[number];

const krakenTicker = z.object({
  error: z.array(z.string()),
  result: z.record(z.string(), z.object({ b: z.tuple([z.string()], z.unknown()) })).optional(),
});
const coinbaseRates = z.object({ data: z.object({ rates: z.record(z.string(), z.string()) }) });
const bitstampTicker = z.object({ bid: z.string() });

const failed = (reason: string): SourcePrice => ({ kind: 'failed', reason });
const notListed: SourcePrice = { kind: 'not_listed' };

/** A price of zero or an invalid price must never reach an invoice. */
function priceOf(text: string | undefined): SourcePrice {
  return text !== undefined && decimalOf(text) !== undefined
    ? { kind: 'price', price: text }
    : failed('no valid price in the response');
}

/**
 * Public tickers of three exchanges, which need no key. The bid is used if there is one, because bitcoin can be sold at
 * it.
 */
export const kinds: Readonly<Record<SourceKind, Kind>> = {
  kraken: {
    path: currency => `/0/public/Ticker?pair=XBT${currency}`,
    read(status, body) {
      const ticker = krakenTicker.safeParse(body);
      if (status !== 200 || !ticker.success) return failed(`status ${status} without a ticker`);
      if (ticker.data.error.some(error => error.includes('Unknown asset pair'))) return notListed;
      // The response names the pair differently from the request.
      const [pair] = Object.values(ticker.data.result ?? {});
      return ticker.data.error.length > 0 ? failed('the response is an error') : priceOf(pair?.b[0]);
    },
  },
  coinbase: {
    path: () => '/v2/exchange-rates?currency=BTC',
    read(status, body, currency) {
      const answer = coinbaseRates.safeParse(body);
      if (status !== 200 || !answer.success) return failed(`status ${status} without rates`);
      const rate = answer.data.data.rates[currency];
      return rate === undefined ? notListed : priceOf(rate);
    },
  },
  bitstamp: {
    path: currency => `/api/v2/ticker/btc${currency.toLowerCase()}/`,
    read(status, body) {
      if (status === 404) return notListed;
      const ticker = bitstampTicker.safeParse(body);
      return status === 200 && ticker.success ? priceOf(ticker.data.bid) : failed(`status ${status} without a ticker`);
    },
  },
};
