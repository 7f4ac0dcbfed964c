import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import type { AnyContract } from '@florin/shared/contracts/contract.ts';
import { apiOperations, kioskOperations } from '@florin/shared/contracts/operations.ts';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '../../..');
const operationsFile = join(root, 'shared/contracts/operations.ts');

/**
 * Builds the package that integrators install: one module that runs in Node.js and in browsers and needs no other, with its types,
 * which need zod. Gives the files that went into the module.
 */
export async function buildClient(folder: string): Promise<string[]> {
  const bundling = await rolldown({
    cwd: root,
    input: { index: 'shared/client/index.ts' },
    platform: 'neutral',
    plugins: [operationsAsData],
  });
  const { output } = await bundling.write({ dir: folder, cleanDir: true, format: 'esm', sourcemap: true });
  await bundling.close();
  writeTypes(join(folder, 'types'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  for (const guide of ['README.md', ...globSync('guides/*.md', { cwd: join(root, 'shared/client') })])
    cpSync(join(root, 'shared/client', guide), join(folder, guide));
  return output.flatMap(part => (part.type === 'chunk' ? part.moduleIds : [])).filter(id => isAbsolute(id));
}

/** Of an operation, a running client needs how it is called: neither the schemas nor zod. */
const operationsAsData = {
  name: 'operations-as-data',
  load: (id: string) =>
    id === operationsFile ? Object.entries({ apiOperations, kioskOperations }).map(asData).join('\n') : undefined,
};

function asData([name, operations]: [string, Readonly<Record<string, AnyContract>>]): string {
  const data = Object.entries(operations).map(([operation, { name, method, path, idempotent, responses }]) => {
    const kinds = Object.entries(responses).map(([status, { kind }]) => [status, { kind }]);
    return [operation, { name, method, path, idempotent, responses: Object.fromEntries(kinds) }];
  });
  return `export const ${name} = ${JSON.stringify(Object.fromEntries(data))};`;
}

/** The declarations of the client and of the contracts they refer to, as files that refer to each other. */
function writeTypes(folder: string): void {
  const project = mkdtempSync(join(root, 'shared/client/build/types-'));
  try {
    const file = join(project, 'tsconfig.json');
    writeFileSync(file, JSON.stringify(typesProject(folder)));
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', file], { stdio: ['ignore', 'inherit', 'inherit'] });
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
  for (const name of globSync('**/*.d.ts', { cwd: folder })) {
    const toTop = relative(dirname(name), '.') || '.';
    const text = readFileSync(join(folder, name), 'utf8')
      .replace(/(['"])@florin\/shared\//g, `$1${toTop}/shared/`)
      .replace(/(['"]\.[^'"\n]*)\.ts(['"])/g, '$1.js$2');
    writeFileSync(join(folder, name), text);
  }
}

const typesProject = (folder: string) => ({
  extends: join(root, 'tsconfig.json'),
  compilerOptions: {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: root,
    outDir: folder,
  },
  include: [
    join(root, 'shared/client/index.ts'),
    ...['ports.ts', 'contracts/**/*.ts'].map(name => join(root, 'shared', name)),
  ],
  exclude: [],
});

function manifest() {
  const read = (file: string) =>
    JSON.parse(readFileSync(join(root, file), 'utf8')) as {
      name: string;
      version: string;
      license?: string;
      dependencies?: Record<string, string>;
    };
  const { name, version, dependencies } = read('shared/client/package.json');
  const { license } = read('package.json');
  return {
    name,
    version,
    license,
    type: 'module',
    engines: { node: '>=20.3' },
    sideEffects: false,
    exports: { '.': { types: './types/shared/client/index.d.ts', default: './index.js' } },
    dependencies: { zod: dependencies?.zod },
  };
}
