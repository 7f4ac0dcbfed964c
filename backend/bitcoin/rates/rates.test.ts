import { expect, onTestFinished, test } from 'vitest';
import { testClock } from '../../../test/support/clock.ts';
import { noLog } from '../../../test/support/log.ts';
import { startRatesSandbox } from '../../programs/sandbox/rates/server.ts';
import { exchangeSource } from './exchange-source.ts';
import { sourceKinds } from './kinds.ts';
import { defaultRates, rateService } from './service.ts';

async function aMarket() {
  const sandbox = await startRatesSandbox();
  onTestFinished(() => sandbox.close());
  const clock = testClock();
  const sources = sourceKinds.map(kind =>
    exchangeSource({ kind, url: sandbox.urls[kind] }, { timers: clock, timeoutMs: 3_000 }),
  );
  const rates = rateService({ sources, clock, log: noLog, settings: defaultRates });
  return { ...sandbox, clock, rates };
}

test('the rate is the median of the sources, to the last digit', async () => {
  const { rates, control } = await aMarket();
  control.setPrice('GBP', '50000.123456789', 'kraken');
  control.setPrice('GBP', '50100.1', 'coinbase');
  control.setPrice('GBP', '49000', 'bitstamp');
  expect(await rates.current('GBP')).toMatchObject({
    price: '50000.123456789',
    sources: ['kraken', 'coinbase', 'bitstamp'],
  });
});

test('an extreme, failing, garbled or empty source does not change it', async () => {
  for (const corrupt of ['zero', 'unavailable', 'garbled'] as const) {
    const { rates, control } = await aMarket();
    control.setFault('kraken', corrupt);
    control.setPrice('GBP', '50010', 'coinbase');
    expect(await rates.current('GBP')).toMatchObject({ price: '50000.0', sources: ['coinbase', 'bitstamp'] });
  }
  const { rates, control } = await aMarket();
  control.setPrice('GBP', '1', 'kraken');
  expect(await rates.current('GBP')).toMatchObject({ price: '50000.0' });
});

test('two contradicting sources give no rate', async () => {
  const { rates, control } = await aMarket();
  control.setFault('kraken', 'unavailable');
  control.setPrice('GBP', '60000', 'coinbase');
  expect(await rates.current('GBP')).toBeUndefined();
});

test('currencies with zero and three decimals have a rate, and those with two that Intl formats without', async () => {
  const { rates } = await aMarket();
  for (const currency of ['JPY', 'KWD', 'HUF']) expect(await rates.current(currency)).toMatchObject({ currency });
  expect(await rates.current('XPF')).toBeUndefined();
});

test('a price is used for one minute without a request, and for five if the source does not respond', async () => {
  const { rates, control, clock } = await aMarket();
  expect(await rates.current('GBP')).toMatchObject({ price: '50000.0' });
  control.setPrice('GBP', '51000');
  clock.advance({ seconds: 59 });
  expect(await rates.current('GBP')).toMatchObject({ price: '50000.0' });
  expect(control.asked).toEqual({ kraken: 1, coinbase: 1, bitstamp: 1 });
  for (const kind of sourceKinds) control.setFault(kind, 'unavailable');
  clock.advance({ minutes: 3 });
  expect(await rates.current('GBP')).toMatchObject({ price: '50000.0' });
  clock.advance({ minutes: 2 });
  expect(await rates.current('GBP')).toBeUndefined();
  for (const kind of sourceKinds) control.setFault(kind, undefined);
  clock.advance({ minutes: 5 });
  expect(await rates.current('GBP')).toMatchObject({ price: '51000' });
});

test('a failing source is requested with exponential backoff', async () => {
  const { rates, control, clock } = await aMarket();
  for (const kind of sourceKinds) control.setFault(kind, 'unavailable');
  for (let second = 0; second < 60; second += 1) {
    await rates.current('GBP');
    clock.advance({ seconds: 1 });
  }
  // At 0, 5, 15 and 35 seconds.
  expect(control.asked.kraken).toBe(4);
});

test('an unresponsive source does not delay the rate', async () => {
  const { rates, control, clock } = await aMarket();
  control.setFault('bitstamp', 'silent');
  const rate = rates.current('GBP');
  await expect.poll(() => control.asked).toEqual({ kraken: 1, coinbase: 1, bitstamp: 1 });
  clock.advance({ seconds: 3 });
  expect(await rate).toMatchObject({ price: '50000.0', sources: ['kraken', 'coinbase'] });
});

test('concurrent calls share one request', async () => {
  const { rates, control } = await aMarket();
  await Promise.all(Array.from({ length: 50 }, () => rates.current('GBP')));
  expect(control.asked.kraken).toBe(1);
});
