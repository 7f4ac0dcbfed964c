import type { SeededNumbers } from '../simulation/seeded.ts';
import { passive, type TapListener } from './wire-tap.ts';

/** When the process is killed. Every plan names the step it aims at; where it hit is told by what the kill left behind. */
export type KillPlan =
  /** A while after the calls were made. */
  | { readonly at: 'time'; readonly afterUs: number }
  /** The nth connection to the gateway is made; `arrives`: what is on its way there still gets there. */
  | { readonly at: 'connected'; readonly nth: number; readonly arrives: boolean; readonly afterUs: number }
  /** The gateway received the nth operation and has not begun with it; `late`: it carries it out all the same, later. */
  | { readonly at: 'received'; readonly nth: number; readonly late: number | undefined }
  /** The gateway carried out the nth operation; its reply is not on its way yet. */
  | { readonly at: 'applied'; readonly nth: number }
  /** The reply to the nth operation was written. */
  | { readonly at: 'replied'; readonly nth: number; readonly afterUs: number }
  /** The service took the gateway's callback, its caller still waits for the answer. */
  | { readonly at: 'callback'; readonly nth: number }
  /** The nth answer reached its caller; the replies to all operations had been let go at the same moment. */
  | { readonly at: 'answered'; readonly nth: number; readonly afterUs: number };

/** Plans in turn, so that a run of some length aims at every step; the rest of each is drawn. */
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

export type Trap = {
  readonly listener: TapListener;
  /** Told of each answer that reached its caller. */
  answered(): void;
};

/** How long replies are held together, at most, before they are let go at the same moment. */
const longestWaitForAllMs = 150;

/** Watches the wire for the step the plan names and calls `kill` at it. */
export function trapOf(plan: KillPlan, options: { operations: number; kill: () => void }): Trap {
  let killed = false;
  let seen = 0;
  const kill = () => {
    if (killed) return;
    killed = true;
    options.kill();
  };
  const killAfter = (delayUs: number) => {
    const until = performance.now() + delayUs / 1000;
    // Timers are too coarse for parts of a millisecond; the wire goes on between the turns.
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
    // Elsewhere the gateway's own post comes too late to matter: it is told to try again.
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

/** Holds everybody until `howMany` have come or it has taken long enough. */
function togetherOf(howMany: number): { wait(): Promise<'pass'> } {
  let waiting = 0;
  let open = (): void => undefined;
  const opened = new Promise<'pass'>(resolve => {
    open = () => resolve('pass');
  });
  return {
    wait() {
      waiting += 1;
      if (waiting === 1) setTimeout(open, longestWaitForAllMs);
      if (waiting >= howMany) open();
      return opened;
    },
  };
}
