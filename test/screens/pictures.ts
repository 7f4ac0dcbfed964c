import type { View } from '@florin/device/ipc/view.ts';
import type { Page } from '@playwright/test';
import { gallery } from './gallery.ts';
import type { ScriptedHost } from './host.ts';

const drawnForMs = 60_000;
let drawnAtMs = Number.NEGATIVE_INFINITY;
let drawn: ReadonlyMap<string, View> = new Map();

/** The gallery's views by picture name, drawn again each minute: a lockout that counts down in one would be over later. */
export function pictures(): ReadonlyMap<string, View> {
  const nowMs = Date.now();
  if (nowMs - drawnAtMs > drawnForMs) {
    drawnAtMs = nowMs;
    drawn = new Map(gallery(nowMs).map(({ name, view }) => [name, view]));
  }
  return drawn;
}

export function picture(name: string): View {
  const found = pictures().get(name);
  if (found === undefined) throw new Error(`no picture called ${name}`);
  return found;
}

/** Shows one picture and waits until it is drawn. */
export async function showPicture(page: Page, options: { host: ScriptedHost; name: string }): Promise<void> {
  const view = picture(options.name);
  options.host.show(view);
  await page.locator(`[data-sequence='${view.sequence}'] main`).waitFor();
}
