import type { Timers } from '@florin/shared/ports.ts';
import type { Frame } from '@florin/shared/reader-line/frame.ts';
import type { ReaderSimulator } from '../simulator.ts';
import { Player } from './player.ts';
import type { Expectation, Scenario, Step, When } from './scenario.ts';

export type ScenarioReport = {
  readonly passed: boolean;
  readonly steps: readonly { readonly step: number; readonly passed: boolean; readonly message: string }[];
  /** Violations of rules that hold in every scenario. */
  readonly violations: readonly string[];
};

type Seen = { readonly direction: 'host' | 'reader'; readonly frame: Frame };

/**
 * Runs a scenario against the host that drives the reader: each step waits for its condition, acts, and waits for its
 * result. `auto` plays transactions outside the steps.
 */
export class ScenarioRunner {
  readonly #timers: Timers;
  readonly #scenario: Scenario;
  readonly #player: Player;
  readonly #watchers = new Set<(seen: Seen) => void>();
  readonly #stopWatching: () => void;
  readonly #approvals = new Map<string, Set<string>>();
  #amounts = new Map<string, number>();
  #inStep = false;
  /** The first action of this step that could not be performed. */
  #refused: string | undefined;

  constructor(options: { simulator: ReaderSimulator; timers: Timers; scenario: Scenario }) {
    this.#timers = options.timers;
    this.#scenario = options.scenario;
    this.#player = new Player(options.simulator, refused => {
      this.#refused ??= refused;
    });
    this.#stopWatching = options.simulator.onFrame((direction, frame) => this.#saw({ direction, frame }));
  }

  /**
   * Plays all steps; resolves at once without steps, leaving `auto` active until `close`. `onStep` is told how many are
   * over.
   */
  async run(onStep: (over: number) => void = () => undefined): Promise<ScenarioReport> {
    const steps: ScenarioReport['steps'][number][] = [];
    for (const [index, step] of this.#scenario.steps.entries()) {
      const failure = await this.#play(step);
      steps.push({ step: index + 1, passed: failure === undefined, message: failure ?? 'ok' });
      onStep(steps.length);
      if (failure !== undefined) break;
    }
    const violations = this.violations();
    return { passed: steps.every(({ passed }) => passed) && violations.length === 0, steps, violations };
  }

  /** Repeated charges of a transaction, as received by the reader. */
  violations(): string[] {
    return [...this.#approvals]
      .filter(([, cards]) => cards.size > 1)
      .map(([txn, cards]) => `${txn} was approved ${cards.size} times`);
  }

  close(): void {
    this.#stopWatching();
    this.#player.close();
  }

  async #play(step: Step): Promise<string | undefined> {
    let left = step.when.nth;
    const due = await this.#waitFor(step.withinMs, seen => this.#fits(step.when, seen) && --left === 0);
    if (due === undefined) return `never came: ${JSON.stringify(step.when)}`;
    this.#inStep = true;
    this.#refused = undefined;
    this.#player.reset();
    const result = step.expect === undefined ? undefined : this.#waitFor(step.withinMs, isResult);
    this.#player.play(step.do);
    if (result === undefined) return undefined;
    const seen = await result;
    this.#inStep = false;
    if (this.#refused !== undefined) return this.#refused;
    if (seen === undefined) return `no result within ${step.withinMs} ms`;
    return differenceTo(step.expect ?? {}, seen.frame);
  }

  #saw(seen: Seen): void {
    const { verb, kind, fields } = seen.frame;
    const txn = fields.txn ?? '';
    if (kind === 'Q' && verb === 'PAY') this.#amounts.set(txn, Number(fields.amt));
    if (kind === 'Q' && verb === 'AUTH' && fields.outcome === 'approved') {
      const cards = this.#approvals.get(txn) ?? new Set();
      this.#approvals.set(txn, cards.add(fields.ksn ?? ''));
    }
    for (const watcher of this.#watchers) watcher(seen);
    const presents = verb === 'STAGE' && fields.stage === 'present';
    if (presents && !this.#inStep && this.#player.idle) this.#player.play(this.#scenario.auto ?? []);
  }

  #fits(when: When, { direction, frame }: Seen): boolean {
    if (when.verb !== undefined && (direction !== 'host' || frame.verb !== when.verb)) return false;
    if (when.stage !== undefined && (frame.verb !== 'STAGE' || frame.fields.stage !== when.stage)) return false;
    if (when.amountMinor === undefined) return when.verb !== undefined || when.stage !== undefined;
    return this.#amounts.get(frame.fields.txn ?? '') === when.amountMinor;
  }

  #waitFor(withinMs: number, fits: (seen: Seen) => boolean): Promise<Seen | undefined> {
    return new Promise(resolve => {
      const done = (seen: Seen | undefined) => {
        cancel();
        this.#watchers.delete(watcher);
        resolve(seen);
      };
      const watcher = (seen: Seen) => {
        if (fits(seen)) done(seen);
      };
      const cancel = this.#timers.after(withinMs, () => done(undefined));
      this.#watchers.add(watcher);
    });
  }
}

function isResult({ direction, frame }: Seen): boolean {
  return direction === 'reader' && frame.kind === 'R';
}

function differenceTo(expected: Expectation, frame: Frame): string | undefined {
  for (const [key, value] of Object.entries(expected)) {
    if (frame.fields[key] !== value) return `expected ${key} ${value}, got ${frame.fields[key] ?? 'none'}`;
  }
  return undefined;
}
