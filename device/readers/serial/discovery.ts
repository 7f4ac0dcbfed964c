import type { Log } from '@florin/shared/ports.ts';
import { SerialPort } from 'serialport';

/**
 * The ports to try: the configured paths, or those the system lists. Configured paths are tried even if they are not
 * listed: containers list nothing, and no system lists a pseudo-terminal.
 */
export type Discovery = { candidates(): Promise<readonly string[]> };

/** Opens no port. If the system cannot list its ports, there are no candidates; this is logged once. */
export function discovery(paths: readonly string[] | 'discover', log: Log): Discovery {
  let isListed = true;

  async function listedPaths(): Promise<readonly string[]> {
    try {
      const ports = await SerialPort.list();
      isListed = true;
      // Built-in UARTs have no vendor; they are skipped because writing to a modem or a console could do harm.
      return ports.filter(({ vendorId }) => vendorId !== undefined).map(({ path }) => path);
    } catch (error) {
      // Without udev, for instance in a container. Tried again and again, but logged once.
      if (isListed) log.warn({ reason: String(error) }, 'the serial ports cannot be listed; name the reader’s port');
      isListed = false;
      return [];
    }
  }

  return { candidates: async () => (paths === 'discover' ? listedPaths() : paths) };
}
