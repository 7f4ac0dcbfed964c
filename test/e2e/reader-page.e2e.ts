import { startReaderSimulator } from '@florin/hardware-sim/start.ts';
import { expect, test } from '@playwright/test';

test('the simulated reader names each of its cards on one line, on phones too', async ({ page }) => {
  const reader = await startReaderSimulator({ pace: 'unpaced' });
  for (const width of [390, 800, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(reader.url);
    await expect(page.getByRole('radio', { name: 'Mastercard, blocked' })).toBeAttached();
    const wrapped = await page.locator('.wallet :is(strong, .hint)').evaluateAll(elements =>
      elements
        .filter(element => {
          const range = document.createRange();
          range.selectNodeContents(element);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          const card = element.closest('.face')?.getBoundingClientRect().right ?? 0;
          return lines.size > 1 || range.getBoundingClientRect().right > card;
        })
        .map(element => element.textContent),
    );
    expect([width, wrapped]).toEqual([width, []]);
  }
  await reader.close();
});
