import type { FaultInput } from '@florin/backend/programs/sandbox/card-gateway/faults.ts';
import type { Echo, Fault, GatewayUnderTest, Sending } from './suite.ts';
import { aGatewayWorld, aReadCard, visa } from './world.ts';

const actions: Readonly<Record<Sending, string>> = {
  authoriseEcommerce: 'SALE',
  authoriseCardPresent: 'CARD_PRESENT',
  cancel: 'CANCEL',
  refundSale: 'REFUND_SALE',
  refund: 'REFUND',
  lookup: 'REPORT',
  paymentState: 'QUERY',
};

type Echoes = Readonly<Partial<Record<Echo, Record<string, string>>>>;

const direct: Echoes = {
  merchant_differs: { requestMerchantID: '9' },
  reference_differs: { transactionUnique: 'another' },
  operation_differs: { action: 'VERIFY' },
  currency_differs: { currencyCode: '840' },
  amount_differs: { amount: '1' },
  code_unrecognised: { responseCode: '65999', state: 'finished', amountReceived: '0' },
};

/** The reply field that each difference changes, by kind of request; if none is given, the reply does not repeat it. */
const echoes: Readonly<Record<Sending, Echoes>> = {
  authoriseEcommerce: direct,
  refundSale: direct,
  refund: direct,
  // A CANCEL has the reference of its payment.
  cancel: { ...direct, reference_differs: { xref: '00000000AA00AA00AA00AAA' } },
  authoriseCardPresent: {
    merchant_differs: { merchantId: 'another' },
    reference_differs: { uniqueReference: 'another' },
    currency_differs: { currency: 'USD' },
    amount_differs: { amountMinor: '1' },
    code_unrecognised: { outcome: 'completed' },
  },
  // The reply is a list, in which rows with another reference are other transactions.
  lookup: {
    merchant_differs: { merchantID: '100002' },
    operation_differs: { action: 'VERIFY' },
    currency_differs: { currencyCode: '840' },
    amount_differs: { amount: '1' },
    code_unrecognised: { state: 'unheard_of' },
  },
  // The request has the payment's own reference, and neither an amount nor a currency.
  paymentState: {
    merchant_differs: { requestMerchantID: '9', merchantID: '9' },
    reference_differs: { xref: '00000000AA00AA00AA00AAA' },
    operation_differs: { action: 'VERIFY' },
    code_unrecognised: { action: 'QUERY', responseCode: '65999' },
  },
};

const otherFaults: Readonly<Record<Exclude<Fault, Echo | 'connection_refused'>, FaultInput>> = {
  request_lost: { kind: 'dropRequest' },
  no_reply: { kind: 'hang' },
  declined: { kind: 'decline' },
  lost: { kind: 'loseReply' },
  cut: { kind: 'cutReply' },
  status: { kind: 'wrongStatus' },
  malformed: { kind: 'garbage' },
  empty: { kind: 'garbage', body: '' },
  forged: { kind: 'badSignature' },
};

const isEcho = (fault: Fault): fault is Echo => Object.hasOwn(direct, fault);

function faultOf(fault: Exclude<Fault, 'connection_refused'>, sending: Sending): FaultInput {
  const action = actions[sending];
  if (isEcho(fault)) return { kind: 'wrongEcho', fields: echoes[sending][fault] ?? {}, action };
  return { ...otherFaults[fault], action };
}

const omitsField = (field: Echo, sending: Sending): boolean => !Object.hasOwn(echoes[sending], field);

/** Cardstream's adapter over HTTP to the sandbox. */
export async function cardstreamUnderTest(
  options: { reporting?: boolean; cardPresent?: boolean } = {},
): Promise<GatewayUnderTest> {
  const world = await aGatewayWorld(options);
  const { sandbox, gateway, inbox } = world;
  let isHanging = false;
  return {
    gateway,
    currency: 'GBP',
    card: visa,
    encryptedCard: aReadCard(),
    omitsField,
    // The report is trusted by its address; it is not signed.
    unsigned: ['lookup'],
    async wait(operation) {
      if (isHanging) await world.timeOut();
      isHanging = false;
      return operation;
    },
    async inject(fault, sending) {
      if (fault === 'connection_refused') {
        await sandbox.control.refuseConnections();
        return () => sandbox.control.acceptConnections();
      }
      sandbox.control.addFault(faultOf(fault, sending));
      isHanging = fault === 'no_reply';
      return async () => sandbox.control.clearFaults();
    },
    settle: () => void sandbox.control.settle(),
    heldMinor: () =>
      sandbox.control.ledger().reduce((sum, { takenMinor, returnedMinor }) => sum + takenMinor - returnedMinor, 0),
    callbackOf: async uniqueReference => ({ rawBody: await inbox.next(uniqueReference), headers: {} }),
    forge: posted => ({ ...posted, rawBody: posted.rawBody.replace(/signature=[0-9a-f]{4}/, 'signature=0000') }),
    close: () => world.close(),
  };
}
