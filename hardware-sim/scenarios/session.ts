import type { Timers } from '@florin/shared/ports.ts';
import type { ReaderSimulator } from '../simulator.ts';
import { Recorder } from './recorder.ts';
import { type ScenarioReport, ScenarioRunner } from './runner.ts';
import type { Scenario } from './scenario.ts';

/** What the page shows of the scenario that was started last. */
export type ScenarioState = {
  readonly name: string | null;
  readonly steps: number;
  readonly stepsOver: number;
  /** Null while it runs, or if there is none. */
  readonly report: ScenarioReport | null;
};

/** A tester's work with one reader: the scenario that is played, and a record of everything that was done. */
export class TesterSession {
  readonly #simulator: ReaderSimulator;
  readonly #timers: Timers;
  readonly #recorder: Recorder;
  readonly #auto: Scenario['auto'];
  readonly #listeners = new Set<() => void>();
  #runner: ScenarioRunner;
  #state: ScenarioState = { name: null, steps: 0, stepsOver: 0, report: null };

  /** `auto` is played for every transaction while no scenario runs. */
  constructor(options: { simulator: ReaderSimulator; timers: Timers; auto: Scenario['auto'] }) {
    this.#simulator = options.simulator;
    this.#timers = options.timers;
    this.#auto = options.auto;
    this.#recorder = new Recorder(options.simulator);
    this.#runner = this.#runnerOf({ auto: options.auto, steps: [] });
  }

  /** Plays a scenario in place of the current one. Resolves with its result; undefined if another took its place. */
  async run(scenario: Scenario): Promise<ScenarioReport | undefined> {
    this.#runner.close();
    const { seed, name = null, steps, auto = this.#auto } = scenario;
    if (seed !== undefined) this.#simulator.reseed(seed);
    const runner = this.#runnerOf({ ...scenario, auto });
    this.#runner = runner;
    this.#change({ name: name ?? 'Scenario', steps: steps.length, stepsOver: 0, report: null });
    const report = await runner.run(stepsOver => {
      if (this.#runner === runner) this.#change({ ...this.#state, stepsOver });
    });
    if (this.#runner !== runner) return undefined;
    this.#change({ ...this.#state, report });
    return report;
  }

  state(): ScenarioState {
    return this.#state;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Rules that hold in every scenario and were broken. */
  violations(): string[] {
    return this.#runner.violations();
  }

  /** Everything that was done so far, as a scenario in YAML. */
  recording(): string {
    return this.#recorder.scenario();
  }

  close(): void {
    this.#runner.close();
    this.#recorder.close();
  }

  #runnerOf(scenario: Scenario): ScenarioRunner {
    return new ScenarioRunner({ simulator: this.#simulator, timers: this.#timers, scenario });
  }

  #change(state: ScenarioState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
