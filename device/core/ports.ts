/**
 * What the core needs from its host besides the ports of shared/: secret storage and a log. The core does not depend on
 * Electron or on an HTTP server.
 */

/** Encrypts the device token and the terminal's private key for storage. */
export interface SecretBox {
  seal(plain: string): string;
  /** The plain text; undefined if it was sealed on another machine or by another user. */
  open(sealed: string): string | undefined;
}

/** Events by name, with plain fields. Never a card number, a password, a key or a token. */
export interface Log {
  info(event: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(event: string, fields?: Readonly<Record<string, unknown>>): void;
  error(event: string, fields?: Readonly<Record<string, unknown>>): void;
}
