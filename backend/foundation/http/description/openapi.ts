import { createWebhook } from '@florin/shared/contracts/api-v1/webhooks.ts';
import { type AnyContract, isPolledRecord, type Scheme } from '@florin/shared/contracts/contract.ts';
import { problem, problemFacts, ucpProblem } from '@florin/shared/contracts/problem.ts';
import type { ResponseKind } from '@florin/shared/contracts/responses.ts';
import { ucpInvoicePath } from '@florin/shared/contracts/ucp.ts';
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathItemObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { acceptsNothing, isTaken } from '../input.ts';
import { isLimitedStream, tooManyOpenStreams } from '../stream-limits.ts';
import { type DocumentNode, withExamples } from './examples.ts';
import { fieldDescriptions } from './field-descriptions.ts';
import { withSharedResponses } from './shared-responses.ts';
import { webhookOperations } from './webhook-operations.ts';

/** Where to read what terminals sign. */
const signingDescription =
  'Enrolment, staff authorisations, password changes and outbox entries carry Ed25519 signatures over a canonical text: its first line names the form, such as `florin-staff-authorisation-v1`, and every other line is `name=value` with the value as JSON. The forms, the order of their fields and a worked example are in [shared/signing/README.md](shared/signing/README.md) of the source.';

/** The APIs that describe themselves: the text of each one's description, by the path it is served at. */
export function apiDocuments(contracts: readonly AnyContract[]): Readonly<Record<string, () => string>> {
  const describe = (prefix: string, title: string): [string, () => string] => {
    // Terminals are part of the product and need no public description.
    const isForIntegrators = prefix !== '/device/v1';
    let text: string | undefined;
    return [
      `${prefix}/openapi.json`,
      () => {
        if (text !== undefined) return text;
        const own = contracts.filter(contract => documentOf(contract) === prefix).toSorted(byPath);
        const webhooks = own.some(({ name }) => name === createWebhook.name) ? webhookOperations() : {};
        const document = described(openApiDocument({ title, contracts: own, webhooks })) as DocumentNode;
        text = JSON.stringify(withSharedResponses(isForIntegrators ? withExamples(document, own, errorsOf) : document));
        return text;
      },
    ];
  };
  return Object.fromEntries([
    describe('/api/v1', 'Florin API'),
    describe('/kiosk/v1', 'Florin kiosk API'),
    describe('/device/v1', 'Florin terminal API'),
  ]);
}

/**
 * Where an operation is described: what platforms call by UCP's own address stands beside what the business calls for it.
 * What only the portal serves is described nowhere: no key can call it.
 */
export function documentOf({ path, authentication }: Pick<AnyContract, 'path' | 'authentication'>): string | undefined {
  if (authentication.includes('portalSession')) return undefined;
  return path === ucpInvoicePath ? '/api/v1' : `/${path.split('/').slice(1, 3).join('/')}`;
}

type Node = { readonly [name: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The description with words for every field and parameter whose contract has none. */
function described(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(described);
  if (!isNode(value)) return value;
  const { properties, name } = value;
  const node = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, described(inner)]));
  if (typeof name === 'string' && isNode(value.schema))
    return value.description === undefined && !isDescribed(value.schema)
      ? { ...node, ...descriptionOf(name, {}) }
      : node;
  if (value.type !== 'object' || !isNode(properties)) return node;
  const worded = Object.entries(node.properties as Node).map(([field, schema]) => {
    const own = schema as Node;
    return [field, isDescribed(own) ? own : { ...own, ...descriptionOf(field, own) }];
  });
  return { ...node, properties: Object.fromEntries(worded) };
}

/** Whether a schema has a description, or refers to one that has. */
function isDescribed({ $ref, description, example, anyOf }: Node): boolean {
  const parts = (anyOf ?? []) as readonly Node[];
  return $ref !== undefined || description !== undefined || example !== undefined || parts.some(isDescribed);
}

function descriptionOf(field: string, { type, enum: words }: Node): Node {
  const [description, example] = fieldDescriptions[field] ?? [];
  const kind = typeof example === 'number' ? 'integer' : typeof example;
  const fits = example !== undefined && words === undefined && [type].flat().includes(kind);
  return { ...(description === undefined ? {} : { description }), ...(fits ? { example } : {}) };
}

const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'API key of a business' },
  deviceToken: { type: 'http', scheme: 'bearer', description: 'Token of an enrolled terminal' },
  kioskKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'Key of a kiosk installation' },
  portalSession: { type: 'apiKey', in: 'cookie', name: 'florin_session', description: 'Session in the portal' },
} as const;

