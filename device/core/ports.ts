/**
 * What the core needs from its host besides the ports of shared/: secret storage. The core does not depend on Electron
 * or on an HTTP server.
 */

/** Encrypts the device token and the terminal's private key for storage. */
export interface SecretBox {
  seal(plain: string): string;
  /** The plain text; undefined if it was sealed on another machine or by another user. */
  open(sealed: string): string | undefined;
}
