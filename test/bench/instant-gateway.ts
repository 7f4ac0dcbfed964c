import type { GatewayRegistry } from '@florin/backend/gateways/adapter.ts';
import type { Approved, CardGateway } from '@florin/backend/gateways/gateway.ts';
import { ok } from '@florin/shared/result.ts';

/** Uses the instant gateway for every account, regardless of its adapter. */
export function instantRegistry(): GatewayRegistry {
  const gateway = instantGateway();
  return new Map([['cardstream', { name: 'instant', examples: { config: {}, secrets: {} }, open: () => ok(gateway) }]]);
}

/** A gateway that approves at once: the bench measures Florin, not a network. */
function instantGateway(): CardGateway {
  let operations = 0;
  const approve = async (): Promise<Approved> => {
    operations += 1;
    return { kind: 'approved', gatewayReference: `xref${operations}`, message: 'APPROVED' };
  };
  const notMeasured = () => Promise.reject(new Error('the bench does not measure this operation'));
  return {
    name: 'instant',
    capabilities: {
      cardPresent: true,
      ecommerce: true,
      threeDSecure: false,
      lookupByUniqueReference: true,
      callbacks: false,
    },
    authoriseCardPresent: async ({ amount }) => ({
      ...(await approve()),
      authorisationCode: '123456',
      amount,
      card: { scheme: 'Visa', lastFour: '0821' },
    }),
    authoriseEcommerce: notMeasured,
    continueThreeDSecure: notMeasured,
    cancel: approve,
    refundSale: approve,
    refund: approve,
    lookup: async () => ({ kind: 'notFound' }),
    paymentState: async () => ({ kind: 'found', state: 'settled', receivedMinor: 0 }),
    readCallback: async () => ({ kind: 'not_ours' }),
    testConnection: async () => [],
  };
}
