import { expect, test } from 'vitest';
import { subjectOf } from './subject.ts';

const like = (text: string, pattern: string) =>
  new RegExp(`^${pattern.replaceAll('%', '.*')}$`, 's').test(text.toLowerCase());

/** What is left of a text; a text that the database does not find stays. */
function left(text: string, of: string): string {
  const subject = subjectOf(of);
  if (subject.isIn(text)) expect(like(text, subject.pattern), text).toBe(true);
  return subject.eraseFrom(text);
}

test.each([
  ['ann@example.com', '[erased]'],
  ['Ann@Example.COM', '[erased]'],
  ['Dinner for ann@example.com.', 'Dinner for [erased].'],
  ['<ann@example.com>, ann@example.com', '<[erased]>, [erased]'],
  ["'ann@example.com'", "'[erased]'"],
  ['{"note":"to\\nann@example.com"}', '{"note":"to\\n[erased]"}'],
  ['/orders/ann%40example.com', '/orders/[erased]'],
  ['https://shop.example/?mail%3Dann%40example%2ecom&x=1', 'https://shop.example/?mail%3D[erased]&x=1'],
  ['<b>ann&#64;example.com</b>', '<b>[erased]</b>'],
  ['ann@example.com-7', '[erased]-7'],
  ['bitcoin:ann@example.com?amount=1', 'bitcoin:[erased]?amount=1'],
])('an e-mail address is found in %j', (text, expected) => {
  expect(left(text, 'ann@example.com')).toBe(expected);
});

test.each([
  'joann@example.com',
  'mary-ann@example.com',
  'x+ann@example.com',
  'x%2Bann%40example.com',
  'ann@example.com.au',
  'ann@example.company',
  'ann@example.com-pany.de',
  'ann@exampleXcom',
])('another address is left alone: %s', text => {
  expect(left(text, 'ann@example.com')).toBe(text);
});

test('addresses with marks, destinations, names and references are found as well', () => {
  expect(left('o&#39;b+x@example.com', "o'b+x@example.com")).toBe('[erased]');
  expect(left('?m=o%27b%2Bx%40example.com', "o'b+x@example.com")).toBe('?m=[erased]');
  const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
  expect(left(`bitcoin:${address.toUpperCase()}?amount=1`, address)).toBe('bitcoin:[erased]?amount=1');
  expect(left(`${address}x`, address)).toBe(`${address}x`);
  expect(left('Deposit of Zoë Lee (7)', 'Zoë Lee')).toBe('Deposit of [erased] (7)');
  expect(left('?for=Zo%C3%AB+Lee', 'Zoë Lee')).toBe('?for=[erased]');
  expect(left('Zoë Leemann', 'Zoë Lee')).toBe('Zoë Leemann');
});
