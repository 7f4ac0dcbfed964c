import { expect, type Page } from '@playwright/test';
import { accessibilityFaults } from '../support/accessibility.ts';
import { isInPart } from '../support/part.ts';

/**
 * Keeps a picture of a step, and checks the screen for accessibility. In CI a part of the steps is looked at, since each screen
 * by itself is checked in every state (test/screens).
 */
export async function look(page: Page, folder: string, name: string): Promise<void> {
  if (!isInPart(name, 4)) return;
  await page.screenshot({ path: `test/test-results/${folder}/${name}.png` });
  expect(await accessibilityFaults(page), name).toEqual([]);
}
