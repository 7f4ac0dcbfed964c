/**
 * What the core takes from its host besides the ports of shared/: a place for secrets and a log. Nothing here knows of
 * Electron or of HTTP servers.
 */

/** Encrypts the device token and the terminal's private key for storage. */
export interface SecretBox {
  seal(plain: string): string;
  /** The plain text, or undefined when it was sealed by another machine or user and cannot be opened here. */
  open(sealed: string): string | undefined;
}

/** Events by name, with plain fields. Never a card number, a password, a key or a token. */
export interface Log {
  info(event: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(event: string, fields?: Readonly<Record<string, unknown>>): void;
  error(event: string, fields?: Readonly<Record<string, unknown>>): void;
}
