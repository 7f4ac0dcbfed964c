import type {
  AuthorisationOutcome,
  CardGateway,
  EcommerceSale,
  EncryptedCard,
  LookupOutcome,
  OperationOutcome,
  PaymentStateOutcome,
  PostedCallback,
  SentOperation,
  VerificationFailure,
} from '@florin/backend/gateways/gateway.ts';
import { type Money, money } from '@florin/shared/money.ts';
import { describe, expect, test } from 'vitest';

/** The requests that are sent to a gateway. */
export const sendings = [
  'authoriseEcommerce',
  'authoriseCardPresent',
  'cancel',
  'refundSale',
  'refund',
  'lookup',
  'paymentState',
] as const;
export type Sending = (typeof sendings)[number];

/** Differences in what a reply repeats of its request, or in its code. */
const echoed = [
  'merchant_differs',
  'reference_differs',
  'operation_differs',
  'currency_differs',
  'amount_differs',
  /** An unlisted code that looks final. */
  'code_unrecognised',
] as const;
export type Echo = (typeof echoed)[number];

/** Faults of the reply to an operation that was carried out. */
export const distortions = [
  ...echoed,
  /** The genuine reply under an HTTP status other than 200. */
  'status',
  'malformed',
  'empty',
  /** Signed with another key. */
  'forged',
  /** The connection ends in the middle of the reply. */
  'cut',
  'lost',
] as const;
export type Distortion = (typeof distortions)[number];

/** Faults of the next operation. */
export type Fault =
  | Distortion
  /** The connection is refused. */
  | 'connection_refused'
  /** The request is sent and never carried out. */
  | 'request_lost'
  /** Nothing is carried out and no reply ever comes. */
  | 'no_reply'
  | 'declined';

/** An adapter and its own gateway, in which faults can be injected. */
export type GatewayUnderTest = {
  readonly gateway: CardGateway;
  readonly currency: string;
  readonly card: EcommerceSale['card'];
  readonly encryptedCard: EncryptedCard;
  /** Waits for an operation, and advances the time if the test controls it. */
  wait<Value>(operation: Promise<Value>): Promise<Value>;
  /** Injects the fault into the next operation; returns a function that removes it. */
  inject(fault: Fault, sending: Sending): Promise<() => Promise<void>>;
  /** Whether replies of this gateway lack this field, so that it cannot differ. */
  omitsField(field: Echo, sending: Sending): boolean;
  /** Requests whose replies are not signed, because their address is trusted; never those that move money. */
  readonly unsigned: readonly Extract<Sending, 'lookup' | 'paymentState'>[];
  /** Settles everything taken so far. */
  settle(): void;
  /** The merchant's balance in the gateway's ledger: taken, less voided and refunded. */
  heldMinor(): number;
  /** The callback that the gateway posts about this operation. */
  callbackOf(uniqueReference: string): Promise<PostedCallback>;
  /** The same callback, signed with another key. */
  forge(callback: PostedCallback): PostedCallback;
  close(): Promise<void>;
};

/** Each adapter has a file that opens it; the suite below applies to all of them. */
export type AdapterUnderTest = { readonly name: string; open(): Promise<GatewayUnderTest> };

/** One rule of the port: `check` throws if the gateway breaks it. */
export type GatewayCase = { readonly name: string; check(world: GatewayUnderTest): Promise<void> };

let references = 0;
const reference = () => `conformance-${process.pid}-${++references}`;

type Refund = ReturnType<Steps['aRefund']>;

/** The operations of a case on a gateway. */
class Steps {
  readonly world: GatewayUnderTest;

  constructor(world: GatewayUnderTest) {
    this.world = world;
  }

  get gateway(): CardGateway {
    return this.world.gateway;
  }

  get channel(): 'ecommerce' | 'cardPresent' {
    return this.gateway.capabilities.ecommerce ? 'ecommerce' : 'cardPresent';
  }

  amountOf(amountMinor: number): Money {
    return money(amountMinor, this.world.currency);
  }

  authorise(uniqueReference: string, amountMinor: number, channel = this.channel): Promise<AuthorisationOutcome> {
    const { card, encryptedCard } = this.world;
    const sale = { uniqueReference, amount: this.amountOf(amountMinor), invoiceNumber: 'INV-1' };
    return this.world.wait(
      channel === 'ecommerce'
        ? this.gateway.authoriseEcommerce({ ...sale, card }).then(outcome => {
            if (outcome.kind === 'three_d_secure') throw new Error('the card of the suite must need no check');
            return outcome;
          })
        : this.gateway.authoriseCardPresent({ ...sale, card: encryptedCard }),
    );
  }

