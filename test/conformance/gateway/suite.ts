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

/** What is sent to a gateway. */
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

/** What a reply repeats of its request, or the code it gives. */
const echoed = [
  'merchant_differs',
  'reference_differs',
  'operation_differs',
  'currency_differs',
  'amount_differs',
  /** A code on no list that looks final. */
  'code_unrecognised',
] as const;
export type Echo = (typeof echoed)[number];

/** Its reply, correctly signed, is about another operation or inconsistent. It was carried out. */
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

/** What may go wrong with the next operation. */
export type Fault =
  | Distortion
  /** The connection is refused. */
  | 'connection_refused'
  /** It leaves and is never carried out. */
  | 'request_lost'
  /** Nothing is carried out and no reply ever comes. */
  | 'no_reply'
  | 'declined';

/** An adapter over a gateway of its own, where anything can be made to go wrong. */
export type GatewayUnderTest = {
  readonly gateway: CardGateway;
  readonly currency: string;
  readonly card: EcommerceSale['card'];
  readonly encryptedCard: EncryptedCard;
  /** Lets an operation come to its end, where time is the test's own. */
  wait<Value>(operation: Promise<Value>): Promise<Value>;
  /** Lays it for the next operation; what it answers takes it back. */
  inject(fault: Fault, sending: Sending): Promise<() => Promise<void>>;
  /** What replies of this gateway do not repeat, so that they cannot differ in it either. */
  omitsField(field: Echo, sending: Sending): boolean;
  /** Fields that no signature covers, because their address is trusted; never those that move money. */
  readonly unsigned: readonly Extract<Sending, 'lookup' | 'paymentState'>[];
  /** Everything taken so far settles. */
  settle(): void;
  /** The merchant's balance in the gateway's ledger: taken, less voided and refunded. */
  heldMinor(): number;
  /** What the gateway posts about this operation. */
  callbackOf(uniqueReference: string): Promise<PostedCallback>;
  /** The same callback, signed with another key. */
  forge(callback: PostedCallback): PostedCallback;
  close(): Promise<void>;
};

/** One file per adapter says how to open it; everything below holds for each. */
export type AdapterUnderTest = { readonly name: string; open(): Promise<GatewayUnderTest> };

/** One rule of the port: it throws where the gateway does not keep it. */
export type GatewayCase = { readonly name: string; check(world: GatewayUnderTest): Promise<void> };

let references = 0;
const reference = () => `conformance-${process.pid}-${++references}`;

type Refund = ReturnType<Hand['aRefund']>;

/** What every case does with a gateway. */
class Hand {
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

  /** One operation of each kind, on a payment that allows it, in whose way `lay` has put something. */
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
  aCase('a sale takes what it asks for, and can be found by our reference', async hand => {
    const { world } = hand;
    const { uniqueReference, gatewayReference, outcome } = await hand.aPayment(1250);
    expect(outcome).toMatchObject({ amount: hand.amountOf(1250), card: { lastFour: expect.any(String) } });
    expect(world.heldMinor()).toBe(1250);
    expect(await hand.state(gatewayReference)).toBe('unsettled');
    if (!hand.offers('lookup')) return;
    const sent = { operation: 'authorise', uniqueReference, amount: hand.amountOf(1250) } as const;
    expect(await hand.lookup(sent)).toMatchObject({ kind: 'approved', gatewayReference });
  }),

  aCase('a declined sale takes nothing, and names a code', async hand => {
    await hand.world.inject('declined', hand.channel === 'ecommerce' ? 'authoriseEcommerce' : 'authoriseCardPresent');
    expect(await hand.authorise(reference(), 1250)).toMatchObject({
      kind: 'declined',
      code: expect.stringMatching(/./),
    });
    expect(hand.world.heldMinor()).toBe(0);
  }),

  aCase('an unsettled payment is voided, a settled one no more', async hand => {
    const { world } = hand;
    const [one, other] = [await hand.aPayment(1000), await hand.aPayment(700)];
    expect(await hand.cancel(hand.aRefund(one, 1000))).toMatchObject({ kind: 'approved' });
    expect([world.heldMinor(), await hand.state(one.gatewayReference)]).toEqual([700, 'cancelled']);
    world.settle();
    expect(await hand.cancel(hand.aRefund(other, 700))).toMatchObject({ kind: 'declined' });
    expect([world.heldMinor(), await hand.state(other.gatewayReference)]).toEqual([700, 'settled']);
  }),