type OpenApiOptions = {
  readonly title: string;
  readonly contracts: readonly AnyContract[];
  readonly webhooks: Readonly<Record<string, ZodOpenApiPathItemObject>>;
};

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** A collection before its records, a record before what can be done with it. */
function byPath(one: AnyContract, other: AnyContract): number {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return methods.indexOf(one.method) - methods.indexOf(other.method);
}

/** Errors that no operation lists, because the request reached none. */
const unlistedErrors =
  'A request that reaches no operation is answered with an error of the same form: 404 where the address does not exist, 405 where it does not take the method (`Allow` lists those it takes), and 400, 408, 413, 417 or 431 where the request is not valid HTTP, takes too long to arrive or has headers that are too large.';

const unknownFields =
  'A field of a request’s body that its operation does not describe is ignored, and so is a misspelt one: check against this description what you send, and in the response what was taken.';

/** The introduction of the reference. */
const introductions: Readonly<Record<string, string>> = {
  '/api/v1/': [
    'Call it from your server with an API key of the business: `Authorization: Bearer <key>`. The key decides which business a call acts on and what it may do; each operation names the permissions it needs.',
    'Amounts are whole numbers of the smallest unit of the currency, times are ISO 8601 in UTC. Lists are newest first, except timelines. Request the next page with `nextCursor`.',
    'Names, descriptions and references may be in any script. Invisible characters (zero-width spaces, direction overrides, soft hyphens and the like) are refused with 400, except where a script or an emoji needs them.',
    'Send an `Idempotency-Key` with every POST, and if a call receives no response, retry it with the same key: the operation is performed at most once.',
    'Every error is `{ "error": { "code", "message", "metadata" } }` (`/ucp/v1` follows an external standard and has its own format); act on `metadata.reason`, show `message` to people. `Retry-After` of a 429 is the delay before the next request.',
    [
      'Ordering:',
      '- `sequence` of a terminal sale or a checkout orders the versions of one record, whether they were read, followed or returned by a call.',
      '- `X-Webhook-Sequence` orders the deliveries to one endpoint, without gaps. `X-Webhook-Event-Number` orders those of all endpoints of the business.',
      '- The `id` of a stream’s event is used to resume that stream after it (`Last-Event-ID`).',
      '- None of these is comparable with another. Ids of records are sortable by the time of creation only.',
    ].join('\n'),
    'A request may carry a W3C `traceparent`. What follows from it, until its webhooks, carries the same trace id and sampled flag; without a valid one a new trace begins. `tracestate` is not passed on. The trace id of a sale at a terminal is the hexadecimal part of its `saleId`.',
    `${unknownFields} An unknown parameter of a query is refused with 400 by every list.`,
    unlistedErrors,
  ].join('\n\n'),
  '/kiosk/v1/': [
    'For the software of a kiosk: a page or a program that drives the terminal beside it. Send the kiosk key of the installation as `x-api-key`; it grants access only to the terminals named at its creation. The merchant creates one with `POST /api/v1/kiosk-keys`. Pages of any origin may call.',
    [
      '1. Read the terminal: is it `readyForSale`, and if not, `whyNot`?',
      '2. Start a sale with an `Idempotency-Key` that you keep until it has ended.',
      '3. Follow its events, or read it every second, until `status` is neither `PENDING` nor `PROCESSING`.',
    ].join('\n'),
    '`sequence` orders the versions of one sale, whether they were read or followed. The `id` of a stream’s event is used to resume that stream after it, and must not be compared with other values.',
    'If a call receives no response, retry it with the same `Idempotency-Key`: only one sale is created. The keys of each kiosk key, and those of `/api/v1`, are separate. Every error is `{ "error": { "code", "message", "metadata" } }`; act on `metadata.reason`.',
    unknownFields,
    unlistedErrors,
  ].join('\n\n'),
};

/** The OpenAPI 3.1 description of these operations. The server enforces the same contracts. */
function openApiDocument(options: OpenApiOptions) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const contract of options.contracts) {
    paths[contract.path] = { ...paths[contract.path], [contract.method.toLowerCase()]: operationOf(contract) };
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: options.title,
      version: '1',
      description: [
        ...Object.entries(introductions).flatMap(([prefix, words]) =>
          options.contracts.some(({ path }) => path.startsWith(prefix)) ? [words] : [],
        ),
        'Operations and fields marked `x-origin: project` are specific to this service; the others follow its specification.',
        ...(options.contracts.some(({ path }) => path.startsWith('/device/v1/')) ? [signingDescription] : []),
      ].join('\n\n'),
    },
    servers: [{ url: '/', description: 'Where this description was read' }],
    components: {
      securitySchemes: Object.fromEntries(
        Object.entries(securitySchemes).filter(([name]) =>
          options.contracts.some(({ authentication }) => authentication.includes(name as Scheme)),
        ),
      ),
    },
    paths: paths as ZodOpenApiPathsObject,
    webhooks: options.webhooks,
  });
}

