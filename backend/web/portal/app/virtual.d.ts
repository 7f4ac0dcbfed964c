declare module 'virtual:contracts' {
  import type { AnyContract } from '@florin/shared/contracts/contract.ts';

  /** How each operation is called, by its name. */
  export const operations: Readonly<
    Record<string, readonly [method: AnyContract['method'], path: string, idempotent?: true]>
  >;
}

declare module 'virtual:permission-names' {
  import type { Permission } from '@florin/shared/permissions.ts';

  /** What each permission is called. */
  export const permissionNames: Readonly<Record<Permission, string>>;
}

declare module 'virtual:permissions' {
  import type { Permission, Preset } from '@florin/shared/permissions.ts';

  /** What each permission allows. */
  export const permissionEffects: Readonly<Record<Permission, string>>;
  /** The permissions of each preset for new keys. */
  export const presets: Readonly<Record<Preset, readonly Permission[]>>;
}

declare module '*.svg' {
  const address: string;
  export default address;
}
declare module '*.css';
