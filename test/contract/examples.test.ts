import { apiDocuments, documentOf } from '@florin/backend/foundation/http/description/openapi.ts';
import { verifyWebhook } from '@florin/client/webhooks.ts';
import { webhookBody } from '@florin/shared/contracts/api-v1/webhooks.ts';
import { type AnyContract, jsonSchemaOf } from '@florin/shared/contracts/contract.ts';
import { operations } from '@florin/shared/contracts/operations.ts';
import { problem, ucpProblem } from '@florin/shared/contracts/problem.ts';
import { createParser } from 'eventsource-parser';
import { expect, test } from 'vitest';

type Media = { readonly example?: unknown; readonly examples?: Readonly<Record<string, { readonly value: unknown }>> };
type Content = {
  readonly $ref?: string;
  readonly content?: {
    readonly 'application/json'?: Media;
    readonly 'text/event-stream'?: { readonly example?: string };
  };
};
type Described = { readonly requestBody?: Content; readonly responses: Readonly<Record<string, Content>> };
type Parameter = { readonly name: string; readonly schema: { readonly example?: string; readonly const?: string } };
type Document = {
  readonly components: { readonly responses: Readonly<Record<string, Content>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly webhooks: Readonly<
    Record<string, { readonly post: Described & { readonly parameters: readonly Parameter[] } }>
  >;
};

const documents = Object.entries(apiDocuments(operations)).map(([path, text]) => ({
  prefix: path.replace('openapi.json', ''),
  document: JSON.parse(text()) as Document,
}));
const described = documents
  .filter(({ prefix }) => prefix !== '/device/v1/')
  .flatMap(({ prefix, document }) =>
    operations
      .filter(contract => `${documentOf(contract)}/` === prefix)
      .map(contract => {
        const operation = document.paths[contract.path]?.[contract.method.toLowerCase()] as Described;
        const responses = Object.entries(operation.responses).map(([status, { $ref, ...response }]) => {
          const shared = document.components.responses[$ref?.split('/').at(-1) ?? ''];
          return [status, shared ?? response] as const;
        });
        return { name: contract.name, contract, operation: { ...operation, responses: Object.fromEntries(responses) } };
      }),
  );

test.each(described)(
  '$name has a complete example of each successful response, which matches its contract',
  ({ contract, operation }) => {
    for (const status of Object.keys(contract.responses).map(Number)) {
      const schema = jsonSchemaOf(contract, status);
      if (!schema) continue;
      const example = operation.responses[status]?.content?.['application/json']?.example;
      expect([status, schema.safeParse(example).error?.issues]).toEqual([status, undefined]);
      expect(schema.parse(example)).toEqual(example);
    }
  },
);

test('the examples of a request and its response agree', () => {
  const of = (name: string) => {
    const operation = described.find(one => one.name === name)?.operation;
    const shown = (content?: Content) => content?.content?.['application/json']?.example;
    return { request: shown(operation?.requestBody), response: shown(operation?.responses[201]) };
  };
  const pairs = [
    ['createStaff', { name: 'Ada' }, { staff: { name: 'Ada' } }],
    ['createWebhook', { description: 'Order system' }, { description: 'Order system' }],
    ['createTipLink', { minimumSats: 100 }, { minimumSats: 100, maximumSats: 1_000_000 }],
    ['createCardRefund', { kind: 'REFUND_SALE', amountInCents: 500 }, { kind: 'REFUND_SALE', amountInCents: 500 }],
  ] as const;
  for (const [name, request, response] of pairs) expect(of(name), name).toMatchObject({ request, response });
  const permissions = ['take-payments:write', 'sales:read'];
  const apiKey = { preset: 'CUSTOM', permissions };
  expect(of('createApiKey')).toMatchObject({ request: apiKey, response: apiKey });
  for (const name of ['cancelCheckout', 'createBitcoinRefund'])
    expect(Object.values(of(name).request ?? {}), name).not.toContain('text');
});

test.each(described)(
  '$name has an example of each of its errors, in the shape of its API',
  ({ contract, operation }) => {
    const statuses = Object.keys(operation.responses).filter(
      status => status.startsWith('4') || status.startsWith('5'),
    );
    for (const status of statuses) {
      const examples = Object.values(operation.responses[status]?.content?.['application/json']?.examples ?? {});
      expect([status, examples.length > 0]).toEqual([status, true]);
      if (contract.errorShape === 'ucp') {
        const codes = examples.map(({ value }) => ucpProblem.strict().parse(value).code);
        expect(codes).toEqual(expect.arrayContaining([...(contract.errors[Number(status)] ?? [])]));
        continue;
      }
      for (const { value } of examples) expect(problem.parse(value).error.code).toBe(Number(status));
      const reasons = examples.map(({ value }) => problem.parse(value).error.metadata?.reason);
      expect(reasons).toEqual(expect.arrayContaining([...(contract.errors[Number(status)] ?? [])]));
    }
  },
);

const streams = described.filter(({ contract }) => contract.responses[200]?.kind === 'eventStream');
test.each(streams)('$name has an example of each of its events', ({ contract, operation }) => {
  const declared = contract.responses[200];
  if (declared?.kind !== 'eventStream') throw new Error('no stream');
  const received: string[] = [];
  const parser = createParser({
    onEvent({ event = '', data }) {
      expect(declared.events[event]?.safeParse(JSON.parse(data)).error?.issues).toBeUndefined();
      received.push(event);
    },
  });
  parser.feed(operation.responses[200]?.content?.['text/event-stream']?.example ?? '');
  expect(received).toEqual(Object.keys(declared.events));
});

const withBody = described.filter(({ operation }) => operation.requestBody?.content?.['application/json']);
test.each(withBody)('$name has an example of a request that its contract accepts', ({ contract, operation }) => {
  const example = operation.requestBody?.content?.['application/json']?.example;
  expect(example).toBeDefined();
  expect((contract as AnyContract).body.safeParse(example).error?.issues).toBeUndefined();
});

const [{ document: main } = documents[0] as never] = documents.filter(({ prefix }) => prefix === '/api/v1/');
test.each(Object.entries(main.webhooks))(
  'the example of the webhook %s has a valid signature',
  async (event, { post }) => {
    const body = webhookBody.parse(post.requestBody?.content?.['application/json']?.example);
    expect(body.eventType).toBe(event);
    const headers = Object.fromEntries(
      post.parameters.map(({ name, schema }) => [name, schema.example ?? schema.const]),
    );
    const clock = { now: () => Number(headers['X-Webhook-Timestamp']) * 1_000 };
    const options = { secrets: ['whsec_example'], clock };
    expect(await verifyWebhook({ headers, rawBody: JSON.stringify(body) }, options)).toMatchObject({ ok: true });
  },
);
