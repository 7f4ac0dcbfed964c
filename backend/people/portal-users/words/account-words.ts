import type { LetterWords } from '../../../foundation/mail.ts';

/** What changed about how a user signs in. */
export type SecurityChange =
  | 'password'
  /** With the link of an e-mail. */
  | 'password_reset'
  | 'totp_added'
  | 'totp_removed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'recovery_codes';

/** What is said to a user about their account, in one language; dates are formatted already. */
export type AccountWords = {
  /** A browser as people call it. */
  readonly browser: {
    readonly unknown: string;
    readonly on: (browser: string, system: string) => string;
  };
  readonly passwordReset: (url: string) => LetterWords;
  readonly newDevice: (facts: {
    readonly browser: string;
    readonly address: string;
    readonly at: string;
    readonly url: string;
  }) => LetterWords;
  readonly securityChange: (what: string, url: string) => LetterWords;
  /** A sentence for each change; the name is that of a passkey. */
  readonly changes: Readonly<Record<SecurityChange, (name: string) => string>>;
  readonly invitation: (facts: {
    readonly business: string;
    readonly role: string;
    readonly url: string;
  }) => LetterWords;
};