  async aPayment(amountMinor: number) {
    const uniqueReference = reference();
    const outcome = await this.authorise(uniqueReference, amountMinor);
    if (outcome.kind !== 'approved') throw new Error(`the sale was ${JSON.stringify(outcome)}`);
    return { uniqueReference, gatewayReference: outcome.gatewayReference, outcome };
  }

  async aSettledPayment(amountMinor: number) {
    const payment = await this.aPayment(amountMinor);
    this.world.settle();
    return payment;
  }

  aRefund(payment: { gatewayReference: string }, amountMinor: number) {
    const { gatewayReference } = payment;
    const amount = this.amountOf(amountMinor);
    return { uniqueReference: reference(), gatewayReference, amount, invoiceNumber: 'INV-1' };
  }

  refundSale(refund: Refund): Promise<OperationOutcome> {
    return this.world.wait(this.gateway.refundSale(refund));
  }

  cancel(refund: Refund): Promise<OperationOutcome> {
    return this.world.wait(this.gateway.cancel(refund));
  }

  lookup(operation: SentOperation): Promise<LookupOutcome> {
    return this.world.wait(this.gateway.lookup({ ...operation, sentAt: Date.now(), channel: this.channel }));
  }

  async state(gatewayReference: string): Promise<string> {
    const answer = await this.world.wait(this.gateway.paymentState({ gatewayReference }));
    return answer.kind === 'found' ? answer.state : answer.kind;
  }

  /** Sends a request of this kind about a payment that allows it, after `arrange` has injected a fault. */
  async send(sending: Sending, arrange: () => Promise<unknown>): Promise<Sent> {
    switch (sending) {
      case 'authoriseEcommerce':
      case 'authoriseCardPresent': {
        await arrange();
        return this.authorise(reference(), 300, sending === 'authoriseEcommerce' ? 'ecommerce' : 'cardPresent');
      }
      case 'cancel': {
        const payment = await this.aPayment(300);
        await arrange();
        return this.cancel(this.aRefund(payment, 300));
      }
      case 'refundSale':
      case 'refund': {
        const refund = this.aRefund(await this.aSettledPayment(1000), 300);
        await arrange();
        return this.world.wait(this.gateway[sending](refund));
      }
      case 'lookup': {
        const refund = this.aRefund(await this.aSettledPayment(1000), 300);
        await this.refundSale(refund);
        await arrange();
        return this.lookup(sentRefund(refund));
      }
      case 'paymentState': {
        const { gatewayReference } = await this.aPayment(300);
        await arrange();
        return this.world.wait(this.gateway.paymentState({ gatewayReference }));
      }
    }
  }

  offers(sending: Sending): boolean {
    const { capabilities } = this.gateway;
    if (sending === 'authoriseEcommerce') return capabilities.ecommerce;
    if (sending === 'authoriseCardPresent') return capabilities.cardPresent;
    return sending !== 'lookup' || capabilities.lookupByUniqueReference;
  }

  async aPostedRefund() {
    const refund = this.aRefund(await this.aSettledPayment(1000), 300);
    await this.refundSale(refund);
    return { refund, posted: await this.world.callbackOf(refund.uniqueReference) };
  }

  read(posted: PostedCallback, sent: SentOperation) {
    return this.gateway.readCallback(posted, async named => (named === sent.uniqueReference ? sent : undefined));
  }
}

type Sent = AuthorisationOutcome | OperationOutcome | LookupOutcome | PaymentStateOutcome;

const sentRefund = ({ uniqueReference, gatewayReference, amount }: Refund): SentOperation => ({
  operation: 'refundSale',
  uniqueReference,
  gatewayReference,
  amount,
});

