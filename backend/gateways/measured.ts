import { ok } from '@florin/shared/result.ts';
import type { Metrics } from '../foundation/metrics/metrics.ts';
import type { GatewayAdapter, GatewayRegistry } from './adapter.ts';
import type { CardGateway } from './gateway.ts';

type Measuring = { readonly metrics: Metrics; readonly elapsedMs: () => number };

/** The adapters with calls of their gateways counted by outcome. */
export function measuredGateways(registry: GatewayRegistry, measuring: Measuring): GatewayRegistry {
  const measured = [...registry].map(([name, adapter]): [string, GatewayAdapter] => [
    name,
    {
      ...adapter,
      open(account) {
        const opened = adapter.open(account);
        return opened.ok ? ok(measuredGateway(opened.value, measuring)) : opened;
      },
    },
  ]);
  return new Map(measured);
}

function measuredGateway(gateway: CardGateway, { metrics, elapsedMs }: Measuring): CardGateway {
  async function measure<Outcome extends { kind: string }>(operation: string, call: () => Promise<Outcome>) {
    const begunAt = elapsedMs();
    let outcome = 'threw';
    try {
      const answer = await call();
      outcome = answer.kind;
      return answer;
    } finally {
      metrics.gatewayAnswered({ operation, outcome, durationMs: elapsedMs() - begunAt });
    }
  }
  const { operationsIn } = gateway;
  return {
    ...(operationsIn && { operationsIn: period => measure('operationsIn', () => operationsIn(period)) }),
    name: gateway.name,
    capabilities: gateway.capabilities,
    authoriseCardPresent: request => measure('authoriseCardPresent', () => gateway.authoriseCardPresent(request)),
    authoriseEcommerce: request => measure('authoriseEcommerce', () => gateway.authoriseEcommerce(request)),
    continueThreeDSecure: request => measure('continueThreeDSecure', () => gateway.continueThreeDSecure(request)),
    cancel: request => measure('cancel', () => gateway.cancel(request)),
    refundSale: request => measure('refundSale', () => gateway.refundSale(request)),
    refund: request => measure('refund', () => gateway.refund(request)),
    lookup: request => measure('lookup', () => gateway.lookup(request)),
    paymentState: request => measure('paymentState', () => gateway.paymentState(request)),
    readCallback: (posted, find) => measure('callback', () => gateway.readCallback(posted, find)),
    testConnection: () => gateway.testConnection(),
  };
}
