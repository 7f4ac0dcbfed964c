import { customerLanguages } from '@florin/shared/languages.ts';
import { expect, test } from 'vitest';
import { acceptedBy } from '../../foundation/language.ts';
import { pageWords } from '../words/words.ts';
import { writingFor } from './writing.ts';

const london = { locale: 'en-GB', timeZone: 'Europe/London' };
const tokyo = { locale: 'ja-JP', timeZone: 'Asia/Tokyo' };
const at = Date.UTC(2026, 10, 29, 10, 5);
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ').replace(/[\u200e\u200f]/g, '');
const writing = (accepted: readonly string[], business: typeof london) => writingFor(pageWords, accepted, business);

test('the first accepted language that there are words in is written, otherwise the business’s, otherwise English', () => {
  const languageFor = (accepted: readonly string[], business = london) => writing(accepted, business).language;
  expect(languageFor(['ja-JP', 'fr-CA', 'en'])).toBe('fr');
  expect(languageFor(['ja-JP'], { locale: 'es-ES', timeZone: 'Europe/Madrid' })).toBe('es');
  expect(languageFor(['ja-JP'], tokyo)).toBe('en');
  expect(languageFor([], { locale: 'de-AT', timeZone: 'Europe/Vienna' })).toBe('de');
});

test('amounts and times are those of the language of the words', () => {
  const written = customerLanguages.map(language => {
    const { amount, dateTime, words } = writing([language], london);
    return [amount(1_234_50, 'GBP'), dateTime(at), words.pay.paid].map(plain);
  });
  expect(written).toEqual([
    ['£1,234.50', '29 November 2026 at 10:05 GMT', 'Paid'],
    ['1.234,50 £', '29. November 2026 um 10:05 GMT', 'Bezahlt'],
    ['1 234,50 £', '29 novembre 2026 à 10:05 GMT', 'Payé'],
    ['1234,50 £', '29 de noviembre de 2026 a las 10:05 GMT', 'Pagado'],
  ]);
});

test('a language is written as in the region that it was accepted for, otherwise as in the business’s', () => {
  const dublin = { locale: 'en-IE', timeZone: 'Europe/Dublin' };
  const zurich = { locale: 'de-CH', timeZone: 'Europe/Zurich' };
  expect(writing(['en'], dublin).amount(1_234_56, 'EUR')).toBe('€1,234.56');
  expect(writing(['en-US'], tokyo).amount(3_500, 'JPY')).toBe('¥3,500');
  expect(writing(['en-US'], london).amount(1_234_56, 'USD')).toBe('$1,234.56');
  expect(plain(writing(['de'], zurich).amount(1_234_50, 'CHF'))).toBe("CHF 1'234.50");
  const chosen = acceptedBy({ chosen: 'de', accepted: ['fr-CH', 'de-CH'] });
  expect(plain(writing(chosen, london).amount(1_234_50, 'CHF'))).toBe("CHF 1'234.50");
  expect(plain(writing(acceptedBy({ chosen: 'de', accepted: ['fr-CH'] }), london).amount(1_234_50, 'CHF'))).toBe(
    '1.234,50 CHF',
  );
});

test('every digit of an amount is written', () => {
  expect(writing(['ja-JP'], tokyo).price('9750000', 'JPY')).toBe('JP¥9,750,000');
  expect(plain(writing(['en-GB'], london).amount(9_007_199_254_740_991, 'KWD'))).toBe('KWD 9,007,199,254,740.991');
  expect(writing(['en-GB'], london).amount(1_234_567_00, 'HUF')).toContain('1,234,567.00');
});

test.each(['en-u-nu-deva', 'en-AE-u-nu-arab', 'ar-EG'])('%s uses the page’s Latin digits', language => {
  const { amount, sats } = writing([language], london);
  expect(amount(12_345, 'KWD')).toContain('12.345');
  expect(sats(98_765)).toBe('98,765 sats');
});

test.each(['x', '*', 'en-', 'en_US', '١٢', 'a'.repeat(300), 'constructor', 'qq-QQ'])(
  'a browser with the language %s gets the business’s format',
  language => {
    expect(writing([language], london).amount(1_250, 'GBP')).toBe('£12.50');
  },
);

test('a time has its zone, which is the business’s', () => {
  const newYork = { ...london, timeZone: 'America/New_York' };
  expect(plain(writing(['en-US'], newYork).dateTime(at))).toBe('November 29, 2026 at 5:05 AM EST');
  const { dateTime, time } = writing(['ja-JP'], tokyo);
  expect([plain(dateTime(at)), plain(time(at))]).toEqual(['29 November 2026 at 19:05 GMT+9', '19:05 GMT+9']);
});
