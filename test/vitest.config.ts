import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './support/slowest-first.ts';

/** Days of traffic from seeds, planted bugs, and processes that are killed: minutes each, with a step of their own. */
const simulation = ['test/simulation/sweep.test.ts'];
const crash = ['test/crash/**/*.test.ts', 'test/scale/*.test.ts', '**/kill.test.ts', '**/crash.test.ts'];
const builtBackend = new URL('crash/program.ts', import.meta.url).pathname;
const never = ['**/node_modules/**', '**/dist/**', '**/out/**'];

/** Every `*.test.ts` of the tree, beside the code it tests; Playwright's tests (`*.e2e.ts`) are not vitest's. */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    // Far above what anything takes: a limit that a busy machine reaches is a failure of the test.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // Twice as many as there are cores: a test waits for timers, disks and sockets half of its time.
    maxWorkers: 2 * availableParallelism(),
    // The files of a worker share its modules: loading them again for each file takes longer than most files.
    isolate: false,
    sequence: { sequencer: SlowestFirst },
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
      {
        extends: true,
        test: { name: 'crash', include: crash, exclude: never, globalSetup: [builtBackend] },
      },
    ],
  },
});