const operations: GatewayCase[] = [
  aCase('a sale takes its amount, and can be found by our reference', async steps => {
    const { world } = steps;
    const { uniqueReference, gatewayReference, outcome } = await steps.aPayment(1250);
    expect(outcome).toMatchObject({ amount: steps.amountOf(1250), card: { lastFour: expect.any(String) } });
    expect(world.heldMinor()).toBe(1250);
    expect(await steps.state(gatewayReference)).toBe('unsettled');
    if (!steps.offers('lookup')) return;
    const sent = { operation: 'authorise', uniqueReference, amount: steps.amountOf(1250) } as const;
    expect(await steps.lookup(sent)).toMatchObject({ kind: 'approved', gatewayReference });
  }),

  aCase('a declined sale takes nothing, and has a code', async steps => {
    await steps.world.inject('declined', steps.channel === 'ecommerce' ? 'authoriseEcommerce' : 'authoriseCardPresent');
    expect(await steps.authorise(reference(), 1250)).toMatchObject({
      kind: 'declined',
      code: expect.stringMatching(/./),
    });
    expect(steps.world.heldMinor()).toBe(0);
  }),

  aCase('an unsettled payment can be voided, and a settled one cannot', async steps => {
    const { world } = steps;
    const [one, other] = [await steps.aPayment(1000), await steps.aPayment(700)];
    expect(await steps.cancel(steps.aRefund(one, 1000))).toMatchObject({ kind: 'approved' });
    expect([world.heldMinor(), await steps.state(one.gatewayReference)]).toEqual([700, 'cancelled']);
    world.settle();
    expect(await steps.cancel(steps.aRefund(other, 700))).toMatchObject({ kind: 'declined' });
    expect([world.heldMinor(), await steps.state(other.gatewayReference)]).toEqual([700, 'settled']);
  }),

  aCase('a settled payment can be refunded in parts, each with its own reference', async steps => {
    const payment = await steps.aSettledPayment(1000);
    const outcomes = [
      await steps.refundSale(steps.aRefund(payment, 300)),
      await steps.refundSale(steps.aRefund(payment, 300)),
    ];
    const own = outcomes.map(outcome => (outcome.kind === 'approved' ? outcome.gatewayReference : outcome.kind));
    expect(new Set([...own, payment.gatewayReference]).size).toBe(3);
    expect(steps.world.heldMinor()).toBe(400);
  }),

  aCase('an unsettled payment cannot be refunded', async steps => {
    const payment = await steps.aPayment(1000);
    expect(await steps.refundSale(steps.aRefund(payment, 100))).toMatchObject({ kind: 'declined' });
    expect(steps.world.heldMinor()).toBe(1000);
  }),

  aCase('an uncapped refund may exceed its payment', async steps => {
    const payment = await steps.aSettledPayment(1000);
    expect(await steps.world.wait(steps.gateway.refund(steps.aRefund(payment, 5000)))).toMatchObject({
      kind: 'approved',
    });
    expect(steps.world.heldMinor()).toBe(-4000);
  }),

  aCase('a repeated reference moves no money twice', async steps => {
    const refund = steps.aRefund(await steps.aSettledPayment(1000), 200);
    await steps.refundSale(refund);
    await steps.refundSale(refund);
    expect(steps.world.heldMinor()).toBe(800);
  }),

  aCase('an unknown payment is not found', async steps => {
    expect(await steps.state('00000000AA00AA00AA00AAA')).toBe('notFound');
  }),

  aCase('an operation that the adapter does not offer is not sent', async steps => {
    const notSupported = { kind: 'notSent', cause: 'not_supported' };
    if (!steps.offers('authoriseEcommerce'))
      expect(await steps.authorise(reference(), 100, 'ecommerce')).toEqual(notSupported);
    if (!steps.offers('authoriseCardPresent'))
      expect(await steps.authorise(reference(), 100, 'cardPresent')).toEqual(notSupported);
    expect(steps.world.heldMinor()).toBe(0);
  }),

  ...[0, -1, 0.5, Number.NaN, 2 ** 53].map(amountMinor =>
    aCase(`an amount of ${amountMinor} is not sent`, async steps => {
      const payment = await steps.aSettledPayment(1000);
      const refused = { kind: 'notSent', cause: 'invalid_amount' };
      expect(await steps.authorise(reference(), amountMinor)).toEqual(refused);
      expect(await steps.refundSale(steps.aRefund(payment, amountMinor))).toEqual(refused);
      expect(steps.world.heldMinor()).toBe(1000);
    }),
  ),

  aCase('the connection can be tested without moving money', async steps => {
    await steps.aPayment(1000);
    const tests = await steps.world.wait(steps.gateway.testConnection());
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.filter(({ ok }) => !ok)).toEqual([]);
    expect(steps.world.heldMinor()).toBe(1000);
  }),
];

const isEcho = (fault: Fault): fault is Echo => echoed.some(echo => echo === fault);
export const isQuestion = (sending: Sending): sending is 'lookup' | 'paymentState' =>
  sending === 'lookup' || sending === 'paymentState';

/** Whether this gateway's replies cannot have the distortion, because they lack the field or the signature. */
export function isExempt(world: GatewayUnderTest, distortion: Distortion, sending: Sending): boolean {
  if (isEcho(distortion)) return world.omitsField(distortion, sending);
  return distortion === 'forged' && isQuestion(sending) && world.unsigned.includes(sending);
}

/** No reply with any distortion may count as approved, declined or not found. */
const doubtfulReplies: GatewayCase[] = sendings.flatMap(sending =>
  distortions.map(distortion =>
    aCase(`${sending}: a reply that is ${distortion.replaceAll('_', ' ')} decides nothing`, async steps => {
      const { world } = steps;
      if (!steps.offers(sending) || isExempt(world, distortion, sending)) return;
      const outcome = await steps.send(sending, () => world.inject(distortion, sending));
      expect(outcome.kind).toBe(isQuestion(sending) ? 'unanswered' : 'unknown');
    }),
  ),
);

