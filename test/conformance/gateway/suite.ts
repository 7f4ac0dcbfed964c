import type {
  AuthorisationOutcome,
  CardGateway,
  EcommerceSale,
  EncryptedCard,
  SentOperation,
  VerificationFailure,
} from '@florin/backend/gateways/gateway.ts';
import { type Money, money } from '@florin/shared/money.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** What may go wrong with the next operation. */
export type Trouble =
  /** Nobody listens. */
  | 'connection_refused'
  /** It leaves and is never carried out. */
  | 'request_lost'
  /** It is carried out and its reply is lost. */
  | 'reply_lost'
  /** Nothing is carried out and no reply ever comes. */
  | 'no_reply'
  /** It is carried out and its reply is signed by somebody else. */
  | 'reply_forged'
  /** It is carried out and its reply, properly signed, is about another amount. */
  | 'reply_differs'
  /** It is carried out and its reply, properly signed, has a code on no list and looks final. */
  | 'code_unrecognised'
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
  meet(trouble: Trouble): Promise<() => Promise<void>>;
  /** Everything taken so far settles. */
  settle(): void;
  /** What the merchant holds by the gateway's own books: taken, less voided and given back. */
  heldMinor(): number;
  /** What the gateway posts about this operation. */
  callbackOf(uniqueReference: string): Promise<string>;
  /** The same callback, signed by somebody else. */
  forge(callback: string): string;
  close(): Promise<void>;
};

/** One file per adapter says how to open it; everything below holds for each. */
export type AdapterUnderTest = { readonly name: string; open(): Promise<GatewayUnderTest> };

let references = 0;
const reference = () => `conformance-${process.pid}-${++references}`;

