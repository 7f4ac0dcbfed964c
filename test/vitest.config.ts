import { defineConfig } from 'vitest/config';

/** Every `*.test.ts` of the tree, beside the code it tests; Playwright's stories (`*.e2e.ts`) are not vitest's. */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['**/*.test.ts', '**/*.test.tsx'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/out/**'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
