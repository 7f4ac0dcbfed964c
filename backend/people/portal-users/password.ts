import { timingSafeEqual } from 'node:crypto';
import { argon2Parameters } from '@florin/shared/contracts/device-v1/enrolment.ts';
import type { Random } from '@florin/shared/ports.ts';
import { z } from 'zod';
import { type DerivePassword, defaultArgon2 } from '../staff/password.ts';

/** How a password is stored: Argon2id with its salt and parameters. */
const storedPassword = z.object({ salt: z.base64(), hash: z.base64(), argon2: argon2Parameters });

const saltBytes = 16;

/** Hashes and verifies the passwords of the portal's users. */
export function portalPasswords({
  derivePassword,
  random,
}: {
  readonly derivePassword: DerivePassword;
  readonly random: Random;
}) {
  async function hash(password: string): Promise<string> {
    const salt = random.bytes(saltBytes);
    const derived = await derivePassword(normalised(password), salt, defaultArgon2);
    const stored = { salt: base64(salt), hash: base64(derived), argon2: defaultArgon2 };
    return JSON.stringify(stored satisfies z.infer<typeof storedPassword>);
  }

  /** Verified instead of an unknown user's password, so that the answer takes as long. */
  let nobodys: Promise<string> | undefined;

  return {
    hash,
    /** Whether it is the password of this user; false, and as slow, where there is none. */
    async verify(passwordJson: string | undefined, password: string): Promise<boolean> {
      nobodys ??= hash('nobody has this password');
      const stored = storedPassword.parse(JSON.parse(passwordJson ?? (await nobodys)));
      const derived = await derivePassword(normalised(password), Buffer.from(stored.salt, 'base64'), stored.argon2);
      const isEqual = timingSafeEqual(derived, Buffer.from(stored.hash, 'base64'));
      return isEqual && passwordJson !== undefined;
    },
  };
}
export type PortalPasswords = ReturnType<typeof portalPasswords>;

/** The same characters typed on another keyboard are the same password. */
const normalised = (password: string) => password.normalize('NFKC');

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/** The lowest score of zxcvbn that is accepted, of 4: beyond 10^8 guesses. */
const leastScore = 3;

/** Whether a password is too easy to guess, for somebody who knows these words about the user. */
export async function isGuessable(password: string, about: readonly string[]): Promise<boolean> {
  const estimate = await estimator();
  return estimate(normalised(password), about).score < leastScore;
}

type Estimate = (password: string, about: readonly string[]) => { readonly score: number };
let loaded: Promise<Estimate> | undefined;

/** Its dictionaries take some megabytes, so they are loaded for the first new password. */
function estimator(): Promise<Estimate> {
  loaded ??= Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]).then(([{ ZxcvbnFactory }, common, english]) => {
    const factory = new ZxcvbnFactory({
      dictionary: { ...common.dictionary, ...english.dictionary },
      graphs: common.adjacencyGraphs,
    });
    return (password, about) => factory.check(password, [...about]);
  });
  return loaded;
}
