import type { Dialect } from './dialect.ts';
import type { Finder, Session } from './session.ts';

const answerWithinMs = 1_000;
const askAgainMs = 200;

const statusRequest = Uint8Array.of(0x1b, 0x06, 0x01);
/** ETB raises the printer's counter when everything before it was printed. */
const countedEnd = Uint8Array.of(0x17);

type Status = {
  readonly isOffline: boolean;
  readonly isCoverOpen: boolean;
  readonly isPaperEnd: boolean;
  readonly counter: number;
};

/** The answer says its own length in the bits 1 to 3 and 5 of its first byte, of which bit 0 is set and bit 4 clear. */
const status: Finder<Status> = bytes => {
  const start = bytes.findIndex(byte => (byte & 0x91) === 0x01);
  const [first = 0] = bytes.subarray(start);
  const length = ((first & 0x20) >> 2) | ((first & 0x0e) >> 1);
  if (start < 0 || length < 8 || bytes.length < start + length) return undefined;
  const at = (index: number) => bytes[start + index] ?? 0;
  return {
    end: start + length,
    value: {
      isOffline: (at(2) & 0x08) !== 0,
      isCoverOpen: (at(2) & 0x20) !== 0,
      isPaperEnd: (at(5) & 0x08) !== 0,
      counter: ((at(7) & 0x40) >> 2) | ((at(7) & 0x1e) >> 1),
    },
  };
};

async function ask(session: Session): Promise<Status | undefined> {
  if (!(await session.send(statusRequest))) return undefined;
  return session.receive(status, answerWithinMs);
}

/** Star's own language. */
export const starPrnt: Dialect = {
  async trouble(session) {
    const found = await ask(session);
    if (!found) return 'not_reachable';
    if (found.isCoverOpen) return 'cover_open';
    if (found.isPaperEnd) return 'out_of_paper';
    return found.isOffline ? 'error' : null;
  },

  async confirmation(session) {
    const before = await ask(session);
    return {
      bytes: countedEnd,
      async isPrinted(withinMs) {
        for (let waitedMs = 0; waitedMs < withinMs; waitedMs += askAgainMs) {
          const now = await ask(session);
          if (now && before && now.counter !== before.counter) return true;
          if (!now || now.isOffline) return false;
          await session.receive(() => undefined, askAgainMs);
        }
        return false;
      },
    };
  },
};
