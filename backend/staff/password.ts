import type { Argon2Parameters } from '@florin/shared/contracts/device-v1/enrolment.ts';
import type { Random } from '@florin/shared/ports.ts';

/** Turns a password into the 32 bytes a staff key pair is made of. */
export type DerivePassword = (password: string, salt: Uint8Array, parameters: Argon2Parameters) => Promise<Uint8Array>;

/** Argon2id at the least that OWASP advises. Terminals derive with whatever parameters a staff member's record names. */
export const defaultArgon2: Argon2Parameters = { memoryKibibytes: 19_456, passes: 2, parallelism: 1 };

/** How many passwords may be hashed at once: each takes its memory, and the rest of the service has to go on. */
const mostAtOnce = 2;

/** Argon2id, a few at a time. The service hashes only the temporary password it makes up; terminals hash all others. */
export function argon2Derivation(): DerivePassword {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (password, salt, parameters) => {
    if (running >= mostAtOnce) await new Promise<void>(resolve => waiting.push(resolve));
    running += 1;
    try {
      // Loaded by the first password: most processes hash none.
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

/** Without letters and digits that look alike on a slip of paper. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz';

/** Twelve characters in groups of four: about 59 bits, for one use. */
export function temporaryPassword(random: Random): string {
  const characters: string[] = [];
  while (characters.length < 12) {
    for (const byte of random.bytes(24)) {
      // Bytes beyond the last whole multiple would make some characters likelier than others.
      const character = byte < alphabet.length * 8 ? alphabet[byte % alphabet.length] : undefined;
      if (character && characters.length < 12) characters.push(character);
    }
  }
  return [0, 4, 8].map(at => characters.slice(at, at + 4).join('')).join('-');
}