  aCase('a settled payment is refunded in parts, each under a reference of its own', async hand => {
    const payment = await hand.aSettledPayment(1000);
    const outcomes = [
      await hand.refundSale(hand.aRefund(payment, 300)),
      await hand.refundSale(hand.aRefund(payment, 300)),
    ];
    const own = outcomes.map(outcome => (outcome.kind === 'approved' ? outcome.gatewayReference : outcome.kind));
    expect(new Set([...own, payment.gatewayReference]).size).toBe(3);
    expect(hand.world.heldMinor()).toBe(400);
  }),

  aCase('an unsettled payment is not refunded', async hand => {
    const payment = await hand.aPayment(1000);
    expect(await hand.refundSale(hand.aRefund(payment, 100))).toMatchObject({ kind: 'declined' });
    expect(hand.world.heldMinor()).toBe(1000);
  }),

  aCase('an uncapped refund may exceed its payment', async hand => {
    const payment = await hand.aSettledPayment(1000);
    expect(await hand.world.wait(hand.gateway.refund(hand.aRefund(payment, 5000)))).toMatchObject({ kind: 'approved' });
    expect(hand.world.heldMinor()).toBe(-4000);
  }),

  aCase('the same reference sent again moves nothing twice', async hand => {
    const refund = hand.aRefund(await hand.aSettledPayment(1000), 200);
    await hand.refundSale(refund);
    await hand.refundSale(refund);
    expect(hand.world.heldMinor()).toBe(800);
  }),

  aCase('a payment nobody made is not found', async hand => {
    expect(await hand.state('00000000AA00AA00AA00AAA')).toBe('notFound');
  }),

  aCase('what is not offered is not sent', async hand => {
    const notSupported = { kind: 'notSent', cause: 'not_supported' };
    if (!hand.offers('authoriseEcommerce'))
      expect(await hand.authorise(reference(), 100, 'ecommerce')).toEqual(notSupported);
    if (!hand.offers('authoriseCardPresent'))
      expect(await hand.authorise(reference(), 100, 'cardPresent')).toEqual(notSupported);
    expect(hand.world.heldMinor()).toBe(0);
  }),

  ...[0, -1, 0.5, Number.NaN, 2 ** 53].map(amountMinor =>
    aCase(`an amount of ${amountMinor} reaches nobody`, async hand => {
      const payment = await hand.aSettledPayment(1000);
      const refused = { kind: 'notSent', cause: 'invalid_amount' };
      expect(await hand.authorise(reference(), amountMinor)).toEqual(refused);
      expect(await hand.refundSale(hand.aRefund(payment, amountMinor))).toEqual(refused);
      expect(hand.world.heldMinor()).toBe(1000);
    }),
  ),

  aCase('the connection can be tested without moving anything', async hand => {
    await hand.aPayment(1000);
    const tests = await hand.world.wait(hand.gateway.testConnection());
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.filter(({ ok }) => !ok)).toEqual([]);
    expect(hand.world.heldMinor()).toBe(1000);
  }),
];

const isEcho = (fault: Fault): fault is Echo => echoed.some(echo => echo === fault);
export const isQuestion = (sending: Sending): sending is 'lookup' | 'paymentState' =>
  sending === 'lookup' || sending === 'paymentState';

/** A reply cannot differ in what it never repeats; every other distortion applies to every gateway. */
export function isExempt(world: GatewayUnderTest, distortion: Distortion, sending: Sending): boolean {
  if (isEcho(distortion)) return world.omitsField(distortion, sending);
  return distortion === 'forged' && isQuestion(sending) && world.unsigned.includes(sending);
}

