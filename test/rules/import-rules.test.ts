import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const scratch: string[] = [];
afterAll(() => {
  for (const directory of scratch) rmSync(directory, { recursive: true, force: true });
});

const report = z.object({
  summary: z.object({
    totalCruised: z.int(),
    violations: z.array(z.object({ rule: z.object({ name: z.string() }), from: z.string() })),
  }),
});

function cruise(directory: string, folders: readonly string[]) {
  const binary = join(root, 'node_modules/.bin/depcruise');
  const args = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...folders];
  let text: string;
  try {
    text = execFileSync(process.execPath, [binary, ...args], {
      cwd: directory,
      maxBuffer: 100_000_000,
      stdio: 'pipe',
    }).toString();
  } catch (error) {
    // The tool exits with an error if it finds violations, and still prints them.
    text = String((error as { stdout?: Buffer }).stdout);
  }
  return report.parse(JSON.parse(text)).summary;
}

test('the rules see the modules that they check', () => {
  // Without @swc/core the tool cannot parse TypeScript and finds no violations. `npm test` reads the other folders with the same rules.
  expect(cruise(root, ['shared/contracts']).totalCruised).toBeGreaterThan(50);
});

const planted: readonly (readonly [rule: string, file: string, content: string])[] = [
  ['shared-is-pure', 'shared/a.ts', `import 'express';`],
  ['shared-built-ins-only-off-the-browser-path', 'shared/b.ts', `import 'node:crypto';`],
  ['sides-meet-on-the-wire', 'device/core/a.ts', `import '../../backend/money/payments/a.ts';`],
  ['client-is-for-other-people', 'shared/client/a.ts', `import 'node:crypto';`],
  ['nothing-imports-test', 'backend/money/payments/b.ts', `import '../../../test/support/a.ts';`],
  ['domains-see-ports-only', 'backend/money/refunds/a.ts', `import '../../foundation/database/sqlite.ts';`],
  ['domains-do-not-see-http', 'backend/money/refunds/b.ts', `import '../../foundation/http/route.ts';`],
  ['modules-are-joined-in-compose', 'backend/money/refunds/c.ts', `import '../payments/module.ts';`],
  ['sealed-with-the-module', 'backend/money/refunds/d.ts', `import '../../foundation/secrets/secret-box.ts';`],
  ['compose-lists-modules', 'backend/compose.ts', `import './money/payments/a.ts';`],
  ['backend-gateways-imports-downwards', 'backend/gateways/b.ts', `import '../money/payments/a.ts';`],
  ['backend-channels-imports-downwards', 'backend/channels/ucp/a.ts', `import '../../compose.ts';`],
  ['nodes-see-no-flow', 'backend/bitcoin/nodes/b.ts', `import '../../money/payments/a.ts';`],
  ['sandbox-never-meets-its-adapter', 'backend/programs/sandbox/a.ts', `import '../../money/payments/a.ts';`],
  ['adapter-never-meets-the-sandbox', 'backend/gateways/a.ts', `import '../programs/sandbox/b.ts';`],
  ['renderer-sees-ipc-and-shared', 'device/renderer/a.ts', `import '../core/b.ts';`],
  ['portal-is-a-client', 'backend/web/portal/app/a.ts', `import '../document.ts';`],
  ['portal-pages-are-apart', 'backend/web/portal/app/shell/a.ts', `import '../pages/links/page.ts';`],
  ['portal-runs-in-browsers-only', 'backend/web/portal/b.ts', `import './app/main.ts';`],
  ['electron-only-in-its-host', 'device/core/c.ts', `import 'electron';`],
  ['core-has-no-host', 'device/core/d.ts', `import '../main/a.ts';`],
  ['no-cycles', 'backend/people/staff/a.ts', `import './b.ts';`],
  ['unresolved', 'backend/people/staff/c.ts', `import './missing.ts';`],
];
const bystanders: Readonly<Record<string, string>> = {
  'backend/money/payments/a.ts': 'export {};',
  'backend/money/payments/module.ts': 'export {};',
  'test/support/a.ts': 'export {};',
  'backend/foundation/database/sqlite.ts': 'export {};',
  'backend/foundation/http/route.ts': 'export {};',
  'backend/foundation/secrets/secret-box.ts': 'export {};',
  'backend/programs/sandbox/b.ts': 'export {};',
  'backend/web/portal/document.ts': 'export {};',
  'backend/web/portal/app/main.ts': 'export {};',
  'backend/web/portal/app/pages/links/page.ts': 'export {};',
  'device/core/b.ts': 'export {};',
  'device/main/a.ts': 'export {};',
  'backend/people/staff/b.ts': `import './a.ts';`,
};

test('each rule finds a planted violation', () => {
  const directory = mkdtempSync(join(tmpdir(), 'florin-rules-'));
  scratch.push(directory);
  for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json']) {
    writeFileSync(join(directory, file), readFileSync(join(root, file)));
  }
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  const files = [...planted.map(([, file, content]) => [file, content] as const), ...Object.entries(bystanders)];
  for (const [file, content] of files) {
    mkdirSync(join(directory, dirname(file)), { recursive: true });
    writeFileSync(join(directory, file), content);
  }
  const found = cruise(directory, ['shared', 'backend', 'device', 'test']).violations;
  for (const [rule, file] of planted) {
    expect(found.map(violation => `${violation.rule.name} ${violation.from}`)).toContain(`${rule} ${file}`);
  }
});
