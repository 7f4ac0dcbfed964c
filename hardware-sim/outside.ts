import { type Action, type bankRequests, declineCodes, isBankDecline } from './actions.ts';

/** Why the sandbox's bank or node was not told of a fault. */
export type OutsideRefusal =
  | { readonly kind: 'not_connected'; readonly message: string }
  | { readonly kind: 'not_reached'; readonly message: string }
  /** The bank of a reader that authorises by itself has fewer faults. */
  | { readonly kind: 'not_supported'; readonly message: string };

/** The gateway's names of the requests. */
const gatewayActions = { sale: 'CARD_PRESENT', void: 'CANCEL', refund: 'REFUND_SALE', any: undefined } satisfies Record<
  (typeof bankRequests)[number],
  string | undefined
>;

const answersWithinMs = 5_000;

/**
 * Adds a fault to the bank or node of the sandbox, for its next request. `controlUrl` is its control address, null if
 * the simulator was started without one.
 */
export async function armFault(
  controlUrl: string | null,
  asked: Extract<Action, { do: 'bank' | 'node' }>,
): Promise<OutsideRefusal | undefined> {
  if (controlUrl === null)
    return { kind: 'not_connected', message: `start the simulator with --${asked.do} and its control address` };
  const gatewayAction = asked.do === 'bank' ? gatewayActions[asked.request] : undefined;
  try {
    const response = await fetch(new URL('/control/faults', controlUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...faultOf(asked), action: gatewayAction }),
      signal: AbortSignal.timeout(answersWithinMs),
    });
    if (response.ok) return undefined;
    return { kind: 'not_reached', message: `the ${asked.do} answers ${response.status}: ${await response.text()}` };
  } catch (error) {
    return { kind: 'not_reached', message: `the ${asked.do} does not answer: ${String(error)}` };
  }
}

function faultOf({ fault: kind, delayMs }: { fault: string; delayMs: number }): object {
  if (isBankDecline(kind)) return { kind: 'decline', code: declineCodes[kind] };
  return kind === 'delay' || kind === 'applyLate' ? { kind, delayMs } : { kind };
}
