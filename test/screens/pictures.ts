import type { Page } from '@playwright/test';
import { gallery } from './gallery.ts';
import type { ScriptedHost } from './host.ts';

/** The gallery's views, by picture name. */
export const pictures = new Map(gallery(Date.now()).map(({ name, view }) => [name, view]));

export function picture(name: string) {
  const found = pictures.get(name);
  if (found === undefined) throw new Error(`no picture called ${name}`);
  return found;
}

/** Shows one picture and waits until it is drawn. */
export async function showPicture(page: Page, options: { host: ScriptedHost; name: string }): Promise<void> {
  const view = picture(options.name);
  options.host.show(view);
  await page.locator(`[data-sequence='${view.sequence}'] main`).waitFor();
}
