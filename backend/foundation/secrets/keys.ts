/** The keys, kept outside the database, of what is stored encrypted or sealed. */
export type SecretsKeys = {
  /** Seals, and opens what it sealed. */
  readonly current: Uint8Array;
  /** Only opens what it sealed: while the key is rotated, the next key and then the one before. */
  readonly accepted?: Uint8Array | undefined;
};

/** Which of the keys sealed a value. */
export type SecretUse = keyof SecretsKeys;

/** Has a code, so that a program that cannot start reports it in one line. */
export class SecretsKeyMismatch extends Error {
  readonly code = 'SECRETS_KEY_MISMATCH';
  readonly reason: 'other_key' | 'altered';
  constructor(reason: SecretsKeyMismatch['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** What is stored was sealed with a key that is not here. Another must not be made in its place. */
export class SecretsKeyMissing extends Error {
  readonly code = 'SECRETS_KEY_MISSING';
  constructor(folder: string) {
    super(
      `There is no secrets key in ${folder}, and what the database holds was sealed with one: put that secrets.key back there, from its copy or from a folder into which a backup with the key was restored, or set SECRETS_KEY to it`,
    );
  }
}
