import type { Page } from '@playwright/test';

/** Types on the on-screen keyboard by touch. */
export async function tapKeys(page: Page, typed: string) {
  // Hyphen and full stop have two keys: one beside the letters and one among the symbols.
  const key = (name: string) => page.getByRole('button', { name, exact: true }).filter({ visible: true }).first();
  for (const character of typed) {
    const name = character === ' ' ? 'Space' : character;
    if (!(await key(name).isVisible())) await reveal(page, name);
    await key(name).tap();
  }
}

/** Switches to the layout with this key: letters with or without shift, or symbols with or without shift. */
async function reveal(page: Page, name: string) {
  const key = (label: string) => page.getByRole('button', { name: label, exact: true });
  if (/[a-z]/i.test(name)) {
    if (await key('Letters').isVisible()) await key('Letters').tap();
    if (/[A-Z]/.test(name)) await key('Shift').tap();
    return;
  }
  if (await key('Symbols').isVisible()) await key('Symbols').tap();
  if (!(await key(name).isVisible())) await key('Shift').tap();
}
