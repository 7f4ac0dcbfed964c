import { z } from 'zod';

/** The grounds on which pages show a business's colour: that of a page in daylight and in the dark. */
const grounds = { white: '#ffffff', 'the dark surface (#161f36)': '#161f36' } as const;

/** WCAG 2.2, 1.4.11: what a control needs to be told from its ground. Both grounds together rule out 4.5. */
const leastContrast = 3;

/** A colour as `#rrggbb` that stands out on light and dark pages; lower case. */
export const accentColour = z
  .string({ error: 'must be a colour, such as #1f4fe0' })
  .regex(/^#[0-9A-Fa-f]{6}$/, { error: 'must be a colour, such as #1f4fe0', abort: true })
  .superRefine((colour, context) => {
    for (const [name, ground] of Object.entries(grounds)) {
      const contrast = contrastOf(colour, ground);
      if (contrast < leastContrast)
        context.addIssue({
          code: 'custom',
          message: `must have a contrast of at least ${leastContrast}:1 to ${name}, and has ${contrast.toFixed(1)}:1`,
          input: colour,
        });
    }
  })
  .transform(colour => colour.toLowerCase());

/** The contrast ratio of two colours (`#rrggbb`; WCAG 2.2), from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
