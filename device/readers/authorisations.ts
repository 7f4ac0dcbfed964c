import type { Log } from '@florin/shared/ports.ts';
import type { HostAnswer, ReadCard } from './reader.ts';

type Authorisation = { readonly card: ReadCard; readonly answer: Promise<HostAnswer> };

const keptAuthorisations = 16;

/**
 * Authorises once per card reading, however often the reader reports it (a repeated line, or a reconnection), and a
 * second reading within one transaction only after the first was declined.
 */
export class Authorisations {
  readonly #known = new Map<string, Authorisation>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  async ask(
    transactionId: string,
    card: ReadCard,
    authorise: (card: ReadCard) => Promise<HostAnswer>,
  ): Promise<HostAnswer> {
    const before = this.#known.get(transactionId);
    if (before !== undefined) {
      const answer = await before.answer;
      if (before.card.keySerialNumber === card.keySerialNumber) return answer;
      if (answer.kind !== 'declined') return { kind: 'unknown' };
    }
    const answer = authorise(card).catch((error: unknown): HostAnswer => {
      this.#log.error({ transactionId, error: String(error) }, 'an authorisation failed; its outcome is unknown');
      return { kind: 'unknown' };
    });
    this.#remember(transactionId, { card, answer });
    return answer;
  }

  cardOf(transactionId: string): ReadCard | undefined {
    return this.#known.get(transactionId)?.card;
  }

  #remember(transactionId: string, authorisation: Authorisation): void {
    this.#known.delete(transactionId);
    this.#known.set(transactionId, authorisation);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= keptAuthorisations) return;
      this.#known.delete(oldest);
    }
  }
}
