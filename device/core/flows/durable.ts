import type { AnyMachineSnapshot, AnyStateMachine, EventFromLogic, SnapshotFrom } from 'xstate';
import { transition } from 'xstate';

/** An effect that a machine requests: `commit` is stored together with the new state, `perform` runs afterwards. */
export type PendingAction = { readonly type: string; readonly params: unknown };

export type Stored<Context> = { readonly value: string; readonly context: Context };

export type DurableFlow<Machine extends AnyStateMachine> = {
  snapshot(): Stored<SnapshotFrom<Machine>['context']>;
  /** Whether the current state handles this event. */
  takes(event: EventFromLogic<Machine>): boolean;
  /** False if the event does not fit the current state; nothing changes then. */
  send(event: EventFromLogic<Machine>): boolean;
  stop(): void;
};

export type DurableOptions<Machine extends AnyStateMachine> = {
  readonly machine: Machine;
  readonly from: Stored<SnapshotFrom<Machine>['context']>;
  /** Stores the new state and everything the transition stores with it, in one transaction. */
  readonly commit: (next: Stored<SnapshotFrom<Machine>['context']>, actions: readonly PendingAction[]) => void;
  /** Starts an effect and returns; its results arrive as events. */
  readonly perform: (action: PendingAction) => void;
  readonly changed: () => void;
};

/**
 * Runs an xstate machine as a pure function: the next state is computed, then stored, and only then acted upon. An
 * interpreter would start an effect before anyone could store the state that asked for it; here a crash at any point
 * finds a stored state that is never behind what was done.
 */
export function durableFlow<Machine extends AnyStateMachine>(options: DurableOptions<Machine>): DurableFlow<Machine> {
  const { machine } = options;
  let current = machine.resolveState(options.from) as SnapshotFrom<Machine>;
  let stopped = false;
  const waiting: EventFromLogic<Machine>[] = [];
  let working = false;

  function step(event: EventFromLogic<Machine>): void {
    const [next, actions] = transition(machine, current, event);
    const pending = actions.map(action => ({ type: action.type, params: action.params as unknown }));
    options.commit(stored(next), pending);
    current = next;
    for (const action of pending) if (!stopped) options.perform(action);
  }

  return {
    snapshot: () => stored(current),
    takes: event => !stopped && (current as AnyMachineSnapshot).can(event),
    send(event) {
      if (stopped) return false;
      // An event sent while another is processed is queued; whether it fits is decided when its turn comes.
      if (working) {
        waiting.push(event);
        return true;
      }
      if (!(current as AnyMachineSnapshot).can(event)) return false;
      working = true;
      try {
        step(event);
        for (let next = waiting.shift(); next && !stopped; next = waiting.shift()) {
          if ((current as AnyMachineSnapshot).can(next)) step(next);
        }
      } finally {
        working = false;
      }
      if (!stopped) options.changed();
      return true;
    },
    stop() {
      stopped = true;
      waiting.length = 0;
    },
  };
}

/** Restores a stored flow; undefined if the stored value is not valid for this machine. */
export function restored<Context>(
  machine: AnyStateMachine,
  from: { readonly value: string; readonly context: Readonly<Record<string, unknown>> },
  contextKeys: readonly string[],
): Stored<Context> | undefined {
  const fits = from.value in machine.states && contextKeys.every(key => key in from.context);
  return fits ? { value: from.value, context: from.context as Context } : undefined;
}

function stored<Context>(snapshot: AnyMachineSnapshot): Stored<Context> {
  return { value: snapshot.value as string, context: snapshot.context as Context };
}
