import type { CardGateway, LookupOutcome, OperationOutcome } from '@florin/backend/gateways/gateway.ts';
import { expect, test } from 'vitest';
import { cardstreamUnderTest } from './cardstream.ts';
import { modelUnderTest } from './model.ts';
import {
  type Distortion,
  distortions,
  type GatewayUnderTest,
  gatewayCases,
  inWorld,
  isExempt,
  isQuestion,
  type Sending,
  sendings,
} from './suite.ts';

/** An adapter that breaks one rule; the suite has to notice every one of them. */
type Defect = { readonly name: string; readonly breaks: (world: GatewayUnderTest) => Partial<CardGateway> };

const approval = { kind: 'approved', gatewayReference: 'x', message: 'APPROVED', authorisationCode: '1' } as const;
const decline = { kind: 'declined', code: '5', message: 'DECLINED' } as const;

/** Takes what is doubtful for a fact. */
const doubtfulReplyDefects: Defect[] = sendings.flatMap(sending =>
  (
    [approval, decline, isQuestion(sending) ? { kind: 'notFound' } : { kind: 'notSent', cause: 'no_route' }] as const
  ).map(assumed => ({
    name: `${sending} takes a doubtful reply for ${assumed.kind}`,
    breaks: ({ gateway }) => withOutcome(gateway, sending, outcome => (isDoubtful(outcome) ? assumed : outcome)),
  })),
);

const otherDefects: Defect[] = [
  {
    name: 'sends a refund again when its reply is lost',
    breaks: ({ gateway }) => ({
      refundSale: async request => {
        const outcome = await gateway.refundSale(request);
        if (outcome.kind !== 'unknown') return outcome;
        return gateway.refundSale({ ...request, uniqueReference: `${request.uniqueReference}-2` });
      },
    }),
  },
  {
    name: 'makes a reference of its own for every sending',
    breaks: ({ gateway }) => {
      let sent = 0;
      return {
        refundSale: request =>
          gateway.refundSale({ ...request, uniqueReference: `${request.uniqueReference}-${++sent}` }),
      };
    },
  },
  {
    name: 'gives a refund the reference of its payment',
    breaks: ({ gateway }) => ({
      refundSale: async request => {
        const outcome = await gateway.refundSale(request);
        return outcome.kind === 'approved' ? { ...outcome, gatewayReference: request.gatewayReference } : outcome;
      },
    }),
  },
  { name: 'approves voids without asking', breaks: () => ({ cancel: async () => approval }) },
  {
    name: 'voids where a refund is asked for',
    breaks: ({ gateway }) => ({ refundSale: request => gateway.cancel(request) }),
  },
  {
    name: 'caps an uncapped refund',
    breaks: ({ gateway }) => ({ refund: request => gateway.refundSale(request) }),
  },
  {
    name: 'finds nothing when asked',
    breaks: () => ({ lookup: async () => ({ kind: 'notFound' }) }),
  },
  {
    name: 'sends again instead of asking',
    breaks: ({ gateway }) => ({
      lookup: async ({ operation, gatewayReference = '', ...sent }) => {
        const request = {
          ...sent,
          uniqueReference: `${sent.uniqueReference}-asked`,
          gatewayReference,
          invoiceNumber: '1',
        };
        return operation === 'refundSale' ? asLookup(await gateway.refundSale(request)) : { kind: 'notFound' };
      },
    }),
  },
  {
    name: 'calls an unknown payment unsettled',
    breaks: () => ({ paymentState: async () => ({ kind: 'found', state: 'unsettled', receivedMinor: 1 }) }),
  },
  {
    name: 'passes any amount on',
    breaks: ({ gateway }) => ({
      refundSale: async request =>
        request.amount.amountMinor > 0 ? gateway.refundSale(request) : { kind: 'unknown', cause: 'malformed' },
    }),
  },
  {
    name: 'believes callbacks whoever signed them',
    breaks: ({ gateway }) => ({
      readCallback: async (posted, find) => {
        const reading = await gateway.readCallback(posted, find);
        if (reading.kind !== 'rejected' || reading.reason !== 'bad_signature') return reading;
        return { kind: 'outcome', uniqueReference: reading.claimed.uniqueReference ?? '', outcome: approval };
      },
    }),
  },
  ...(['operation_differs', 'amount_differs', 'currency_differs'] as const).map(
    (uncheckedDistortions): Defect => ({
      name: `believes a callback in which ${uncheckedDistortions.replace('_', ' ')}`,
      breaks: ({ gateway }) => ({
        readCallback: async (posted, find) => {
          const reading = await gateway.readCallback(posted, find);
          if (reading.kind !== 'rejected' || reading.reason !== uncheckedDistortions) return reading;
          return { kind: 'outcome', uniqueReference: reading.claimed.uniqueReference ?? '', outcome: approval };
        },
      }),
    }),
  ),
  {
    name: 'takes every callback for its own',
    breaks: () => ({ readCallback: async () => ({ kind: 'undecided', uniqueReference: 'x', cause: 'in_progress' }) }),
  },
  {
    name: 'calls itself healthy without asking anything',
    breaks: () => ({ testConnection: async () => [] }),
  },
  {
    name: 'hides why a decline was one',
    breaks: ({ gateway }) => {
      const coded = async <Outcome extends { kind: string }>(outcome: Promise<Outcome>) => {
        const known = await outcome;
        return known.kind === 'declined' ? { ...known, code: '' } : known;
      };
      return {
        authoriseCardPresent: request => coded(gateway.authoriseCardPresent(request)),
        authoriseEcommerce: request => coded(gateway.authoriseEcommerce(request)),
      };
    },
  },
];

