import type { Money } from '@florin/shared/money.ts';
import type { Clock } from '@florin/shared/ports.ts';
import type { CardReader, TipChoice } from '../../readers/reader.ts';
import type { Publish } from '../facts.ts';
import type { TerminalState } from '../state.ts';

const timeoutMs = 60_000;

/** The tips that a customer is offered for an amount: half a unit or more is rounded up, and no tip is offered twice. */
export function tipChoices(amountMinor: number, percents: readonly number[]): TipChoice[] {
  const choices = percents.map(percent => ({ percent, tipMinor: Math.floor((amountMinor * percent + 50) / 100) }));
  const isNew = ({ tipMinor }: TipChoice, index: number) =>
    choices.findIndex(other => other.tipMinor === tipMinor) === index;
  return choices.filter((choice, index) => choice.tipMinor > 0 && isNew(choice, index));
}

type TipPorts = {
  readonly reader: CardReader;
  readonly clock: Clock;
  readonly state: TerminalState;
  readonly publish: Publish;
  readonly background: (work: () => Promise<void>) => void;
};

/**
 * Asks the customer on the reader for a tip before a sale that staff keyed in. Until they have answered nothing has begun
 * and nothing is stored: after a power cut the sale is keyed in anew. If they cannot be asked, or the answer is lost, the
 * sale is taken without a tip, since the reader shows its amount before the card is presented.
 */
export class TipStep {
  readonly #ports: TipPorts;
  #asked: { readonly transactionId: string; readonly proceed: (tipMinor: number) => void } | undefined;

  constructor(ports: TipPorts) {
    this.#ports = ports;
  }

  /** Calls `proceed` once with the tip, unless staff cancel. False if the customer cannot be asked. */
  ask(
    { sale, percents }: { readonly sale: Money & { readonly saleId: string }; readonly percents: readonly number[] },
    proceed: (tipMinor: number) => void,
  ): boolean {
    const { reader, clock, state, publish, background } = this.#ports;
    const { saleId: transactionId, amountMinor, currency } = sale;
    const choices = tipChoices(amountMinor, percents);
    if (choices.length === 0 || !reader.askTip) return false;
    const amount = { amountMinor, currency };
    const asked = { transactionId, proceed };
    const answer = reader.askTip({ transactionId, amount, choices, timeoutMs });
    this.#asked = asked;
    state.tip = { name: 'tip', amount, since: clock.now() };
    publish({ kind: 'changed' });
    background(async () => {
      const { kind, ...chosen } = { tipMinor: 0, ...(await answer) };
      if (this.#asked === asked && !state.isClosed) this.#end()?.proceed(kind === 'chosen' ? chosen.tipMinor : 0);
    });
    return true;
  }

  /** Goes on without a tip. */
  skip(): boolean {
    // The sale has the same id and ends the question: a cancellation could reach the sale.
    const asked = this.#end();
    asked?.proceed(0);
    return asked !== undefined;
  }

  /** Leaves the sale. */
  cancel(): boolean {
    const asked = this.#end();
    if (!asked) return false;
    const { reader, publish, background } = this.#ports;
    background(() => reader.cancel(asked.transactionId));
    publish({ kind: 'changed' });
    return true;
  }

  #end() {
    const asked = this.#asked;
    this.#asked = undefined;
    this.#ports.state.tip = undefined;
    return asked;
  }
}
