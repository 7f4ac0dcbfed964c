import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AnyContract } from '@florin/shared/contracts/contract.ts';
import { operations } from '@florin/shared/contracts/operations.ts';
import { permissions, presets } from '@florin/shared/permissions.ts';
import type { Plugin } from 'vite';

type Facts = Readonly<Record<string, unknown>>;

/**
 * What the portal needs of the contracts at run time, as modules: how each operation is called and what each permission is
 * called, which every page needs, and what permissions allow and presets hold, which few do. The contracts themselves, with their
 * schemas, are four times as large as the portal.
 */
const modules: Readonly<Record<string, (code: string) => Facts>> = {
  'virtual:contracts': code => ({
    operations: Object.fromEntries(
      operations
        .filter(({ path, name }) => isOfPortal(path) && code.includes(`'${name}'`))
        .map(each => [each.name, [each.method, pathOf(each), ...(each.idempotent ? [true] : [])]]),
    ),
  }),
  'virtual:permission-names': () => ({
    permissionNames: Object.fromEntries(Object.entries(permissions).map(([code, [name]]) => [code, name])),
  }),
  'virtual:permissions': () => ({
    permissionEffects: Object.fromEntries(Object.entries(permissions).map(([code, [, allows]]) => [code, allows])),
    presets,
  }),
};

/** Provides these modules. */
export function contractFacts(): Plugin {
  return {
    name: 'contract-facts',
    resolveId: id => (id in modules ? `\0${id}` : undefined),
    load: id => {
      const facts = modules[id.slice(1)]?.(ownCode());
      if (facts === undefined) return undefined;
      return Object.entries(facts)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n');
    },
  };
}

const isOfPortal = (path: string) => path.startsWith('/api/v1/') || path.startsWith('/portal/api/');

/** The code of the portal: of the operations, which every page loads, it only needs those that it names. */
function ownCode(): string {
  const folder = fileURLToPath(new URL('../app/', import.meta.url));
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => /\.tsx?$/.test(file))
    .map(file => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
}

/** Where the portal calls an operation: for the business on screen, or where everybody reads what needs no key. */
function pathOf({ path, authentication }: AnyContract): string {
  const isForBusiness = authentication.some(scheme => scheme === 'apiKey' || scheme === 'portalSession');
  return isForBusiness ? path.replace('/api/v1', '/portal/api/{businessId}') : path;
}
