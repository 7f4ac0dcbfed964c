import type { Clock, Instant, Log } from '@florin/shared/ports.ts';
import type { NotSentCause, PaymentStateOutcome, UnknownCause } from '../../gateways/gateway.ts';
import type { PaymentRow } from './rows.ts';

/** Why no payment of an account gets an answer; any other cause is about one payment. */
const outageCauses: ReadonlySet<string> = new Set<NotSentCause | UnknownCause>([
  'connection_refused',
  'name_not_found',
  'no_route',
  'account_unusable',
  'timeout',
  'connection_lost',
  'gateway_error',
  'bad_signature',
]);

/** How many waiting payments of an account are counted, so that a long outage takes no memory. */
const maxCounted = 1_000;

type Outage = { readonly since: Instant; readonly waiting: Set<string> };

export type GatewayOutages = {
  /** Takes what the gateway answered about a payment; says whether the cause is an outage of its account. */
  noted(payment: PaymentRow, answer: PaymentStateOutcome): boolean;
};

/**
 * Logs once when the gateway of an account stops answering polls, and once when it answers again. A gateway that answers
 * only sometimes is logged at most once per `quietMs`.
 */
export function gatewayOutages(options: {
  readonly clock: Clock;
  readonly log: Log;
  readonly quietMs: number;
}): GatewayOutages {
  const { clock, log, quietMs } = options;
  const outages = new Map<string, Outage>();
  const endedAt = new Map<string, Instant>();

  function end(gatewayAccountId: string, businessId: string): void {
    const outage = outages.get(gatewayAccountId);
    if (!outage) return;
    const now = clock.now();
    const { since, waiting } = outage;
    outages.delete(gatewayAccountId);
    endedAt.set(gatewayAccountId, now);
    const facts = { businessId, gatewayAccountId, unansweredForMs: now - since, paymentsWaiting: waiting.size };
    log.info(facts, 'the gateway of an account answers polls again');
  }

  return {
    noted({ id, businessId, gatewayAccountId }, answer) {
      if (gatewayAccountId === null) return false;
      if (answer.kind !== 'unanswered' || !outageCauses.has(answer.cause)) {
        end(gatewayAccountId, businessId);
        return false;
      }
      const now = clock.now();
      let outage = outages.get(gatewayAccountId);
      if (!outage) {
        if (now - (endedAt.get(gatewayAccountId) ?? Number.NEGATIVE_INFINITY) < quietMs) return true;
        outage = { since: now, waiting: new Set() };
        outages.set(gatewayAccountId, outage);
        const facts = { businessId, gatewayAccountId, cause: answer.cause };
        log.warn(facts, 'the gateway of an account does not answer polls; its payments wait');
      }
      if (outage.waiting.size < maxCounted) outage.waiting.add(id);
      return true;
    },
  };
}
