import { type Locator, type Page, test } from '@playwright/test';
import { type ScriptedHost, scriptedHost } from './host.ts';
import { picture, showPicture } from './pictures.ts';

/** Opens the terminal's page on its keypad before each test of a file; `host` serves it. */
export function openTerminalPage() {
  // Recording a trace takes longer than the tests.
  test.use({ trace: 'off' });
  let host: ScriptedHost;
  test.beforeEach(async ({ page }) => {
    host = await scriptedHost(picture('keypad'));
    await page.goto(host.address);
    await page.locator('[data-screen=keypad]').waitFor();
  });
  test.afterEach(() => host.close());
  return {
    get host(): ScriptedHost {
      return host;
    },
    show: (page: Page, name: string) => showPicture(page, { host, name }),
  };
}

/** Where a person taps it. */
export async function centreOf(target: Locator): Promise<[number, number]> {
  const place = await target.boundingBox();
  if (place === null) throw new Error('it is not on the screen');
  return [place.x + place.width / 2, place.y + place.height / 2];
}
