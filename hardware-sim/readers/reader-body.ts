import type { Clock, Random, Timers } from '@florin/shared/ports.ts';
import type { Fields } from '@florin/shared/reader-line/frame.ts';
import type { Stage } from '@florin/shared/reader-line/messages.ts';
import type { TestCard } from '../cards/wallet.ts';
import type { Dialogue, DialogueRefusal, ReaderDecline } from './dialogue.ts';
import { type Screen, screenOf } from './screen.ts';

type Ports = {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly onChange: () => void;
};

const resultScreenMs = 4000;

/** Battery, tamper switch, card slot, keys and screen: what a reader has, whichever protocol it speaks. */
export abstract class ReaderBody {
  readonly #ports: Ports;
  #bootId: string;
  #batteryPercent: number;
  #tampered = false;
  #nextDecline: ReaderDecline | undefined;
  #card: TestCard | undefined;
  #lastResult: { readonly result: Fields; readonly until: number } | undefined;
  protected hostTimeoutMs = 90_000;
  protected idleText = '';

  constructor(ports: Ports, batteryPercent: number) {
    this.#ports = ports;
    this.#batteryPercent = batteryPercent;
    this.#bootId = this.#freshBootId();
  }

  get bootId(): string {
    return this.#bootId;
  }

  get batteryPercent(): number {
    return this.#batteryPercent;
  }

  get tampered(): boolean {
    return this.#tampered;
  }

  get nextDecline(): ReaderDecline | undefined {
    return this.#nextDecline;
  }

  get insertedCard(): TestCard | undefined {
    return this.#card;
  }

  get stage(): Stage | undefined {
    return this.dialogue?.stage;
  }

  /** The dialogue in progress. */
  protected abstract get dialogue(): Dialogue | undefined;

  /** What a protocol with events tells its host of the body. */
  protected event(_verb: string, _fields: Fields): void {}

  /** The question for a tip, of a reader that asks it. */
  protected tipScreen(): Screen | undefined {
    return undefined;
  }

  insert(card: TestCard): DialogueRefusal | undefined {
    if (this.#card !== undefined) return 'card_already_inserted';
    if (this.stage !== 'present') return 'no_card_expected';
    this.#card = card;
    this.event('CARD', { card: '1' });
    return this.#customer(dialogue => dialogue.insert(card));
  }

  tap(card: TestCard): DialogueRefusal | undefined {
    return this.#customer(dialogue => dialogue.tap(card));
  }

  swipe(card: TestCard): DialogueRefusal | undefined {
    return this.#customer(dialogue => dialogue.swipe(card));
  }

  remove(): DialogueRefusal | undefined {
    if (this.#card === undefined) return 'no_card_inserted';
    this.#card = undefined;
    this.event('CARD', { card: '0' });
    this.dialogue?.removed();
    this.#ports.onChange();
    return undefined;
  }

  /** A key of the PIN pad: a digit, the green, the yellow or the red one. */
  key(key: string): DialogueRefusal | undefined {
    return this.#customer(dialogue => {
      if (key === 'enter') return dialogue.enterPin();
      if (key === 'clear') return dialogue.clearDigits();
      if (key !== 'cancel') return dialogue.digit(key);
      dialogue.cancelByCustomer();
      return undefined;
    });
  }

  setBattery(percent: number): void {
    this.#batteryPercent = percent;
    this.event('BATTERY', { bat: String(percent) });
    this.#ports.onChange();
  }

  setTampered(tampered: boolean): void {
    this.#tampered = tampered;
    this.event('TAMPER', { tamper: tampered ? '1' : '0' });
    this.#ports.onChange();
  }

  chooseDecline(decline: ReaderDecline | undefined): void {
    this.#nextDecline = decline;
    this.#ports.onChange();
  }

  /** For the next transactions. */
  setHostTimeout(ms: number): void {
    this.hostTimeoutMs = ms;
  }

  screen(): Screen {
    const shown = this.#lastResult;
    return screenOf({
      tampered: this.#tampered,
      dialogue: this.dialogue,
      tip: this.tipScreen(),
      result: shown !== undefined && this.#ports.clock.now() < shown.until ? shown.result : undefined,
      cardInside: this.#card !== undefined,
      idleText: this.idleText,
    });
  }

  /** The decline that a tester chose, for one transaction. */
  protected takeDecline(): ReaderDecline | undefined {
    const decline = this.#nextDecline;
    this.#nextDecline = undefined;
    return decline;
  }

  protected showResult(result: Fields): void {
    const { clock, timers, onChange } = this.#ports;
    this.#lastResult = { result, until: clock.now() + resultScreenMs };
    timers.after(resultScreenMs, onChange);
  }

  protected endResult(): void {
    this.#lastResult = undefined;
  }

  protected restarted(): void {
    this.endResult();
    this.#bootId = this.#freshBootId();
  }

  #customer(act: (dialogue: Dialogue) => DialogueRefusal | undefined): DialogueRefusal | undefined {
    if (this.dialogue === undefined) return 'no_card_expected';
    const refused = act(this.dialogue);
    this.#ports.onChange();
    return refused;
  }

  #freshBootId(): string {
    return Buffer.from(this.#ports.random.bytes(4)).toString('hex').toUpperCase();
  }
}
