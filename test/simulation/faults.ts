import type { UnknownCause } from '../../backend/gateways/gateway.ts';
import type { Behaviour } from './gateway-model.ts';
import type { NodeBehaviour, StreamBehaviour } from './node-model.ts';
import { type SeededNumbers, seededNumbers } from './seeded.ts';

/** The faults around the service. Each seed draws which of them occur, and how often. */
export const faultKinds = [
  'crash',
  'stall',
  'refused',
  'dropped',
  'delayed',
  'late',
  'replyLost',
  'duplicated',
  'declined',
  'garbled',
  'callback',
  'callbackTwice',
  'callbackAmount',
  'silent',
  'skew',
  'freeze',
  'secondApproval',
  'receiverFails',
  'receiverSlow',
  'nodeRefused',
  'nodeDown',
  'nodeDropped',
  'nodeLate',
  'nodeReplyLost',
  'nodeForgets',
  'nodePayFails',
  'ratesSilent',
] as const;
export type FaultKind = (typeof faultKinds)[number];
export type FaultRates = Readonly<Record<FaultKind, number>>;

const secondMs = 1_000;
const garbles: readonly UnknownCause[] = [
  'connection_lost',
  'gateway_error',
  'bad_signature',
  'unrecognised_code',
  'reference_differs',
  'amount_differs',
  'malformed',
];
/** Short delays find races; long ones outlast leases. */
const stallsMs = [1, 7, 60, 900, 9 * secondMs, 35 * secondMs, 65 * secondMs];
/** Only at the database: once a process started sending, its own timeout bounds when the bank receives the request. */
const maxStallMs = 300 * secondMs;
/** Longer than a process's lease on an idempotency key. */
export const freezeMs = 18 * secondMs;
/** The longest delay of a process between its last lease check and sending. */
export const maxHoldUpMs = 65 * secondMs + freezeMs;
const maxCrashes = 10;

/** Swarm testing: draws for each fault whether it occurs in this world, and how often. */
function drawRates(numbers: SeededNumbers, without: readonly FaultKind[]): FaultRates {
  const drawn = faultKinds.map(kind => {
    const rate = numbers.chance(0.5) ? numbers.pick([0.03, 0.1, 0.3, 0.6]) : 0;
    return [kind, without.includes(kind) ? 0 : rate] as const;
  });
  return Object.fromEntries(drawn) as FaultRates;
}

export type ReceiverBehaviour = 'well' | 'fails' | 'tooLate' | 'unreachable';

export type FaultPlan = {
  /** How often each fault occurred. */
  readonly triggered: Map<FaultKind, number>;
  /** `isBegun`: only the bank's check of the customer starts, which takes no money. */
  behaviour(isBegun?: boolean): Behaviour;
  /** Whether the gateway answers a lookup. */
  answers(): boolean;
  /**
   * Called at each await: crash, freeze the whole process, or a delay in milliseconds. `state` describes what a crash here
   * would leave behind.
   */
  atAwait(state: () => string, where: string): 'crash' | 'freeze' | number;
  skewMs(): number;
  /** The behaviour of a request to the bitcoin node; `makes` if it creates or sends something. */
  nodeBehaviour(makes: boolean): NodeBehaviour;
  nodeStream(): StreamBehaviour;
  /** Whether a source of exchange rates responds. */
  quotes(): boolean;
  /** How a merchant's server responds to a webhook. */
  receives(): ReceiverBehaviour;
  /** Ends all faults. */
  endAll(): void;
};

