import { defineConfig } from 'vitest/config';

/** Days of traffic from seeds, planted bugs, and processes that are killed: minutes each, with a step of their own. */
const simulation = ['test/simulation/sweep.test.ts', 'test/simulation/mutants/mutants.test.ts'];
const crash = ['test/crash/**/*.test.ts', '**/kill.test.ts', '**/crash.test.ts'];
const never = ['**/node_modules/**', '**/dist/**', '**/out/**'];

/** Every `*.test.ts` of the tree, beside the code it tests; Playwright's stories (`*.e2e.ts`) are not vitest's. */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A second is no time on a busy machine; what is so already is found at once.
    expect: { poll: { timeout: 10_000 } },
    // Vitest leaves one core free unless told, which on two cores runs one file at a time.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['**/*.test.ts', '**/*.test.tsx'],
          exclude: [...never, ...simulation, ...crash],
        },
      },
      { extends: true, test: { name: 'simulation', include: simulation, exclude: never } },
      { extends: true, test: { name: 'crash', include: crash, exclude: never } },
    ],
  },
});
