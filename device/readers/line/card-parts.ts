import type { OnlineEvent } from '@florin/shared/reader-line/messages.ts';
import type { ReadCard } from '../reader.ts';
import { cardOf } from './outcomes.ts';

/** Joins the parts in which the reader sends one card. */
export class CardParts {
  #transaction: string | undefined;
  #keySerialNumber: string | undefined;
  #pieces: string[] = [];

  /** The complete card with its last part; undefined while parts are missing. */
  add(event: OnlineEvent): ReadCard | undefined {
    const [index = 1, count = 1] = event.part.split('/').map(Number);
    if (event.txn !== this.#transaction || event.ksn !== this.#keySerialNumber || index === 1) this.#pieces = [];
    this.#transaction = event.txn;
    this.#keySerialNumber = event.ksn;
    // A part was lost on the line; the reader sends all of them again on request.
    if (this.#pieces.length !== index - 1) return undefined;
    this.#pieces.push(event.block);
    return this.#pieces.length === count ? cardOf(event, this.#pieces.join('')) : undefined;
  }
}
