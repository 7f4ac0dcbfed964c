import type { Fields } from '@florin/shared/reader-line/frame.ts';
import { protocolVersion } from '@florin/shared/reader-line/messages.ts';
import type { ReaderMemory } from './memory.ts';

const version = '1.4.0';

/** The requests that the reader understands. */
export const capabilities = 'PAY,TIP,AUTH,CANCEL,LAST,REVERSE,DISPLAY,CAPS,STATE,REBOOT';

/** What the reader answers to HELLO. */
export function helloFields(reader: {
  readonly memory: ReaderMemory;
  readonly nonce: string;
  readonly boot: string;
  readonly bat: string;
  readonly tamper: string;
  readonly card: string;
}): Fields {
  const { memory, nonce, boot, bat, tamper, card } = reader;
  const last = memory.transactions.at(-1)?.txn;
  const unconfirmed = memory.unconfirmed()?.txn;
  return {
    proto: String(protocolVersion),
    nonce,
    boot,
    serial: `FS-${memory.readerNumber}`,
    model: 'Florin-Sim',
    fw: version,
    caps: capabilities,
    bat,
    tamper,
    card,
    ...(last === undefined ? {} : { last }),
    ...(unconfirmed === undefined ? {} : { unconf: unconfirmed }),
  };
}