const unknownOutcomes: GatewayCase[] = [
  ...(
    [
      ['lost', 700],
      ['forged', 700],
      ['amount_differs', 700],
      ['code_unrecognised', 700],
      ['request_lost', 1000],
      ['no_reply', 1000],
    ] as const
  ).map(([fault, heldMinor]) =>
    aCase(`a refund with the fault ${fault} can be looked up, which moves no money`, async steps => {
      const { world } = steps;
      const refund = steps.aRefund(await steps.aSettledPayment(1000), 300);
      await world.inject(fault, 'refundSale');
      expect(await steps.refundSale(refund)).toMatchObject({ kind: 'unknown' });
      expect(world.heldMinor()).toBe(heldMinor);
      if (steps.offers('lookup')) {
        const found = heldMinor === 700 ? 'approved' : 'notFound';
        expect((await steps.lookup(sentRefund(refund))).kind).toBe(found);
        expect((await steps.lookup(sentRefund(refund))).kind).toBe(found);
      }
      expect(world.heldMinor()).toBe(heldMinor);
    }),
  ),

  aCase('a refund whose connection is refused was not sent, and may be sent later', async steps => {
    const refund = steps.aRefund(await steps.aSettledPayment(1000), 300);
    const end = await steps.world.inject('connection_refused', 'refundSale');
    expect(await steps.refundSale(refund)).toEqual({ kind: 'notSent', cause: 'connection_refused' });
    await end();
    expect(await steps.refundSale(refund)).toMatchObject({ kind: 'approved' });
    expect(steps.world.heldMinor()).toBe(700);
  }),
];

const callbacks: GatewayCase[] = [
  callbackRule('reports the outcome of its operation', async steps => {
    const { refund, posted } = await steps.aPostedRefund();
    expect(await steps.read(posted, sentRefund(refund))).toMatchObject({
      kind: 'outcome',
      uniqueReference: refund.uniqueReference,
      outcome: { kind: 'approved' },
    });
  }),

  callbackRule('about an unknown operation is not ours', async steps => {
    const { posted, refund } = await steps.aPostedRefund();
    const other = { ...sentRefund(refund), uniqueReference: 'another' };
    expect(await steps.read(posted, other)).toEqual({ kind: 'not_ours' });
  }),

  ...(
    [
      ['of another operation', sent => ({ ...sent, operation: 'refund' }), 'operation_differs'],
      ['of another amount', sent => ({ ...sent, amount: { ...sent.amount, amountMinor: 301 } }), 'amount_differs'],
      ['in another currency', sent => ({ ...sent, amount: { ...sent.amount, currency: 'JPY' } }), 'currency_differs'],
    ] satisfies [string, (sent: SentOperation) => SentOperation, VerificationFailure][]
  ).map(([name, change, reason]) =>
    callbackRule(`${name} than was sent is rejected with the reason`, async steps => {
      const { posted, refund } = await steps.aPostedRefund();
      expect(await steps.read(posted, change(sentRefund(refund)))).toMatchObject({
        kind: 'rejected',
        reason,
        claimed: { uniqueReference: refund.uniqueReference, approved: true },
      });
    }),
  ),

  callbackRule('with a wrong signature is rejected', async steps => {
    const { posted, refund } = await steps.aPostedRefund();
    expect(await steps.read(steps.world.forge(posted), sentRefund(refund))).toMatchObject({
      kind: 'rejected',
      reason: 'bad_signature',
    });
  }),
];

/** The rules of the port. Those for capabilities that an adapter lacks are skipped. */
export const gatewayCases: readonly GatewayCase[] = [
  ...operations,
  ...doubtfulReplies,
  ...unknownOutcomes,
  ...callbacks,
];

/** Runs all rules on an adapter. */
export function gatewaySuite({ name, open }: AdapterUnderTest): void {
  describe(`the gateway ${name}`, () => {
    test.each(gatewayCases.map(({ name: rule, check }) => [rule, check] as const))('%s', (_, check) =>
      inWorld(open, check),
    );
  });
}

/** Runs one case with a newly opened gateway. */
export async function inWorld(open: AdapterUnderTest['open'], check: GatewayCase['check']): Promise<void> {
  const world = await open();
  try {
    await check(world);
  } finally {
    await world.close();
  }
}

function aCase(name: string, check: (steps: Steps) => Promise<void>): GatewayCase {
  return { name, check: world => check(new Steps(world)) };
}

function callbackRule(name: string, check: (steps: Steps) => Promise<void>): GatewayCase {
  return aCase(`a callback ${name}`, async steps => {
    if (steps.gateway.capabilities.callbacks) await check(steps);
  });
}
