import { openKoffiPty } from './koffi.ts';
import type { Pty, PtyBackend } from './pty.ts';
import { openScriptPty } from './script.ts';

const openers: Record<PtyBackend, () => Promise<Pty>> = { koffi: openKoffiPty, script: openScriptPty };

/** Opens a pty by libc through koffi, otherwise by `script`. */
export async function openPty(wanted?: PtyBackend): Promise<Pty> {
  if (wanted !== undefined) return openers[wanted]();
  try {
    return await openKoffiPty();
  } catch (libcError) {
    return openScriptPty().catch((scriptError: unknown) => {
      throw new Error(
        `No pseudo-terminal could be opened (koffi: ${messageOf(libcError)}; script: ${messageOf(scriptError)}). Install util-linux.`,
      );
    });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
