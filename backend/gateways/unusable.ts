import type { CardGateway, NotSent } from './gateway.ts';

const notSent: NotSent = { kind: 'notSent', cause: 'account_unusable' };
const unanswered = { kind: 'unanswered', cause: notSent.cause } as const;

/** The gateway of an account that is missing or unreadable: it sends nothing and has no data. */
export const unusableGateway: CardGateway = {
  name: 'unusable',
  capabilities: {
    cardPresent: false,
    ecommerce: false,
    threeDSecure: false,
    lookupByUniqueReference: false,
    callbacks: false,
  },
  authoriseCardPresent: async () => notSent,
  authoriseEcommerce: async () => notSent,
  continueThreeDSecure: async () => notSent,
  cancel: async () => notSent,
  refundSale: async () => notSent,
  refund: async () => notSent,
  lookup: async () => unanswered,
  paymentState: async () => unanswered,
  operationsIn: async () => unanswered,
  testConnection: async () => [{ name: 'payments', ok: false, cause: notSent.cause }],
  readCallback: async () => ({ kind: 'not_ours' }),
};
