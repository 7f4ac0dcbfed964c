import { contrastOf } from '@florin/shared/contracts/accent-colour.ts';
import { expect, test } from 'vitest';
import { accentStyle } from './accent.ts';

const channel = ['00', '22', '44', '66', '88', 'aa', 'cc', 'ee', 'ff'];
const colours = channel.flatMap(red => channel.flatMap(green => channel.map(blue => `#${red}${green}${blue}`)));

test('the text of a button in any colour has a contrast of at least 4.5:1, also when it is pointed at', () => {
  for (const colour of colours) {
    const value = (name: string) => new RegExp(`--${name}:(#[0-9a-f]{6})`).exec(accentStyle(colour))?.[1] ?? '';
    expect(value('primary')).toBe(colour);
    const ink = value('primary-ink');
    expect([colour, contrastOf(colour, ink)]).toEqual([colour, expect.toSatisfy((ratio: number) => ratio >= 4.5)]);
    expect(contrastOf(value('primary-deep'), ink)).toBeGreaterThanOrEqual(contrastOf(colour, ink));
  }
});
