import type { Dialect } from './dialect.ts';
import type { Finder, Session } from './session.ts';

const answerWithinMs = 1_000;

/** DLE EOT n, answered at once, even if the printer is offline: its state, why it is offline, and the paper. */
const questions = { printer: 1, offline: 2, paper: 4 } as const;
const isOffline = 0x08;
const isCoverOpen = 0x04;
const isStoppedWithoutPaper = 0x20;
const isError = 0x40;
const isPaperEnd = 0x60;

/** Answers to DLE EOT have bits 1 and 4 set and bits 0 and 7 clear; the one to GS r has bit 4 clear. */
const realTimeAnswer: Finder<number> = bytes => byteThat(bytes, byte => (byte & 0x93) === 0x12);
const bufferedAnswer: Finder<number> = bytes => byteThat(bytes, byte => (byte & 0x90) === 0);

function byteThat(bytes: Buffer, fits: (byte: number) => boolean): ReturnType<Finder<number>> {
  const at = bytes.findIndex(fits);
  const value = bytes[at];
  return value === undefined ? undefined : { value, end: at + 1 };
}

async function ask(session: Session, question: number): Promise<number | undefined> {
  if (!(await session.send(Uint8Array.of(0x10, 0x04, question)))) return undefined;
  return session.receive(realTimeAnswer, answerWithinMs);
}

/** Epson's ESC/POS, which most receipt printers understand. */
export const escPos: Dialect = {
  async trouble(session) {
    const printer = await ask(session, questions.printer);
    if (printer === undefined) return 'not_reachable';
    const paper = (await ask(session, questions.paper)) ?? 0;
    const offline = (await ask(session, questions.offline)) ?? 0;
    if (offline & isCoverOpen) return 'cover_open';
    if (paper & isPaperEnd || offline & isStoppedWithoutPaper) return 'out_of_paper';
    return printer & isOffline || offline & isError ? 'error' : null;
  },

  // GS r 1 is buffered: it is answered after all that came before it was printed, and not while paper is missing.
  confirmation: async session => ({
    bytes: Uint8Array.of(0x1d, 0x72, 1),
    isPrinted: async withinMs => (await session.receive(bufferedAnswer, withinMs)) !== undefined,
  }),
};
