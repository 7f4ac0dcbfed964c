import type { Fate } from '../../simulation/gateway-model.ts';
import { gatewayModel, modelAdapter } from '../../simulation/gateway-model.ts';
import { microtasks, seededNumbers, VirtualTime } from '../../simulation/seeded.ts';
import { type GatewayUnderTest, gatewaySuite, type Trouble } from './suite.ts';

const fates: Readonly<Record<Trouble, Fate>> = {
  connection_refused: { refused: true },
  request_lost: { dropped: true },
  reply_lost: { replyLost: true },
  no_reply: { dropped: true },
  reply_forged: { garbled: 'bad_signature' },
  reply_differs: { garbled: 'amount_differs' },
  code_unrecognised: { garbled: 'unrecognised_code' },
  declined: { declined: true },
};

/** The gateway of the simulation: what holds for a real one must hold for the one that stands in for it. */
gatewaySuite({
  name: 'model',
  async open(): Promise<GatewayUnderTest> {
    const numbers = seededNumbers(1);
    const time = new VirtualTime(Date.UTC(2026, 10, 20), () => numbers.word());
    const model = gatewayModel({ time, numbers, onCallback: () => undefined, onSend: () => undefined });
    const opened = modelAdapter(model).open({ merchantId: '1', config: {}, secrets: {}, callbackUrl: 'http://x' });
    if (!opened.ok) throw new Error(opened.refusal.join());
    return {
      gateway: opened.value,
      currency: 'GBP',
      card: { paymentToken: 'token' },
      encryptedCard: { encryptedBlock: 'AAAA', keySerialNumber: '00', entryMode: 'chip' },
      async wait(operation) {
        let isOver = false;
        const over = () => {
          isOver = true;
        };
        operation.then(over, over);
        await microtasks();
        // The next event decides whether another one is needed.
        // oxlint-disable-next-line no-await-in-loop
        while (!isOver && (await time.step()));
        return operation;
      },
      async meet(trouble) {
        model.next(fates[trouble]);
        return async () => undefined;
      },
      settle: () => model.settle(),
      heldMinor: () =>
        model.bookings
          .filter(({ approved }) => approved)
          .reduce(
            (sum, { operation, amountMinor }) => sum + (operation === 'authorise' ? amountMinor : -amountMinor),
            0,
          ),
      async callbackOf(uniqueReference) {
        const booking = model.bookings.find(one => one.uniqueReference === uniqueReference);
        if (!booking) throw new Error('nothing was booked');
        return model.callbackOf(booking);
      },
      forge: body => body.replace('genuine', 'forged'),
      close: async () => undefined,
    };
  },
});