/** The rules of the port, as far as the adapter's declared capabilities reach. */
export function gatewaySuite({ name, open }: AdapterUnderTest): void {
  describe(`the gateway ${name}`, () => {
    let world: GatewayUnderTest;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());

    const amountOf = (amountMinor: number): Money => money(amountMinor, world.currency);

    function authorise(uniqueReference: string, amountMinor: number): Promise<AuthorisationOutcome> {
      const { gateway, card, encryptedCard } = world;
      const sale = { uniqueReference, amount: amountOf(amountMinor), invoiceNumber: 'INV-1' };
      return world.wait(
        gateway.capabilities.ecommerce
          ? gateway.authoriseEcommerce({ ...sale, card }).then(outcome => {
              if (outcome.kind === 'three_d_secure') throw new Error('the card of the suite must need no check');
              return outcome;
            })
          : gateway.authoriseCardPresent({ ...sale, card: encryptedCard }),
      );
    }

    const channel = () => (world.gateway.capabilities.ecommerce ? ('ecommerce' as const) : ('cardPresent' as const));
    const lookup = (operation: SentOperation) =>
      world.wait(world.gateway.lookup({ ...operation, sentAt: Date.now(), channel: channel() }));

    async function aPayment(amountMinor: number) {
      const uniqueReference = reference();
      const outcome = await authorise(uniqueReference, amountMinor);
      if (outcome.kind !== 'approved') throw new Error(`the sale was ${JSON.stringify(outcome)}`);
      return { uniqueReference, gatewayReference: outcome.gatewayReference, outcome };
    }

    async function aSettledPayment(amountMinor: number) {
      const payment = await aPayment(amountMinor);
      world.settle();
      return payment;
    }

    function aRefund(payment: { gatewayReference: string }, amountMinor: number) {
      const { gatewayReference } = payment;
      return { uniqueReference: reference(), gatewayReference, amount: amountOf(amountMinor), invoiceNumber: 'INV-1' };
    }

    const refundSale = (refund: ReturnType<typeof aRefund>) => world.wait(world.gateway.refundSale(refund));
    const sentRefund = ({ uniqueReference, gatewayReference, amount }: ReturnType<typeof aRefund>): SentOperation => ({
      operation: 'refundSale',
      uniqueReference,
      gatewayReference,
      amount,
    });
    const state = async (gatewayReference: string) => {
      const answer = await world.wait(world.gateway.paymentState({ gatewayReference }));
      return answer.kind === 'found' ? answer.state : answer.kind;
    };

    describe('operations', () => {
      test('a sale takes what it asks for, and can be found by our reference', async () => {
        const payment = await aPayment(1250);
        expect(payment.outcome).toMatchObject({ amount: amountOf(1250), card: { lastFour: expect.any(String) } });
        expect(world.heldMinor()).toBe(1250);
        expect(await state(payment.gatewayReference)).toBe('unsettled');
        if (!world.gateway.capabilities.lookupByUniqueReference) return;
        const sent = {
          operation: 'authorise',
          uniqueReference: payment.uniqueReference,
          amount: amountOf(1250),
        } as const;
        expect(await lookup(sent)).toMatchObject({ kind: 'approved', gatewayReference: payment.gatewayReference });
      });

      test('a declined sale takes nothing, and names a code', async () => {
        await world.meet('declined');
        expect(await authorise(reference(), 1250)).toMatchObject({
          kind: 'declined',
          code: expect.stringMatching(/./),
        });
        expect(world.heldMinor()).toBe(0);
      });

      test('an unsettled payment is voided, a settled one no more', async () => {
        const [one, other] = [await aPayment(1000), await aPayment(700)];
        expect(await world.wait(world.gateway.cancel(aRefund(one, 1000)))).toMatchObject({ kind: 'approved' });
        expect([world.heldMinor(), await state(one.gatewayReference)]).toEqual([700, 'cancelled']);
        world.settle();
        expect(await world.wait(world.gateway.cancel(aRefund(other, 700)))).toMatchObject({ kind: 'declined' });
        expect([world.heldMinor(), await state(other.gatewayReference)]).toEqual([700, 'settled']);
      });

      test('a settled payment is refunded in parts, each under a reference of its own', async () => {
        const payment = await aSettledPayment(1000);
        const outcomes = [await refundSale(aRefund(payment, 300)), await refundSale(aRefund(payment, 300))];
        const own = outcomes.map(outcome => (outcome.kind === 'approved' ? outcome.gatewayReference : outcome.kind));
        expect(new Set([...own, payment.gatewayReference]).size).toBe(3);
        expect(world.heldMinor()).toBe(400);
      });

      test('an unsettled payment is not refunded', async () => {
        const payment = await aPayment(1000);
        expect(await refundSale(aRefund(payment, 100))).toMatchObject({ kind: 'declined' });
        expect(world.heldMinor()).toBe(1000);
      });

      test('an uncapped refund may exceed its payment', async () => {
        const payment = await aSettledPayment(1000);
        expect(await world.wait(world.gateway.refund(aRefund(payment, 5000)))).toMatchObject({ kind: 'approved' });
        expect(world.heldMinor()).toBe(-4000);
      });

      test('the same reference sent again moves nothing twice', async () => {
        const payment = await aSettledPayment(1000);
        const refund = aRefund(payment, 200);
        await refundSale(refund);
        await refundSale(refund);
        expect(world.heldMinor()).toBe(800);
      });

      test('a payment nobody made is not found', async () => {
        expect(await state('00000000AA00AA00AA00AAA')).toBe('notFound');
      });

      test('what is not offered is not sent', async () => {
        const { gateway, card, encryptedCard } = world;
        const sale = { uniqueReference: reference(), amount: amountOf(100), invoiceNumber: 'INV-1' };
        if (!gateway.capabilities.ecommerce)
          expect(await gateway.authoriseEcommerce({ ...sale, card })).toEqual({
            kind: 'notSent',
            cause: 'not_supported',
          });
        if (!gateway.capabilities.cardPresent)
          expect(await gateway.authoriseCardPresent({ ...sale, card: encryptedCard })).toEqual({
            kind: 'notSent',
            cause: 'not_supported',
          });
        expect(world.heldMinor()).toBe(0);
      });

      test.each([0, -1, 0.5, Number.NaN, 2 ** 53])('an amount of %s reaches nobody', async amountMinor => {
        const payment = await aSettledPayment(1000);
        const refused = { kind: 'notSent', cause: 'invalid_amount' };
        expect(await authorise(reference(), amountMinor)).toEqual(refused);
        expect(await refundSale(aRefund(payment, amountMinor))).toEqual(refused);
        expect(world.heldMinor()).toBe(1000);
      });
    });

    describe('an operation that', () => {
      test.each<[Trouble, number]>([
        ['reply_lost', 700],
        ['reply_forged', 700],
        ['reply_differs', 700],
        ['code_unrecognised', 700],
        ['request_lost', 1000],
        ['no_reply', 1000],
      ])(
        'meets %s is unknown, and asking finds what became of it without moving anything',
        async (trouble, heldMinor) => {
          const payment = await aSettledPayment(1000);
          const refund = aRefund(payment, 300);
          await world.meet(trouble);
          expect(await refundSale(refund)).toMatchObject({ kind: 'unknown' });
          expect(world.heldMinor()).toBe(heldMinor);
          if (world.gateway.capabilities.lookupByUniqueReference) {
            const found = heldMinor === 700 ? 'approved' : 'notFound';
            expect((await lookup(sentRefund(refund))).kind).toBe(found);
            expect((await lookup(sentRefund(refund))).kind).toBe(found);
          }
          expect(world.heldMinor()).toBe(heldMinor);
        },
      );

      test('finds nobody was not sent, and may be sent later', async () => {
        const payment = await aSettledPayment(1000);
        const refund = aRefund(payment, 300);
        const end = await world.meet('connection_refused');
        expect(await refundSale(refund)).toEqual({ kind: 'notSent', cause: 'connection_refused' });
        await end();
        expect(await refundSale(refund)).toMatchObject({ kind: 'approved' });
        expect(world.heldMinor()).toBe(700);
      });
    });

    describe('a callback', () => {
      async function aPostedRefund() {
        const payment = await aSettledPayment(1000);
        const refund = aRefund(payment, 300);
        await refundSale(refund);
        return { refund, body: await world.callbackOf(refund.uniqueReference) };
      }
      const read = (body: string, sent: SentOperation) =>
        world.gateway.readCallback(body, async named => (named === sent.uniqueReference ? sent : undefined));

      test('tells the outcome of the operation it names', async ({ skip }) => {
        skip(!world.gateway.capabilities.callbacks);
        const { refund, body } = await aPostedRefund();
        expect(await read(body, sentRefund(refund))).toMatchObject({
          kind: 'outcome',
          uniqueReference: refund.uniqueReference,
          outcome: { kind: 'approved' },
        });
      });

      test('about nothing of ours says nothing', async ({ skip }) => {
        skip(!world.gateway.capabilities.callbacks);
        const { body, refund } = await aPostedRefund();
        expect(await read(body, { ...sentRefund(refund), uniqueReference: 'another' })).toEqual({ kind: 'not_ours' });
      });

      test.each<[string, (sent: SentOperation) => SentOperation, VerificationFailure]>([
        ['of another operation', sent => ({ ...sent, operation: 'refund' }), 'operation_differs'],
        ['of another amount', sent => ({ ...sent, amount: { ...sent.amount, amountMinor: 301 } }), 'amount_differs'],
        ['in another currency', sent => ({ ...sent, amount: { ...sent.amount, currency: 'JPY' } }), 'currency_differs'],
      ])('%s than was sent is rejected, and says why', async (_, change, reason) => {
        if (!world.gateway.capabilities.callbacks) return;
        const { body, refund } = await aPostedRefund();
        expect(await read(body, change(sentRefund(refund)))).toMatchObject({
          kind: 'rejected',
          reason,
          claimed: { uniqueReference: refund.uniqueReference, approved: true },
        });
      });

      test('that somebody else signed is rejected', async ({ skip }) => {
        skip(!world.gateway.capabilities.callbacks);
        const { body, refund } = await aPostedRefund();
        expect(await read(world.forge(body), sentRefund(refund))).toMatchObject({
          kind: 'rejected',
          reason: 'bad_signature',
        });
      });
    });

    test('the connection can be tested without moving anything', async () => {
      await aPayment(1000);
      const tests = await world.wait(world.gateway.testConnection());
      expect(tests.length).toBeGreaterThan(0);
      expect(tests.filter(({ ok }) => !ok)).toEqual([]);
      expect(world.heldMinor()).toBe(1000);
    });
  });
}