export function faultPlanOf(seed: number, without: readonly FaultKind[]): FaultPlan {
  const rates = drawRates(seededNumbers(seed * 16 + 1), without);
  const gateway = seededNumbers(seed * 16 + 2);
  const awaits = seededNumbers(seed * 16 + 3);
  const receiver = seededNumbers(seed * 16 + 8);
  const triggered = new Map<FaultKind, number>();
  /** Remaining webhooks of the receiver's outage. */
  let outage = 0;
  const node = seededNumbers(seed * 16 + 9);
  /** Remaining requests of the bitcoin node's outage. */
  let nodeOutage = 0;
  let isOver = false;

  function triggers(kind: FaultKind, numbers: SeededNumbers, share = 1): boolean {
    if (isOver || rates[kind] === 0 || !numbers.chance(rates[kind] * share)) return false;
    triggered.set(kind, (triggered.get(kind) ?? 0) + 1);
    return true;
  }

  return {
    triggered,
    behaviour() {
      if (triggers('refused', gateway)) return { refused: true };
      const arrivesAfterMs = triggers('late', gateway)
        ? gateway.between(30 * secondMs, 120 * secondMs)
        : triggers('delayed', gateway)
          ? gateway.between(secondMs, 29 * secondMs)
          : undefined;
      const callback = triggers('callback', gateway)
        ? gateway.pick([0, 1, 30, 3 * secondMs, 40 * secondMs])
        : undefined;
      return {
        ...(arrivesAfterMs === undefined ? {} : { arrivesAfterMs }),
        ...(callback === undefined ? {} : { callbackAfterMs: callback }),
        dropped: triggers('dropped', gateway),
        replyLost: triggers('replyLost', gateway),
        duplicated: triggers('duplicated', gateway),
        declined: triggers('declined', gateway),
        ...(triggers('garbled', gateway) ? { garbled: gateway.pick(garbles) } : {}),
        callbackTwice: triggers('callbackTwice', gateway),
        ...(triggers('secondApproval', gateway, 0.5)
          ? { secondApprovalAfterMs: gateway.pick([1, 30, 3 * secondMs, 40 * secondMs]) }
          : {}),
        ...(triggers('callbackAmount', gateway) ? { callbackAmountMinor: gateway.between(1, 50_000) } : {}),
      };
    },
    answers: () => !triggers('silent', gateway),
    atAwait(_state, where) {
      if ((triggered.get('crash') ?? 0) < maxCrashes && triggers('crash', awaits, 0.05)) return 'crash';
      if (triggers('freeze', awaits, 0.1)) return 'freeze';
      if (!triggers('stall', awaits, 0.3)) return 0;
      return where.endsWith('write') && awaits.chance(0.1) ? maxStallMs : awaits.pick(stallsMs);
    },
    nodeBehaviour() {
      if (isOver) return {};
      if (nodeOutage > 0) nodeOutage -= 1;
      else if (triggers('nodeDown', node, 0.2)) nodeOutage = node.between(3, 30);
      if (nodeOutage > 0 || triggers('nodeRefused', node, 0.5)) return { refused: true };
      return {
        ...(triggers('nodeLate', node) ? { arrivesAfterMs: node.between(secondMs, 40 * secondMs) } : {}),
        dropped: triggers('nodeDropped', node),
        replyLost: triggers('nodeReplyLost', node),
        failed: triggers('nodePayFails', node),
        inFlightMs: node.pick([1, 40, 3 * secondMs, 30 * secondMs]),
      };
    },
    nodeStream: () => ({
      endsAfterMs: node.pick([secondMs, 15 * secondMs, 60 * secondMs]),
      missesEvery: triggers('nodeForgets', node) ? node.between(1, 3) : 0,
    }),
    quotes: () => !triggers('ratesSilent', node),
    skewMs: () => (triggers('skew', awaits) ? awaits.between(-2, 2) * secondMs : 0),
    receives() {
      if (isOver) return 'well';
      if (triggers('receiverSlow', receiver)) return 'tooLate';
      if (outage > 0) outage -= 1;
      else if (triggers('receiverFails', receiver)) outage = receiver.between(1, 15);
      else return 'well';
      return receiver.pick(['fails', 'fails', 'unreachable']);
    },
    endAll() {
      isOver = true;
    },
  };
}
