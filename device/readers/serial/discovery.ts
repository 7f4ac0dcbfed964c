import { SerialPort } from 'serialport';

/**
 * Where to look for a reader: the configured paths first, or what the system lists. Configured paths are tried whether
 * listed or not: containers list nothing, and no system lists a pseudo-terminal.
 */
export type Discovery = { candidates(): Promise<readonly string[]> };

export function discovery(paths: readonly string[] | 'discover'): Discovery {
  return { candidates: async () => (paths === 'discover' ? listedPaths() : paths) };
}

/** Rejects in places without udev; to us that is an empty list. */
async function listedPaths(): Promise<readonly string[]> {
  try {
    const ports = await SerialPort.list();
    // Built-in UARTs have no vendor: talking to a modem or console on one would do harm.
    return ports.filter(({ vendorId }) => vendorId !== undefined).map(({ path }) => path);
  } catch {
    return [];
  }
}
