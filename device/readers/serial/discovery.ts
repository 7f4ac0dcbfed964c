import { SerialPort } from 'serialport';

/**
 * The ports to try: the configured paths, or those the system lists. Configured paths are tried even if they are not
 * listed: containers list nothing, and no system lists a pseudo-terminal.
 */
export type Discovery = { candidates(): Promise<readonly string[]> };

export function discovery(paths: readonly string[] | 'discover'): Discovery {
  return { candidates: async () => (paths === 'discover' ? listedPaths() : paths) };
}

/** Without udev the list call rejects, which counts as an empty list. */
async function listedPaths(): Promise<readonly string[]> {
  try {
    const ports = await SerialPort.list();
    // Built-in UARTs have no vendor; they are skipped because writing to a modem or a console could do harm.
    return ports.filter(({ vendorId }) => vendorId !== undefined).map(({ path }) => path);
  } catch {
    return [];
  }
}
