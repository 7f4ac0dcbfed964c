import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiDocuments } from '@florin/backend/foundation/http/description/openapi.ts';
import { operations } from '@florin/shared/contracts/operations.ts';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { breakingChanges, type Description } from './breaking-changes.ts';

const documents = Object.entries(apiDocuments(operations));
/** The descriptions last published: `npm run openapi -- --out test/contract/published` when an interface is released. */
const published = ['/api/v1', '/kiosk/v1'] as const;

test.each(documents)('a linter finds no fault in %s', async (path, text) => {
  const config = await createConfig({ extends: ['recommended'], rules: { 'info-license': 'off' } });
  const problems = await lintFromString({ source: text(), config, absoluteRef: path });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
});

test.each(published)('nothing in %s breaks integrations written for its published description', prefix => {
  const file = join(import.meta.dirname, 'published', `${prefix.slice(1).replace('/', '-')}.json`);
  const before = JSON.parse(readFileSync(file, 'utf8')) as Description;
  const text = documents.find(([path]) => path.startsWith(prefix))?.[1]() ?? '{}';
  expect(breakingChanges(before, JSON.parse(text) as Description)).toEqual([]);
});

describe('a breaking change', () => {
  const text = documents.find(([path]) => path.startsWith('/api/v1'))?.[1]() ?? '{}';
  type Change = readonly [at: readonly string[], value?: unknown];
  /** Returns the breaking changes of setting these places of the description, or removing those without a value. */
  const changed = (...changes: readonly Change[]) => {
    const after = JSON.parse(text) as Record<string, unknown>;
    for (const [at, value] of changes) {
      const holder = at.slice(0, -1).reduce((inner, name) => inner[name] as Record<string, unknown>, after);
      const last = at.at(-1) ?? '';
      if (value === undefined) delete holder[last];
      else holder[last] = value;
    }
    return breakingChanges(JSON.parse(text) as Description, after as Description);
  };
  const read = ['paths', '/api/v1/refunds/{id}', 'get'];
  const list = ['paths', '/api/v1/refunds', 'get'];
  const body = ['paths', '/api/v1/payment-link', 'post', 'requestBody', 'content', 'application/json', 'schema'];
  const record = ['components', 'schemas', 'Refund'];
  const needed = ['description', 'amountInCents', 'currency', 'colour'];

  test.each<[string, string, Change]>([
    ['an operation', 'GET /api/v1/refunds/{id} is gone', [read]],
    ['a response', 'GET /api/v1/refunds/{id} no longer answers 200', [[...read, 'responses', '200']]],
    ['a field', '.gatewayMessage is gone', [[...record, 'properties', 'gatewayMessage']]],
    ['the presence of a field', '.reason may be missing', [[...record, 'required'], []]],
    [
      'the type of a field',
      '.currency was string, is integer',
      [[...record, 'properties', 'currency', 'type'], 'integer'],
    ],
    ['an enum value', 'no longer has pending', [[...list, 'parameters'], withoutPending(text)]],
    ['a filter', 'no longer takes paymentId', [[...list, 'parameters'], []]],
    ['a new required field', 'body.colour is required', [[...body, 'required'], needed]],
    ['a permission', 'needs the permission "team:read"', [[...read, 'x-permissions'], ['team:read']]],
  ])('is noticed: %s', (_, line, change) => {
    expect(changed(change).join('\n')).toContain(line);
  });

  test('does not include additions', () => {
    const added: Change[] = [
      [['paths', '/api/v1/new'], { get: { responses: {} } }],
      [[...record, 'properties', 'colour'], { type: 'string' }],
      [[...body, 'properties', 'colour'], { type: 'string' }],
      [[...read, 'x-permissions'], [{ anyOf: ['sales:read', 'take-payments:write', 'team:read'] }]],
    ];
    expect(changed(...added)).toEqual([]);
    // A reason of its own for an error that the service itself answered alone.
    const plain = { type: 'integer' };
    const metadata = { type: 'object', properties: { missingPermissions: { type: 'array' } } };
    const before = withRefusal(text, { code: plain, metadata });
    const ofItsOwn = { type: 'object', properties: { reason: { type: 'string' } }, additionalProperties: {} };
    const after = withRefusal(text, { code: { type: 'number', const: 403 }, metadata: ofItsOwn });
    expect(breakingChanges(before, after)).toEqual([]);
    const closed = { ...ofItsOwn, additionalProperties: false };
    expect(breakingChanges(before, withRefusal(text, { code: plain, metadata: closed })).join()).toContain(
      '403.metadata.missingPermissions is gone',
    );
  });
});

/** The description with these fields in the refusal to read a refund. */
function withRefusal(text: string, properties: object): Description {
  const description = JSON.parse(text) as { paths: Record<string, { get: { responses: Record<string, unknown> } }> };
  const { get } = description.paths['/api/v1/refunds/{id}'] ?? { get: { responses: {} } };
  get.responses['403'] = { content: { 'application/json': { schema: { type: 'object', properties } } } };
  return description as unknown as Description;
}

/** The parameters of the list of refunds, without one value of `status`. */
function withoutPending(text: string) {
  const { parameters = [] } = (JSON.parse(text) as Description).paths['/api/v1/refunds']?.get ?? {};
  return parameters.map(parameter => {
    const words = parameter.schema.enum?.filter(word => word !== 'pending');
    return words ? { ...parameter, schema: { ...parameter.schema, enum: words } } : parameter;
  });
}