function operationOf(contract: AnyContract): ZodOpenApiOperationObject {
  const headers = headersOf(contract);
  const words = [contract.description ?? [], permissionDescription(contract) ?? []].flat();
  return {
    operationId: contract.name,
    summary: contract.summary,
    tags: [contract.tag],
    ...(words.length === 0 ? {} : { description: words.join('\n\n') }),
    ...(contract.origin === undefined ? {} : { 'x-origin': contract.origin }),
    security: contract.authentication.map(requirementOf),
    ...(contract.permissions.length === 0 ? {} : { 'x-permissions': contract.permissions }),
    ...(contract.permissionsFor ? { 'x-permissions-by-body': contract.permissionsFor.description } : {}),
    requestParams: {
      ...(isTaken(contract.params) ? { path: contract.params as z.ZodObject } : {}),
      ...(isTaken(contract.query) ? { query: contract.query as z.ZodObject } : {}),
      ...(headers ? { header: headers } : {}),
    },
    ...(isTaken(contract.body)
      ? {
          requestBody: {
            required: !acceptsNothing(contract),
            content: { [mediaTypeOf(contract)]: { schema: contract.body } },
          },
        }
      : {}),
    responses: responsesOf(contract),
  };
}

/** The text form of the extensions, for readers. */
function permissionDescription({ permissions, permissionsFor, authentication }: AnyContract): string | undefined {
  if (permissions.length === 0) return permissionsFor?.description;
  const rules = permissions.map(rule => (typeof rule === 'string' ? [rule] : rule.anyOf));
  const named = rules.map(anyOf => anyOf.map(code => `\`${code}\``).join(' or ')).join(' and ');
  const key = authentication.includes('none') ? 'A key, where one is sent,' : 'A key';
  return [`${key} needs ${named}.`, permissionsFor?.description ?? []].flat().join(' ');
}

function headersOf(contract: AnyContract): z.ZodObject | undefined {
  if (contract.idempotent)
    return z.object({
      'Idempotency-Key': z.string().min(1).max(255).optional().meta({ description: idempotencyDescription }),
    });
  if (contract.mayBeStale)
    return z.object({
      'Read-From': readSource.optional().meta({ description: readFromDescription }),
    });
  if (isPolledRecord(contract))
    return z.object({
      'If-None-Match': z.string().optional().meta({ description: 'The ETag of an earlier response' }),
    });
  if (Object.values(contract.responses).some(({ kind }) => kind === 'eventStream'))
    return z.object({
      'Last-Event-ID': z
        .string()
        .optional()
        .meta({ description: 'The id of the last event received; the stream resumes after it' }),
    });
  return undefined;
}

function errorSchemaOf({ errorShape }: AnyContract, status: number, reasons: readonly string[]): z.ZodType {
  return errorShape === 'ucp' ? ucpProblem : problemWith(status, reasons);
}

/** The error shape with the reasons this operation may give; what the server itself answers may have none. */
function problemWith(status: number, reasons: readonly string[]): z.ZodType {
  const [first, ...others] = reasons;
  if (first === undefined) return problem;
  const reason = z.enum([first, ...others]).meta({ description: 'A stable code for programs' });
  return z.object({
    error: z
      .object({
        ...problemFacts,
        code: z.literal(status).meta({ description: 'The HTTP status, repeated' }),
        metadata: byServer.has(status)
          ? z.looseObject({ reason: reason.optional() }).optional()
          : z.looseObject({ reason }),
      })
      .meta({ description: 'The reason of the error' }),
  });
}

/** Responses of every operation, in addition to those it declares. */
const byServer = new Set([400, 401, 403, 413, 415, 429, 500, 503]);

const waitHeaders = z.object({
  'Retry-After': z.string().meta({ description: 'After how many seconds to try again', example: '3' }),
});

const etagDescription = 'Of the record as it is now: sent back in If-None-Match, it gets 304 until something changes';
const readSource = z.enum(['primary', 'replica']);
const readFromDescription =
  'Where the records are read: `replica` is a copy of the database, which may lag behind it by up to eleven seconds. The default, `primary`, has every change. Where there is no replica, or it lags more, the primary is read all the same';
const readDescription = 'Only if the request has it: where the records were read';
const idempotencyDescription =
  'Makes the call safe to repeat for 72 hours: the same key with the same request replays the first response. Errors are not stored: after one, the same key may be used again.';

function mediaTypeOf(contract: AnyContract): string {
  return contract.bodyFormat === 'text' ? 'text/plain' : 'application/json';
}

