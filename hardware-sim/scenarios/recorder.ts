import type { Frame } from '@florin/shared/reader-line/frame.ts';
import { stringify } from 'yaml';
import { type Action, textOf } from '../actions.ts';
import type { ReaderSimulator } from '../simulator.ts';

type RecordedStep = {
  when: { verb: string; amountMinor?: number } | { stage: string };
  do: string[];
  expect?: { outcome: string };
};

/** The requests of a terminal that customers and testers act on. */
const recorded = ['PAY', 'TIP'];
/** The player waits until the reader is ready for these, whenever they were performed. */
const waitedFor = ['insert', 'tap', 'swipe', 'remove', 'pin', 'key'];
const keptSteps = 200;

/**
 * Writes down what a tester did, and what came of it, as a scenario that does it again. Cards are named as in the
 * wallet, and a PIN is right or wrong: it has no card data.
 */
export class Recorder {
  readonly #simulator: ReaderSimulator;
  readonly #stops: readonly (() => void)[];
  #steps: RecordedStep[] = [];
  /** Performed before the first request. */
  #early: string[] = [];
  #stage: string | undefined;
  #isTypingPin = false;

  constructor(simulator: ReaderSimulator) {
    this.#simulator = simulator;
    this.#stops = [
      simulator.onFrame((direction, frame) => this.#saw(direction, frame)),
      simulator.onAct(performed => this.#performed(performed)),
    ];
  }

  /** The scenario so far, in YAML. */
  scenario(): string {
    return stringify({ name: 'Recorded', seed: this.#simulator.seed, steps: this.#steps });
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  #saw(direction: 'host' | 'reader', { kind, verb, fields }: Frame): void {
    if (direction === 'host' && kind === 'Q' && recorded.includes(verb)) {
      const amountMinor = fields.amt === undefined ? {} : { amountMinor: Number(fields.amt) };
      this.#begin({ when: { verb, ...amountMinor }, do: this.#early.splice(0) });
      this.#stage = undefined;
    } else if (verb === 'STAGE') this.#stage = fields.stage;
    const last = this.#steps.at(-1);
    if (direction === 'reader' && kind === 'R' && last && fields.outcome !== undefined) {
      last.expect = { outcome: fields.outcome };
      this.#stage = undefined;
    }
  }

  #begin(step: RecordedStep): void {
    this.#steps = [...this.#steps, step].slice(-keptSteps);
  }

  #performed(performed: Action): void {
    const action = this.#withoutPin(performed);
    if (action === undefined) return;
    const text = textOf(action);
    const last = this.#steps.at(-1);
    const stage = this.#stage;
    if (!last) this.#early.push(text);
    // A fault belongs to its moment in the dialogue.
    else if (stage === undefined || waitedFor.includes(action.do) || isAt(last, stage)) last.do.push(text);
    else this.#begin({ when: { stage }, do: [text] });
  }

  /** The digits of a PIN are left out; its last key becomes `pin ok` or `pin wrong`. */
  #withoutPin(action: Action): Action | undefined {
    if (action.do !== 'key') return action;
    const isAtPin = this.#simulator.stage === 'pin' || this.#simulator.stage === 'pin_retry';
    if (/^\d$/.test(action.key) && isAtPin) {
      this.#isTypingPin = true;
      return undefined;
    }
    const isTyped = this.#isTypingPin;
    if (action.key === 'clear' && isTyped) return undefined;
    this.#isTypingPin = false;
    if (action.key !== 'enter' || !isTyped) return action;
    return { do: 'pin', pin: this.#simulator.stage === 'pin_retry' ? 'wrong' : 'ok' };
  }
}

function isAt({ when }: RecordedStep, stage: string): boolean {
  return 'stage' in when && when.stage === stage;
}
