import { FuseV1Options, FuseVersion } from '@electron/fuses';

/**
 * Fuses of the packaged program (`flipFuses` of @electron/fuses, after packing and before signing): what they disable
 * cannot be enabled by a command line or an environment variable.
 */
export const fuses = {
  version: FuseVersion.V1,
  strictlyRequireAllFuses: false,
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
} as const;
