import type { Argon2Parameters } from '@florin/shared/contracts/device-v1/enrolment.ts';
import type { Random } from '@florin/shared/ports.ts';

/** Derives the 32-byte seed of a staff key pair from a password. */
export type DerivePassword = (password: string, salt: Uint8Array, parameters: Argon2Parameters) => Promise<Uint8Array>;

/** Argon2id with OWASP's minimum. Terminals derive with the parameters of a staff member's record. */
export const defaultArgon2: Argon2Parameters = { memoryKibibytes: 19_456, passes: 2, parallelism: 1 };

/** Limits concurrent hashes, because each takes its memory and CPU time from other requests. */
const maxConcurrent = 2;

/**
 * Argon2id with limited concurrency. The service hashes only the temporary passwords it generates; terminals hash all
 * others.
 */
export function argon2Derivation(): DerivePassword {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (password, salt, parameters) => {
    if (running >= maxConcurrent) await new Promise<void>(resolve => waiting.push(resolve));
    running += 1;
    try {
      // Loaded lazily: most processes hash no password.
      const { default: argon2 } = await import('argon2');
      return await argon2.hash(password, {
        type: argon2.argon2id,
        raw: true,
        hashLength: 32,
        salt: Buffer.from(salt),
        memoryCost: parameters.memoryKibibytes,
        timeCost: parameters.passes,
        parallelism: parameters.parallelism,
      });
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}

/** Without characters that look alike in print. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz';

/** Twelve characters in groups of four: about 59 bits, for one use. */
export function temporaryPassword(random: Random): string {
  const characters: string[] = [];
  while (characters.length < 12) {
    for (const byte of random.bytes(24)) {
      // Bytes beyond the last whole multiple would bias some characters.
      const character = byte < alphabet.length * 8 ? alphabet[byte % alphabet.length] : undefined;
      if (character && characters.length < 12) characters.push(character);
    }
  }
  return [0, 4, 8].map(at => characters.slice(at, at + 4).join('')).join('-');
}
