import { helperNames, openHelperPty } from './helper.ts';
import { openKoffiPty } from './koffi.ts';
import { type Pty, type PtyBackend, ptyBackends } from './pty.ts';

/** Opens a pty with the first backend that works here: libc through koffi, then the helper programs. */
export async function openPty(wanted?: PtyBackend): Promise<Pty> {
  const failures: string[] = [];
  for (const backend of wanted === undefined ? ptyBackends : [wanted]) {
    try {
      return backend === 'koffi' ? await openKoffiPty() : await openHelperPty(backend);
    } catch (error) {
      failures.push(`${backend}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(
    `No pseudo-terminal could be opened (${failures.join('; ')}). Install one of: ${helperNames.join(', ')}.`,
  );
}