type Outcome = { readonly kind: string; readonly cause?: string };
const isDoubtful = ({ kind }: Outcome) => kind === 'unknown' || kind === 'unanswered';

function withOutcome(gateway: CardGateway, sending: Sending, change: (outcome: Outcome) => unknown) {
  const call = gateway[sending] as (request: never) => Promise<Outcome>;
  return { [sending]: async (request: never) => change(await call.call(gateway, request)) } as Partial<CardGateway>;
}

function asLookup(outcome: OperationOutcome): LookupOutcome {
  if (outcome.kind === 'approved' || outcome.kind === 'declined') return outcome;
  return { kind: 'unanswered', cause: outcome.cause };
}

/** The first case a broken adapter fails; undefined where the suite lets it pass. */
async function firstFailedCase(open: () => Promise<GatewayUnderTest>, { breaks }: Defect, cases = gatewayCases) {
  for (const { name, check } of cases) {
    try {
      // One world after the other, until one of them shows it.
      // oxlint-disable-next-line no-await-in-loop
      await inWorld(async () => {
        const world = await open();
        return { ...world, gateway: { ...world.gateway, ...breaks(world) } };
      }, check);
    } catch {
      return name;
    }
  }
  return undefined;
}

test.each([
  ...doubtfulReplyDefects.map(defect => [defect.name, modelUnderTest, defect] as const),
  ...otherDefects.map(defect => [defect.name, () => cardstreamUnderTest(), defect] as const),
])('an adapter that %s does not pass', async (_, open, defect) => {
  expect(await firstFailedCase(open, defect)).toBeTypeOf('string');
});

/** The purpose of each check of Cardstream's adapter: without it one invalid reply is accepted. */
const uncheckedDistortions = sendings.flatMap(sending => distortions.map(distortion => ({ sending, distortion })));

test.each(uncheckedDistortions.map(one => [`${one.distortion} in the reply to ${one.sending}`, one] as const))(
  'an adapter over HTTP that overlooks %s does not pass',
  async (_, { sending, distortion }) => {
    const world = await cardstreamUnderTest();
    const isExpected = !isExempt(world, distortion, sending);
    await world.close();
    const cases = gatewayCases.filter(({ name }) => name === nameOf(sending, distortion));
    expect(cases).toHaveLength(1);
    const defect: Defect = {
      name: '',
      breaks: ({ gateway }) => withOutcome(gateway, sending, outcome => (isDoubtful(outcome) ? approval : outcome)),
    };
    expect((await firstFailedCase(() => cardstreamUnderTest(), defect, cases)) !== undefined).toBe(isExpected);
  },
);

const nameOf = (sending: Sending, distortion: Distortion) =>
  `${sending}: a reply that is ${distortion.replaceAll('_', ' ')} decides nothing`;
