import { listener, sendJson } from '../http.ts';

/** A fault of an exchange's next responses. */
export type RateFault = 'unavailable' | 'zero' | 'garbled' | 'silent';

export type RatesSandbox = {
  /** The base URL of each exchange. */
  readonly urls: { readonly kraken: string; readonly coinbase: string; readonly bitstamp: string };
  readonly control: {
    /** The price of one bitcoin, as a decimal string. */
    setPrice(currency: string, price: string, exchange?: Exchange): void;
    /** In effect until set to undefined. */
    setFault(exchange: Exchange, fault: RateFault | undefined): void;
    /** The number of requests to each exchange. */
    readonly asked: Readonly<Record<Exchange, number>>;
  };
  close(): Promise<void>;
};

type Exchange = 'kraken' | 'coinbase' | 'bitstamp';

const prices: Readonly<Record<string, string>> = {
  GBP: '50000.0',
  EUR: '58500.5',
  USD: '64123.45',
  JPY: '9750000',
  KWD: '19650.125',
  HUF: '23100000.5',
  CHF: '55000.25',
};

/** The public tickers of three exchanges, with configurable prices. */
export async function startRatesSandbox(options: { port?: number } = {}): Promise<RatesSandbox> {
  const own = new Map<string, string>();
  const faults = new Map<Exchange, RateFault>();
  const asked: Record<Exchange, number> = { kraken: 0, coinbase: 0, bitstamp: 0 };
  const priceAt = (exchange: Exchange, currency: string) =>
    faults.get(exchange) === 'zero'
      ? '0'
      : (own.get(`${exchange} ${currency}`) ?? own.get(currency) ?? prices[currency]);

  function krakenTicker(pair: string): unknown {
    const price = priceAt('kraken', pair.slice(3));
    if (!pair.startsWith('XBT') || price === undefined) return { error: ['EQuery:Unknown asset pair'] };
    // A request for XBTUSD is answered with XXBTZUSD.
    return { error: [], result: { [`XXBTZ${pair.slice(3)}`]: { a: [price, '1', '1.000'], b: [price, '1', '1.000'] } } };
  }
  function coinbaseRates(): unknown {
    const currencies = new Set([...Object.keys(prices), ...[...own.keys()].filter(name => !name.includes(' '))]);
    const rates = Object.fromEntries([...currencies].map(code => [code, priceAt('coinbase', code)]));
    return { data: { currency: 'BTC', rates } };
  }

  const server = listener({
    port: options.port ?? 0,
    async handle(request, response) {
      const url = new URL(request.url ?? '/', 'http://sandbox');
      const [, name, ...rest] = url.pathname.split('/');
      if (name !== 'kraken' && name !== 'coinbase' && name !== 'bitstamp') return sendJson(response, 404, {});
      asked[name] += 1;
      const fault = faults.get(name);
      if (fault === 'silent') return;
      if (fault === 'unavailable') return sendJson(response, 503, { error: 'unavailable' });
      if (fault === 'garbled') return void response.end('<html>maintenance</html>');
      if (name === 'kraken') return sendJson(response, 200, krakenTicker(url.searchParams.get('pair') ?? ''));
      if (name === 'coinbase') return sendJson(response, 200, coinbaseRates());
      const price = priceAt(name, (rest.at(-2) ?? '').slice(3).toUpperCase());
      return price === undefined
        ? sendJson(response, 404, { status: 'error' })
        : sendJson(response, 200, { bid: price, ask: price, last: price });
    },
  });
  await server.open();
  const at = (exchange: Exchange) => `${server.url()}/${exchange}`;
  return {
    urls: { kraken: at('kraken'), coinbase: at('coinbase'), bitstamp: at('bitstamp') },
    control: {
      setPrice: (currency, price, exchange) =>
        void own.set(exchange === undefined ? currency : `${exchange} ${currency}`, price),
      setFault: (exchange, fault) => void (fault === undefined ? faults.delete(exchange) : faults.set(exchange, fault)),
      asked,
    },
    close: () => server.close(),
  };
}
