import { type Behaviour, gatewayModel, modelAdapter } from '../../simulation/gateway-model.ts';
import { microtasks, seededNumbers, VirtualTime } from '../../simulation/seeded.ts';
import type { Fault, GatewayUnderTest } from './suite.ts';

const behaviours: Readonly<Record<Fault, Behaviour>> = {
  connection_refused: { refused: true },
  request_lost: { dropped: true },
  no_reply: { dropped: true },
  declined: { declined: true },
  lost: { replyLost: true },
  cut: { garbled: 'connection_lost' },
  status: { garbled: 'gateway_error' },
  malformed: { garbled: 'malformed' },
  empty: { garbled: 'malformed' },
  forged: { garbled: 'bad_signature' },
  merchant_differs: { garbled: 'merchant_differs' },
  reference_differs: { garbled: 'reference_differs' },
  operation_differs: { garbled: 'operation_differs' },
  currency_differs: { garbled: 'currency_differs' },
  amount_differs: { garbled: 'amount_differs' },
  code_unrecognised: { garbled: 'unrecognised_code' },
};

/** The gateway of the simulation. */
export async function modelUnderTest(): Promise<GatewayUnderTest> {
  const numbers = seededNumbers(1);
  const time = new VirtualTime(Date.UTC(2026, 10, 20), () => numbers.word());
  const model = gatewayModel({ time, numbers, onCallback: async () => undefined, onSend: () => undefined });
  const opened = modelAdapter(model).open({ merchantId: '1', config: {}, secrets: {}, callbackUrl: 'http://x' });
  if (!opened.ok) throw new Error(opened.refusal.join());
  return {
    gateway: opened.value,
    currency: 'GBP',
    card: { paymentToken: 'token' },
    encryptedCard: { encryptedBlock: 'AAAA', keySerialNumber: '00', entryMode: 'chip' },
    omitsField: () => false,
    unsigned: [],
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
    async inject(fault, sending) {
      if (sending === 'lookup' || sending === 'paymentState') model.silent = true;
      else model.next(behaviours[fault]);
      return async () => {
        model.silent = false;
      };
    },
    settle: () => model.settle(),
    heldMinor: () =>
      model.bookings
        .filter(({ approved }) => approved)
        .reduce((sum, { operation, amountMinor }) => sum + (operation === 'authorise' ? amountMinor : -amountMinor), 0),
    async callbackOf(uniqueReference) {
      const booking = model.bookings.find(one => one.uniqueReference === uniqueReference);
      if (!booking) throw new Error('the bank booked nothing');
      return { rawBody: model.callbackOf(booking), headers: {} };
    },
    forge: posted => ({ ...posted, rawBody: posted.rawBody.replace('genuine', 'forged') }),
    close: async () => undefined,
  };
}
