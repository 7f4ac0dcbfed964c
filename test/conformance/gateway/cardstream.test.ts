import type { FaultInput } from '@florin/backend/sandbox/card-gateway/faults.ts';
import { type GatewayUnderTest, gatewaySuite, type Trouble } from './suite.ts';
import { aGatewayWorld, aReadCard, visa } from './world.ts';

const faults: Readonly<Record<Exclude<Trouble, 'connection_refused'>, FaultInput>> = {
  request_lost: { kind: 'dropRequest' },
  reply_lost: { kind: 'loseReply' },
  no_reply: { kind: 'hang' },
  reply_forged: { kind: 'badSignature' },
  reply_differs: { kind: 'wrongEcho', fields: { amount: '1' } },
  code_unrecognised: {
    kind: 'wrongEcho',
    fields: { responseCode: '65999', state: 'finished', amountReceived: '0' },
  },
  declined: { kind: 'decline' },
};

/** Cardstream's adapter over HTTP to the sandbox, with and without what an account may lack. */
for (const options of [{}, { reporting: false, cardPresent: false }]) {
  const lacks = Object.keys(options).join(' and ');
  gatewaySuite({
    name: lacks === '' ? 'cardstream' : `cardstream without ${lacks}`,
    async open(): Promise<GatewayUnderTest> {
      const world = await aGatewayWorld(options);
      const { sandbox, gateway, inbox } = world;
      let isHanging = false;
      return {
        gateway,
        currency: 'GBP',
        card: visa,
        encryptedCard: aReadCard(),
        async wait(operation) {
          if (isHanging) await world.timeOut();
          isHanging = false;
          return operation;
        },
        async meet(trouble) {
          if (trouble === 'connection_refused') {
            await sandbox.control.refuseConnections();
            return () => sandbox.control.acceptConnections();
          }
          sandbox.control.addFault(faults[trouble]);
          isHanging = trouble === 'no_reply';
          return async () => sandbox.control.clearFaults();
        },
        settle: () => void sandbox.control.settle(),
        heldMinor: () =>
          sandbox.control.ledger().reduce((sum, { takenMinor, returnedMinor }) => sum + takenMinor - returnedMinor, 0),
        callbackOf: uniqueReference => inbox.next(uniqueReference),
        forge: body => body.replace(/signature=[0-9a-f]{4}/, 'signature=0000'),
        close: () => world.close(),
      };
    },
  });
}
