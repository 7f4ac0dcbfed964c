import { realpathSync } from 'node:fs';
import { createServer } from 'node:net';

/**
 * Claims a folder for this process until it ends, however it ends: a socket in Linux's abstract namespace leaves nothing behind.
 *
 * @throws Error when another process has the folder
 */
export async function claimFolder(folder: string): Promise<void> {
  const claim = createServer();
  await new Promise<void>((resolve, reject) => {
    claim.once('error', error => {
      const isTaken = 'code' in error && error.code === 'EADDRINUSE';
      reject(isTaken ? new Error(`The folder ${folder} is in use by another simulator`) : error);
    });
    claim.listen(`\0florin-reader:${realpathSync(folder)}`, resolve);
  });
  claim.unref();
}
