import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { apiDocuments, documentOf } from '@florin/backend/foundation/http/description/openapi.ts';
import { testStatus, webhookEvents, webhookStatuses } from '@florin/shared/contracts/api-v1/webhooks.ts';
import type { AnyContract } from '@florin/shared/contracts/contract.ts';
import { operations } from '@florin/shared/contracts/operations.ts';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { aBackend } from '../support/backend.ts';

const contracts = join(import.meta.dirname, '../../shared/contracts');

/** Every operation that has a contract. */
async function declared(): Promise<AnyContract[]> {
  const files = readdirSync(contracts, { recursive: true, encoding: 'utf8' });
  const sources = files.filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const modules = (await Promise.all(sources.map(file => import(join(contracts, file))))) as Record<string, unknown>[];
  return modules.flatMap(module => Object.values(module)).filter(isContract);
}

function isContract(value: unknown): value is AnyContract {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'responses' in value;
}

type Description = {
  openapi: string;
  paths: Record<
    string,
    Record<string, { operationId: string; 'x-origin'?: string; responses: Record<string, unknown> }>
  >;
};

test('every contract of every file is in the list of operations', async () => {
  const names = (await declared()).map(({ name }) => name);
  expect(operations.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
});

test('every contract is served, and every operation served has a contract', async () => {
  const { backend } = await aBackend();
  const served = backend.routes.map(({ contract }) => `${contract.method} ${contract.path}`);
  const wanted = operations.map(({ method, path }) => `${method} ${path}`);
  expect(served.toSorted()).toEqual(wanted.toSorted());
});

test('the description has every webhook, whose body has the nine fields of the specification', async () => {
  const { url } = await aBackend();
  const description = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as {
    webhooks: object;
    components: { schemas: { WebhookBody: { properties: object; additionalProperties: boolean } } };
  };
  expect(Object.keys(description.webhooks)).toEqual([...webhookEvents]);
  const { properties, additionalProperties } = description.components.schemas.WebhookBody;
  expect([Object.keys(properties).length, additionalProperties]).toEqual([9, false]);
});

type Schema = {
  readonly type?: unknown;
  readonly enum?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
};

/** Returns the fields of objects anywhere in a description. */
function fieldsOf(value: unknown, at = ''): { readonly at: string; readonly schema: Schema }[] {
  if (typeof value !== 'object' || value === null) return [];
  const { type, properties } = value as Schema;
  const own = type === 'object' && properties ? Object.entries(properties) : [];
  return [
    ...own.map(([name, schema]) => ({ at: `${at}.${name}`, schema })),
    ...Object.entries(value).flatMap(([name, inner]) => fieldsOf(inner, `${at}/${name}`)),
  ];
}

test.each(['/api/v1', '/kiosk/v1'])('every field of %s is described', async prefix => {
  const { url } = await aBackend();
  const description = await (await fetch(`${url}${prefix}/openapi.json`)).json();
  const fields = fieldsOf(description);
  expect(fields.length).toBeGreaterThan(50);
  const isDescribed = (schema: object): boolean =>
    ['description', 'example', '$ref', 'enum', 'const', 'properties', 'items'].some(word => word in schema) ||
    ('anyOf' in schema && (schema.anyOf as object[]).some(isDescribed));
  const undescribed = fields.filter(({ schema }) => !isDescribed(schema)).map(({ at }) => at);
  expect(undescribed, `give each a description or an example with .meta(): ${undescribed.join(', ')}`).toEqual([]);
});

test('the description matches the contracts, and marks what the specification leaves open', async () => {
  const { url } = await aBackend();
  for (const prefix of ['/api/v1', '/kiosk/v1', '/device/v1']) {
    const response = await fetch(`${url}${prefix}/openapi.json`);
    expect(response.status).toBe(200);
    const description = (await response.json()) as Description;
    expect(description.openapi).toBe('3.1.0');
    const wanted = operations.filter(contract => documentOf(contract) === prefix);
    expect(wanted.length).toBeGreaterThan(2);
    const described = Object.values(description.paths).flatMap(operations => Object.values(operations));
    expect(described.map(({ operationId }) => operationId).toSorted()).toEqual(
      wanted.map(({ name }) => name).toSorted(),
    );
    for (const contract of wanted) {
      const operation = description.paths[contract.path]?.[contract.method.toLowerCase()];
      expect(operation?.['x-origin']).toBe(contract.origin);
      const statuses = Object.keys(operation?.responses ?? {});
      expect(statuses).toEqual(expect.arrayContaining([...Object.keys(contract.responses), '400', '429', '500']));
    }
    expect(JSON.stringify(description)).toContain('#/components/schemas/Problem');
  }
});

test('a response that several operations have is described once', () => {
  for (const text of Object.values(apiDocuments(operations))) {
    const { paths, components } = JSON.parse(text()) as Description & { components: { responses: object } };
    const answers = Object.values(paths).flatMap(path =>
      Object.values(path).flatMap(one => Object.entries(one.responses)),
    );
    const errors = answers.filter(([status]) => status >= '300').map(([, response]) => JSON.stringify(response));
    const names = Object.keys(components.responses).map(name =>
      JSON.stringify({ $ref: `#/components/responses/${name}` }),
    );
    const inline = errors.filter(response => !response.includes('#/components/responses/'));
    expect(inline.length).toBe(new Set(inline).size);
    for (const name of names) expect(errors.filter(error => error === name).length, name).toBeGreaterThan(1);
  }
});

test('UCP’s Invoice API is in the reference, with its own errors and a Retry-After header for its rate limit', () => {
  const document = JSON.parse(apiDocuments(operations)['/api/v1/openapi.json']?.() ?? '{}');
  const { post } = document.paths['/ucp/v1/invoices'];
  expect(post).toMatchObject({ operationId: 'createUcpInvoice', tags: ['UCP'], security: [{ apiKey: [] }, {}] });
  expect(document.paths['/api/v1/ucp/verify'].post.tags).toEqual(post.tags);
  const { content, headers } = post.responses[429];
  expect(Object.keys(headers)).toEqual(['Retry-After']);
  expect(content['application/json'].schema).toEqual({ $ref: '#/components/schemas/UcpProblem' });
  expect(content['application/json'].examples.rate_limited.value).toEqual({
    code: 'rate_limited',
    message: 'Too many invoices of this merchant are unpaid: try again later',
  });
});

test('the introduction explains every sequence number, and only timelines are listed oldest first', () => {
  const document = JSON.parse(apiDocuments(operations)['/api/v1/openapi.json']?.() ?? '{}');
  for (const number of ['`sequence`', '`X-Webhook-Sequence`', '`X-Webhook-Event-Number`', '`Last-Event-ID`'])
    expect(document.info.description).toContain(number);
  const lists = operations.filter(({ path, responses }) => {
    const list = responses[200]?.kind === 'json' ? Object.keys((responses[200].schema as z.ZodObject).shape ?? {}) : [];
    return path.startsWith('/api/v1/') && list.includes('nextCursor');
  });
  expect(lists.length).toBeGreaterThan(15);
  for (const { path, summary } of lists)
    expect([path, /oldest first/.test(summary)]).toEqual([path, path.endsWith('/timeline')]);
  expect(document.paths['/api/v1/payments/{id}/timeline'].get.description).toContain('newest first');
});

test('each card scheme has one spelling in all responses', () => {
  const found: string[] = [];
  for (const text of Object.values(apiDocuments(operations)))
    for (const { at, schema } of fieldsOf(JSON.parse(text()), ''))
      if (/\.(cardScheme|scheme)$/.test(at) && !at.includes('requestBody')) found.push(JSON.stringify(schema));
  expect(found.length).toBeGreaterThan(3);
  for (const schema of found) expect(schema).toContain('"American Express"');
});

test('the terminals’ description explains what they sign', () => {
  const text = apiDocuments(operations)['/device/v1/openapi.json']?.() ?? '{}';
  const document = JSON.parse(text);
  expect(document.info.description).toContain('shared/signing/README.md');
  const sync = document.paths['/device/v1/sync'].post.requestBody.content['application/json'].schema;
  const { items } = sync.properties.entries;
  const kinds = items.oneOf.map((entry: { properties: { kind: { const: string } } }) => entry.properties.kind.const);
  expect(kinds).toEqual(['staff_check', 'tamper_report']);
});

test('each reason of a terminal sale has a meaning and a sentence for the customer, in the table and in x-reasons', () => {
  for (const prefix of ['/api/v1', '/kiosk/v1']) {
    const document = JSON.parse(apiDocuments(operations)[`${prefix}/openapi.json`]?.() ?? '{}');
    const { statusReason } = document.components.schemas.ApiTerminalSale.properties;
    expect(Object.keys(statusReason['x-reasons'])).toEqual(statusReason.enum);
    expect(statusReason.enum.length).toBeGreaterThan(20);
    for (const [reason, words] of Object.entries<{ meaning: string; customer: string }>(statusReason['x-reasons'])) {
      expect(words.meaning, reason).toMatch(
        /^(PENDING|PROCESSING|COMPLETE|ERROR|CANCELLED|CANCELLED_REMOTE|TIMED_OUT)\b.*\.$/,
      );
      expect(words.customer, reason).toMatch(/^[A-Z].*[.!]$/);
      expect(statusReason.description, reason).toContain(`| \`${reason}\` | ${words.meaning} | ${words.customer}`);
    }
  }
});

test('the reference lists every status that a webhook carries, by event, and that of test events', () => {
  const document = JSON.parse(apiDocuments(operations)['/api/v1/openapi.json']?.() ?? '{}');
  const { status, ...fields } = document.components.schemas.WebhookBody.properties;
  for (const [event, statuses] of Object.entries(webhookStatuses))
    for (const word of statuses) expect(status.description).toMatch(new RegExp(`\`${word}\`[^,]* with \`${event}\``));
  expect(status.description).toContain(`\`${testStatus}\` in a test event`);
  for (const [name, field] of Object.entries<{ description?: string; $ref?: string }>(fields))
    expect(field.description, name).toBeDefined();
});
