import type { SeededNumbers } from '../simulation/seeded.ts';
import { passive, type TapListener } from './wire-tap.ts';

/** When the process is killed. A plan names the intended step; the actual step is derived from what the kill left behind. */
export type KillPlan =
  /** Some milliseconds after the calls were made. */
  | { readonly at: 'time'; readonly afterUs: number }
  /** At the nth connection to the gateway; `arrives`: data already sent is still delivered. */
  | { readonly at: 'connected'; readonly nth: number; readonly arrives: boolean; readonly afterUs: number }
  /** After the gateway received the nth operation and before it executes it; `late`: it still executes it later. */
  | { readonly at: 'received'; readonly nth: number; readonly late: number | undefined }
  /** After the gateway executed the nth operation and before it replies. */
  | { readonly at: 'applied'; readonly nth: number }
  /** After the reply to the nth operation was written. */
  | { readonly at: 'replied'; readonly nth: number; readonly afterUs: number }
  /** After the service accepted the gateway's callback, while its caller still waits. */
  | { readonly at: 'callback'; readonly nth: number }
  /** After the nth answer reached its caller; the replies to all operations are released at the same moment. */
  | { readonly at: 'answered'; readonly nth: number; readonly afterUs: number };

/** Returns plans in rotation, so that a long run covers every step; their details are random. */
export function drawPlan(cycle: number, numbers: SeededNumbers): KillPlan {
  const nth = numbers.between(1, 6);
  const shortUs = Math.floor(numbers.unit() ** 2 * 3_000);
  const plans: readonly KillPlan[] = [
    { at: 'time', afterUs: Math.floor(numbers.unit() ** 2 * 40_000) },
    { at: 'connected', nth, arrives: false, afterUs: 0 },
    { at: 'received', nth, late: undefined },
    { at: 'applied', nth },
    { at: 'replied', nth, afterUs: shortUs },
    { at: 'callback', nth: numbers.between(1, 2) },
    { at: 'received', nth, late: numbers.between(150, 400) },
    { at: 'answered', nth, afterUs: shortUs },
    { at: 'connected', nth, arrives: true, afterUs: shortUs },
    { at: 'replied', nth, afterUs: 0 },
  ];
  const plan = plans[cycle % plans.length];
  if (!plan) throw new Error('there is a plan for every cycle');
  return plan;
}

export type KillTrigger = {
  readonly listener: TapListener;
  /** Called for each answer that reached its caller. */
  answered(): void;
};

/** The longest time replies are held before they are released at the same moment. */
const maxWaitForAllMs = 150;

/** Watches the wire for the step the plan names and calls `kill` at it. */
export function killTriggerOf(plan: KillPlan, options: { operations: number; kill: () => void }): KillTrigger {
  let killed = false;
  let seen = 0;
  const kill = () => {
    if (killed) return;
    killed = true;
    options.kill();
  };
  const killAfter = (delayUs: number) => {
    const until = performance.now() + delayUs / 1000;
    // Timers are too coarse for fractions of a millisecond; the proxy continues between turns of the event loop.
    const turn = () => (performance.now() >= until ? kill() : void setImmediate(turn));
    turn();
  };
  const isNth = (wanted: number) => {
    seen += 1;
    return seen === wanted;
  };
  const never = new Promise<'pass'>(() => undefined);
  const all = togetherOf(options.operations);
  const listener: TapListener = {
    ...passive,
    connected() {
      if (plan.at !== 'connected') return 'pass';
      if (!killed && isNth(plan.nth)) {
        if (plan.arrives) killAfter(plan.afterUs);
        else kill();
      }
      return killed && !plan.arrives ? 'drop' : 'pass';
    },
    received(message) {
      if (plan.at !== 'received' || !message.movesMoney || killed || !isNth(plan.nth)) return 'pass';
      kill();
      return plan.late === undefined ? 'drop' : { arriveAfterMs: plan.late };
    },
    applied(message) {
      if (!message.movesMoney) return 'pass';
      if (plan.at === 'applied' && !killed && isNth(plan.nth)) kill();
      if (plan.at === 'applied' && killed) return 'drop';
      if (plan.at === 'callback') return killed ? 'drop' : never;
      if (plan.at === 'answered') return all.wait();
      return 'pass';
    },
    replied(message) {
      if (plan.at === 'replied' && message.movesMoney && isNth(plan.nth)) killAfter(plan.afterUs);
    },
    // Elsewhere a callback would interfere: it is refused, and the gateway retries later.
    callback: () => (plan.at === 'callback' ? 'pass' : 'drop'),
    callbackTaken() {
      if (plan.at === 'callback' && isNth(plan.nth)) kill();
    },
  };
  if (plan.at === 'time') killAfter(plan.afterUs);
  return {
    listener,
    answered() {
      if (plan.at === 'answered' && isNth(plan.nth)) killAfter(plan.afterUs);
    },
  };
}

/** Holds callers until `howMany` have arrived or the time limit has passed. */
function togetherOf(howMany: number): { wait(): Promise<'pass'> } {
  let waiting = 0;
  let open = (): void => undefined;
  const opened = new Promise<'pass'>(resolve => {
    open = () => resolve('pass');
  });
  return {
    wait() {
      waiting += 1;
      if (waiting === 1) setTimeout(open, maxWaitForAllMs);
      if (waiting >= howMany) open();
      return opened;
    },
  };
}
