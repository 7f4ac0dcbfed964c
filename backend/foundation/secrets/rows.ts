/** A key that stays when SECRETS_KEY is replaced, because what is derived from it is on paper. */
export type PermanentKeyRow = {
  id: string;
  /** Base64, sealed for the id. */
  sealedKey: string;
};
