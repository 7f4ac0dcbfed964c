import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ReaderStorage } from '../../readers/reader.ts';

/** A driver's storage in one file, which is replaced as a whole, so that a loss of power leaves the old text or the new one. */
export function readerStorage(file: string): ReaderStorage {
  return {
    read() {
      try {
        return readFileSync(file, 'utf8');
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
        throw error;
      }
    },
    write(text) {
      const fresh = `${file}.new`;
      const written = openSync(fresh, 'w', 0o600);
      writeSync(written, text);
      fsyncSync(written);
      closeSync(written);
      renameSync(fresh, file);
      syncFolder(dirname(file));
    },
  };
}

/** Without it the renaming itself may be lost. Windows has no such call and does not need it. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  fsyncSync(opened);
  closeSync(opened);
}
