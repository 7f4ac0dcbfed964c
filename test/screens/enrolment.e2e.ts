import { expect, test } from '@playwright/test';
import { openTerminalPage } from './terminal-page.ts';

const { show } = openTerminalPage();

test('on a small screen the enrolment button is beside its field', async ({ page }) => {
  await page.setViewportSize({ width: 800, height: 480 });
  for (const name of ['enrolment', 'enrolment-notice', 'enrolment-busy']) {
    await show(page, name);
    const [field, button] = await Promise.all([
      page.getByLabel('Enrolment code').boundingBox(),
      page.locator('.actions button').boundingBox(),
    ]);
    const middle = (box: typeof field) => (box === null ? Number.NaN : box.y + box.height / 2);
    expect(Math.abs(middle(field) - middle(button))).toBeLessThan(2);
  }
});
