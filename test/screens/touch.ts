import type { Page } from '@playwright/test';

/** Types on the on-screen keyboard, as a person who has nothing but a finger. */
export async function tapKeys(page: Page, typed: string) {
  // Hyphen and full stop have a key of their own beside that among the symbols.
  const key = (name: string) => page.getByRole('button', { name, exact: true }).filter({ visible: true }).first();
  for (const character of typed) {
    const name = character === ' ' ? 'Space' : character;
    if (!(await key(name).isVisible())) await reveal(page, name);
    await key(name).tap();
  }
}

/** Turns to the keys that show this one: other letters, or the symbols with or without shift. */
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
