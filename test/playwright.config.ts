import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';

/** Tests in a real Chromium: every `*.e2e.ts` of this folder. */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  // Node strips the types of the thousand files that the tests import; Playwright would compile each of them.
  build: { external: ['**/*.ts'] },
  outputDir: 'test-results',
  globalSetup: './screens/build-renderer.ts',
  fullyParallel: true,
  // One more than there are cores: with as many, a third of their time is spent waiting.
  workers: availableParallelism() + 1,
  // Far above what anything takes: a limit that a busy machine reaches is a failure of the test.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  forbidOnly: process.env.CI !== undefined,
  reporter: [['list']],
  use: {
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
    },
    trace: 'retain-on-failure',
  },
});