/** Every distortion of every reply: neither approved, declined nor missing on the word of it. */
const doubtfulReplies: GatewayCase[] = sendings.flatMap(sending =>
  distortions.map(distortion =>
    aCase(`${sending}: a reply that is ${distortion.replaceAll('_', ' ')} decides nothing`, async hand => {
      const { world } = hand;
      if (!hand.offers(sending) || isExempt(world, distortion, sending)) return;
      const outcome = await hand.send(sending, () => world.inject(distortion, sending));
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
    aCase(`a refund that meets ${fault} can be asked after, which moves nothing`, async hand => {
      const { world } = hand;
      const refund = hand.aRefund(await hand.aSettledPayment(1000), 300);
      await world.inject(fault, 'refundSale');
      expect(await hand.refundSale(refund)).toMatchObject({ kind: 'unknown' });
      expect(world.heldMinor()).toBe(heldMinor);
      if (hand.offers('lookup')) {
        const found = heldMinor === 700 ? 'approved' : 'notFound';
        expect((await hand.lookup(sentRefund(refund))).kind).toBe(found);
        expect((await hand.lookup(sentRefund(refund))).kind).toBe(found);
      }
      expect(world.heldMinor()).toBe(heldMinor);
    }),
  ),

  aCase('a refund that finds nobody was not sent, and may be sent later', async hand => {
    const refund = hand.aRefund(await hand.aSettledPayment(1000), 300);
    const end = await hand.world.inject('connection_refused', 'refundSale');
    expect(await hand.refundSale(refund)).toEqual({ kind: 'notSent', cause: 'connection_refused' });
    await end();
    expect(await hand.refundSale(refund)).toMatchObject({ kind: 'approved' });
    expect(hand.world.heldMinor()).toBe(700);
  }),
];

const callbacks: GatewayCase[] = [
  callbackRule('tells the outcome of the operation it names', async hand => {
    const { refund, posted } = await hand.aPostedRefund();
    expect(await hand.read(posted, sentRefund(refund))).toMatchObject({
      kind: 'outcome',
      uniqueReference: refund.uniqueReference,
      outcome: { kind: 'approved' },
    });
  }),

  callbackRule('about nothing of ours says nothing', async hand => {
    const { posted, refund } = await hand.aPostedRefund();
    const other = { ...sentRefund(refund), uniqueReference: 'another' };
    expect(await hand.read(posted, other)).toEqual({ kind: 'not_ours' });
  }),

  ...(
    [
      ['of another operation', sent => ({ ...sent, operation: 'refund' }), 'operation_differs'],
      ['of another amount', sent => ({ ...sent, amount: { ...sent.amount, amountMinor: 301 } }), 'amount_differs'],
      ['in another currency', sent => ({ ...sent, amount: { ...sent.amount, currency: 'JPY' } }), 'currency_differs'],
    ] satisfies [string, (sent: SentOperation) => SentOperation, VerificationFailure][]
  ).map(([name, change, reason]) =>
    callbackRule(`${name} than was sent is rejected, and says why`, async hand => {
      const { posted, refund } = await hand.aPostedRefund();
      expect(await hand.read(posted, change(sentRefund(refund)))).toMatchObject({
        kind: 'rejected',
        reason,
        claimed: { uniqueReference: refund.uniqueReference, approved: true },
      });
    }),
  ),

  callbackRule('that somebody else signed is rejected', async hand => {
    const { posted, refund } = await hand.aPostedRefund();
    expect(await hand.read(hand.world.forge(posted), sentRefund(refund))).toMatchObject({
      kind: 'rejected',
      reason: 'bad_signature',
    });
  }),
];

/** The rules of the port, as far as an adapter's declared capabilities reach. */
export const gatewayCases: readonly GatewayCase[] = [
  ...operations,
  ...doubtfulReplies,
  ...unknownOutcomes,
  ...callbacks,
];

/** Holds an adapter to them. */
export function gatewaySuite({ name, open }: AdapterUnderTest): void {
  describe(`the gateway ${name}`, () => {
    test.each(gatewayCases.map(({ name: rule, check }) => [rule, check] as const))('%s', (_, check) =>
      inWorld(open, check),
    );
  });
}

/** Runs one case in a world of its own. */
export async function inWorld(open: AdapterUnderTest['open'], check: GatewayCase['check']): Promise<void> {
  const world = await open();
  try {
    await check(world);
  } finally {
    await world.close();
  }
}

function aCase(name: string, check: (hand: Hand) => Promise<void>): GatewayCase {
  return { name, check: world => check(new Hand(world)) };
}

function callbackRule(name: string, check: (hand: Hand) => Promise<void>): GatewayCase {
  return aCase(`a callback ${name}`, async hand => {
    if (hand.gateway.capabilities.callbacks) await check(hand);
  });
}
