import { expect, test } from 'vitest';
import { writingFor } from './writing.ts';

const london = { locale: 'en-GB', timeZone: 'Europe/London' };
const at = Date.UTC(2026, 10, 29, 10, 5);
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ').replace(/[\u200e\u200f]/g, '');

test('amounts are formatted for an English locale of the browser, otherwise of the business, otherwise as in Britain', () => {
  const tokyo = { locale: 'ja-JP', timeZone: 'Asia/Tokyo' };
  const dublin = { locale: 'en-IE', timeZone: 'Europe/Dublin' };
  expect(writingFor(['de-DE', 'en'], london).amount(1_234_56, 'GBP')).toBe('£1,234.56');
  expect(writingFor(['de-DE'], london).amount(1_234_56, 'GBP')).toBe('£1,234.56');
  expect(writingFor(['de-DE'], dublin).amount(1_234_56, 'EUR')).toBe('€1,234.56');
  expect(writingFor(['en-US'], tokyo).amount(3_500, 'JPY')).toBe('¥3,500');
  expect(writingFor(['en-US'], london).amount(1_234_56, 'USD')).toBe('$1,234.56');
  expect(writingFor(['ja-JP'], tokyo).price('9750000', 'JPY')).toBe('JP¥9,750,000');
  expect(plain(writingFor(['en-GB'], london).amount(9_007_199_254_740_991, 'KWD'))).toBe('KWD 9,007,199,254,740.991');
  expect(writingFor(['en-GB'], london).amount(1_234_567_00, 'HUF')).toContain('1,234,567.00');
});

test.each(['en-u-nu-deva', 'en-AE-u-nu-arab', 'ar-EG'])('%s uses the page’s Latin digits', language => {
  const { amount, sats } = writingFor([language], london);
  expect(amount(12_345, 'KWD')).toContain('12.345');
  expect(sats(98_765)).toBe('98,765 sats');
});

test.each(['x', '*', 'en-', 'en_US', '١٢', 'a'.repeat(300), 'constructor', 'qq-QQ'])(
  'a browser with the language %s gets the business’s format',
  language => {
    expect(writingFor([language], london).amount(1_250, 'GBP')).toBe('£12.50');
  },
);

test('a time has its zone, and its month is in the page’s language', () => {
  expect(plain(writingFor(['en-GB'], london).dateTime(at))).toBe('29 November 2026 at 10:05 GMT');
  expect(plain(writingFor(['en-US'], { ...london, timeZone: 'America/New_York' }).dateTime(at))).toBe(
    'November 29, 2026 at 5:05 AM EST',
  );
  const tokyo = writingFor(['ja-JP'], { locale: 'ja-JP', timeZone: 'Asia/Tokyo' });
  expect([plain(tokyo.dateTime(at)), plain(tokyo.time(at))]).toEqual([
    '29 November 2026 at 19:05 GMT+9',
    '19:05 GMT+9',
  ]);
});
