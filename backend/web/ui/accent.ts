import { contrastOf } from '@florin/shared/contracts/accent-colour.ts';

const [white, black] = ['#ffffff', '#000000'];

/**
 * The style of pages in a shop's colour (`#rrggbb`): its main button, and what is chosen. The text on it is white or black,
 * whichever stands out more, which is at least 4.5:1 on any colour; pointed at, the button moves away from its text.
 */
export function accentStyle(colour: string): string {
  const ink = contrastOf(colour, white) >= contrastOf(colour, black) ? white : black;
  const deep = mixed(colour, ink === white ? black : white);
  return `:root{--primary:${colour};--primary-ink:${ink};--primary-deep:${deep};--primary-tint:transparent}`;
}

const share = 0.15;

function mixed(colour: string, other: string): string {
  const parts = [1, 3, 5].map(at => {
    const [one, two] = [colour, other].map(each => Number.parseInt(each.slice(at, at + 2), 16));
    return Math.round((one ?? 0) * (1 - share) + (two ?? 0) * share);
  });
  return `#${parts.map(part => part.toString(16).padStart(2, '0')).join('')}`;
}
