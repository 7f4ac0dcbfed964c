import { closeSync, existsSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const maxBytes = 5 * 1024 * 1024;

/**
 * A file for log lines, readable by its owner only. When it is full it becomes `FILE.1`, in place of the one before. A
 * line that cannot be written, as on a full disk, is lost: the terminal goes on without it.
 */
export function logFile(path: string): { write(line: string): void } {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const open = () => {
    const opened = openSync(path, 'a', 0o600);
    return { descriptor: opened, bytes: fstatSync(opened).size };
  };
  let current = open();
  return {
    write(line) {
      try {
        if (current.bytes >= maxBytes || !existsSync(path)) {
          closeSync(current.descriptor);
          if (existsSync(path)) renameSync(path, `${path}.1`);
          current = open();
        }
        current.bytes += writeSync(current.descriptor, line);
      } catch {
        // There is nowhere left to report it to.
      }
    },
  };
}
