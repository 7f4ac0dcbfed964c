import type { ReaderStorage } from '@florin/device/readers/reader.ts';

/** A driver's storage that outlives the driver, as the terminal's folder does. */
export function aReaderStorage(): ReaderStorage {
  let stored: string | undefined;
  return {
    read: () => stored,
    write(text) {
      stored = text;
    },
  };
}