/** In OpenAPI an empty requirement means that credentials are optional. */
function requirementOf(scheme: Scheme): Record<string, string[]> {
  return scheme === 'none' || scheme === 'signedCallback' ? {} : { [scheme]: [] };
}

function responsesOf(contract: AnyContract): ZodOpenApiResponsesObject {
  const isPolled = isPolledRecord(contract);
  return Object.fromEntries([
    ...Object.entries(contract.responses).map(([status, response]) => [
      status,
      {
        description: successDescriptions[Number(status)] ?? 'Success',
        ...(isPolled ? { headers: z.object({ ETag: z.string().meta({ description: etagDescription }) }) } : {}),
        ...(contract.mayBeStale
          ? { headers: z.object({ 'Read-From': readSource.meta({ description: readDescription }) }) }
          : {}),
        ...contentOf(response),
      },
    ]),
    ...(isPolled ? [['304', { description: 'Nothing changed since the response with this ETag' }]] : []),
    ...[...errorsOf(contract)]
      .sort(([a], [b]) => a - b)
      .map(([status, reasons]) => [
        String(status),
        {
          description: reasons.length > 0 ? `Reasons: ${reasons.join(', ')}` : (errorDescriptions[status] ?? 'Error'),
          ...(status === 429 || status === 503 ? { headers: waitHeaders } : {}),
          content: { 'application/json': { schema: errorSchemaOf(contract, status, reasons) } },
        },
      ]),
  ]) as ZodOpenApiResponsesObject;
}

function contentOf(response: ResponseKind) {
  switch (response.kind) {
    case 'json':
      return { content: { 'application/json': { schema: response.schema } } };
    case 'eventStream':
      return {
        content: { 'text/event-stream': { schema: z.string() } },
        'x-events': Object.fromEntries(
          Object.entries(response.events).map(([name, schema]) => [name, eventSchema(schema)]),
        ),
      };
    case 'page':
      return { content: { 'text/html': { schema: z.string() } } };
    case 'redirect':
      return { headers: z.object({ Location: z.string() }) };
    case 'asset':
    case 'file':
      return { content: { [response.mediaType]: { schema: z.string().meta({ format: 'binary' }) } } };
  }
}

/** The complete payload of an event, because a description can only refer to its own components. */
function eventSchema(schema: z.ZodType): unknown {
  const { $schema: _, $defs = {}, ...described } = z.toJSONSchema(schema, { io: 'output' });
  const inlined = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inlined);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as { $ref?: string };
    const { id: _id, ...referred } = ($ref === undefined ? {} : ($defs[$ref.slice('#/$defs/'.length)] ?? {})) as {
      id?: string;
    };
    return Object.fromEntries(Object.entries({ ...referred, ...rest }).map(([key, inner]) => [key, inlined(inner)]));
  };
  return inlined(described);
}

/** What the operation declares, and what the server itself may return. */
function errorsOf(contract: AnyContract): Map<number, readonly string[]> {
  // Errors of LNURL have status 200.
  if (contract.errorShape === 'lnurl') return new Map();
  const needsPermissions = contract.permissions.length > 0 || contract.permissionsFor !== undefined;
  const errors = new Map<number, readonly string[]>([400, 429, 500, 503].map(status => [status, []]));
  if (contract.authentication.some(scheme => scheme !== 'none' && scheme !== 'signedCallback')) errors.set(401, []);
  if (needsPermissions) errors.set(403, []);
  if (isTaken(contract.body)) for (const status of [413, 415]) errors.set(status, []);
  for (const [status, reasons] of Object.entries(contract.errors)) errors.set(Number(status), reasons);
  if (503 in contract.errors)
    errors.set(503, [...(contract.errors[503] ?? []), 'database_unavailable', 'commit_outcome_unknown']);
  if (isLimitedStream(contract)) errors.set(429, [...(errors.get(429) ?? []), tooManyOpenStreams.metadata.reason]);
  if (contract.idempotent) errors.set(409, [...(errors.get(409) ?? []), 'idempotency_key_reused']);
  return errors;
}

const successDescriptions: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Made',
  202: 'Accepted; the outcome is not known yet',
  303: 'See the address in Location',
};
const errorDescriptions: Readonly<Record<number, string>> = {
  400: 'The request is invalid; the message names the field',
  401: 'The key or token is missing, malformed, unknown, revoked or expired',
  403: 'The key lacks a permission',
  413: 'The body is too large',
  415: 'The body is not of the type that this operation takes, or is compressed',
  429: 'Too many requests',
  500: 'Failure on the service’s side',
  503: 'The service cannot serve this now; try again after Retry-After',
};
