import type { Log } from '@florin/shared/ports.ts';
import type { SecretBox } from '../../core/ports.ts';

/** The part of Electron's safeStorage that is used here. */
export type SafeStorage = {
  isEncryptionAvailable(): boolean;
  encryptString(plain: string): Buffer;
  decryptString(sealed: Buffer): string;
};

const mark = 'system:';

/**
 * Secrets encrypted by the system's key store, or with the key file if there is none. Secrets encrypted the other way
 * stay readable where possible, so that adding or removing a key store needs no new enrolment.
 */
export function systemSecretBox(options: { safeStorage: SafeStorage; file: () => SecretBox; log: Log }): SecretBox {
  const { safeStorage, log } = options;
  let file: SecretBox | undefined;
  const fileBox = () => {
    file ??= options.file();
    return file;
  };
  return {
    seal(plain) {
      if (safeStorage.isEncryptionAvailable()) return mark + safeStorage.encryptString(plain).toString('base64');
      log.warn({}, 'the system has no key store');
      return fileBox().seal(plain);
    },
    open(sealed) {
      if (!sealed.startsWith(mark)) return fileBox().open(sealed);
      try {
        return safeStorage.decryptString(Buffer.from(sealed.slice(mark.length), 'base64'));
      } catch {
        log.warn({}, 'a stored secret cannot be read');
        return undefined;
      }
    },
  };
}
