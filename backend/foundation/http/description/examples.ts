import type { AnyContract } from '@florin/shared/contracts/contract.ts';
import { messageOf } from '@florin/shared/contracts/messages.ts';
import type { UcpProblem, Problem as WireProblem } from '@florin/shared/contracts/problem.ts';
import { isTaken } from '../input.ts';
import { bodyMissing } from '../json.ts';
import {
  commitUnknown,
  databaseUnavailable,
  type Issue,
  idempotencyKeyReused,
  internalError,
  invalidInput,
  issuesOf,
  missingPermissions,
  type Problem,
  ucpWireProblem,
  wireProblem,
} from '../problems.ts';
import { documentedMessage } from './error-messages.ts';
import { fieldDescriptions } from './field-descriptions.ts';

/** As much of JSON Schema as a description holds. */
type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
};

type Components = Readonly<Record<string, Schema>>;

type Media = { readonly schema: Schema; readonly example?: unknown };
type OperationNode = {
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly $ref?: string;
        readonly content?: Readonly<Record<string, Media>>;
        readonly 'x-events'?: Readonly<Record<string, Schema>>;
      }
    >
  >;
};
export type DocumentNode = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationNode>>>>;
  readonly components: {
    readonly schemas?: Components;
    readonly responses?: OperationNode['responses'];
  };
};

/** The description with a whole example of every body, of requests and of responses. */
export function withExamples(
  document: DocumentNode,
  contracts: readonly AnyContract[],
  errorsOf: (contract: AnyContract) => ReadonlyMap<number, readonly string[]>,
): DocumentNode {
  const components = document.components.schemas ?? {};
  const paths: Record<string, Record<string, OperationNode>> = {};
  for (const contract of contracts) {
    const method = contract.method.toLowerCase();
    const operation = document.paths[contract.path]?.[method];
    if (operation)
      paths[contract.path] = {
        ...paths[contract.path],
        [method]: operationWithExamples(operation, { contract, components, errors: errorsOf(contract) }),
      };
  }
  return { ...document, paths };
}

type About = {
  readonly contract: AnyContract;
  readonly components: Components;
  readonly errors: ReadonlyMap<number, readonly string[]>;
};

function operationWithExamples(operation: OperationNode, about: About): OperationNode {
  const { contract, components } = about;
  const request = operation.requestBody;
  const taken = request?.content['application/json'];
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const stream = response.content?.['text/event-stream'];
    if (stream) {
      const example = streamExample(response['x-events'] ?? {}, components);
      return [status, { ...response, content: { 'text/event-stream': { ...stream, example } } }];
    }
    const media = response.content?.['application/json'];
    if (!media) return [status, response];
    return [
      status,
      { ...response, content: { 'application/json': { ...media, ...answered(Number(status), media, about) } } },
    ];
  });
  return {
    ...operation,
    ...(request && taken
      ? {
          requestBody: {
            ...request,
            content: { 'application/json': { ...taken, example: requestExample(contract, taken.schema, components) } },
          },
        }
      : {}),
    responses: Object.fromEntries(responses),
  };
}

/** What a stream sends: each of its events, and the comment that keeps the connection. */
function streamExample(events: Readonly<Record<string, Schema>>, components: Components): string {
  const frames = Object.entries(events).map(([name, schema]) => {
    // The event that carries the current state has no id: there is nothing to resume after.
    const id = name === 'open' ? '' : 'id: 42\n';
    return `${id}event: ${name}\ndata: ${JSON.stringify(exampleOf(schema, components))}\n\n`;
  });
  return `${frames.join('')}: heartbeat\n\n`;
}

function answered(status: number, { schema }: Media, { contract, components, errors }: About): object {
  const response = contract.responses[status];
  if (response?.kind === 'json') {
    const example = exampleOf(schema, components);
    return { example: response.example ? { ...(example as object), ...response.example } : example };
  }
  const examples = Object.entries(problemExamples(contract, status, errors.get(status) ?? []));
  return { examples: Object.fromEntries(examples.map(([name, value]) => [name, { value }])) };
}

/** A complete example value of a schema, built from the examples of its parts. */
function exampleOf(schema: Schema, components: Components, field = ''): unknown {
  const of = (inner: Schema, name = field) => exampleOf(inner, components, name);
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref !== undefined) return of(components[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum.includes(null) ? null : schema.enum[0];
  if (schema.default !== undefined && schema.default !== null) return schema.default;
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(inner => of(inner))) as unknown;
  const choices = schema.anyOf ?? schema.oneOf ?? [];
  const types = [schema.type].flat();
  const own = fieldDescriptions[field]?.[1];
  const [first] = choices.filter(inner => inner.type !== 'null');
  const isNullable = types.includes('null') || choices.some(inner => inner.type === 'null');
  const value = first ? of(first) : plainExample(types.find(one => one !== 'null') ?? 'null', schema, of);
  if (own !== undefined && typeof own === typeof value) return own;
  // Null is less misleading than an invented time or id.
  return isNullable && typeof value !== 'object' ? null : value;
}

function plainExample(type: string, schema: Schema, of: (inner: Schema, name?: string) => unknown): unknown {
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, of(inner, name)]),
      );
    case 'array':
      return schema.items ? [of(schema.items)] : [];
    case 'string':
      return schema.format === 'date-time' ? '2026-11-21T09:30:00.000Z' : 'text';
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1);
    case 'boolean':
      return true;
    default:
      return null;
  }
}

/** A valid example body, with as many optional members as may be combined. */
function requestExample({ body }: AnyContract, schema: Schema, components: Components): unknown {
  const all = exampleOf(schema, components);
  if (body.safeParse(all).success || typeof all !== 'object' || all === null) return all;
  const choice = (schema.oneOf ?? schema.anyOf ?? [])[0] ?? schema;
  const optional = Object.keys(all).filter(name => !choice.required?.includes(name));
  for (let left = 1; left <= optional.length; left += 1) {
    for (const out of choose(optional, left)) {
      const example = Object.fromEntries(Object.entries(all).filter(([name]) => !out.includes(name)));
      if (body.safeParse(example).success) return example;
    }
  }
  return all;
}

/** Every choice of so many of these, the last of them first. */
function choose(names: readonly string[], count: number): readonly (readonly string[])[] {
  if (count === 0) return [[]];
  return names
    .flatMap((name, at) => choose(names.slice(0, at), count - 1).map(others => [...others, name]))
    .toReversed();
}

/** Each error an operation may give with this status, by its reason. */
function problemExamples(
  contract: AnyContract,
  status: number,
  reasons: readonly string[],
): Readonly<Record<string, WireProblem | UcpProblem>> {
  const own = ownProblem(contract, status);
  const declared = reasons.map((reason): [string, Problem] => [
    reason,
    ofServer.find(({ metadata }) => metadata?.reason === reason) ?? {
      status,
      message: messageOfError(contract, reason),
      metadata: { reason },
    },
  ]);
  const all: [string, Problem][] = own ? [[own.name, own.problem], ...declared] : declared;
  const wire = contract.errorShape === 'ucp' ? ucpWireProblem : wireProblem;
  return Object.fromEntries(all.map(([name, problem]) => [name, wire(problem)]));
}

/** Errors of any operation. */
const ofServer: readonly Problem[] = [idempotencyKeyReused, databaseUnavailable, commitUnknown];

function messageOfError(contract: AnyContract, reason: string): string {
  const message = documentedMessage(contract, reason);
  if (message === undefined) throw new Error(`error-messages.ts has no message for ${reason} of ${contract.name}`);
  return message;
}

/** Responses that the server gives for every operation. */
function ownProblem(contract: AnyContract, status: number): { name: string; problem: Problem } | undefined {
  switch (status) {
    case 400:
      return { name: 'invalid_input', problem: invalidInput(issueOf(contract)).error };
    case 401: {
      const credential = contract.authentication[0] === 'kioskKey' ? 'kiosk key' : 'API key';
      return { name: 'no_valid_key', problem: { status, message: `The ${credential} is unknown, revoked or expired` } };
    }
    case 403: {
      const problem = missingPermissions(contract.permissions, new Set());
      return problem && { name: 'missing_permission', problem };
    }
    case 413: {
      const maxBytes = contract.bodyLimits?.bytes ?? 100_000;
      const message = `The body is larger than ${maxBytes} bytes`;
      return { name: 'body_too_large', problem: { status, message, metadata: { maxBytes } } };
    }
    case 415:
      return {
        name: 'other_content_type',
        problem: { status, message: 'The body must be JSON (Content-Type: application/json)' },
      };
    case 429: {
      const metadata = { retryAfterSeconds: 3 };
      return { name: 'too_many', problem: { status, message: 'Too many requests: try again in 3 seconds', metadata } };
    }
    case 500:
      return { name: 'failure', problem: internalError('req_019a8f3e6b7c7d2e8a1b2c3d4e5f6071') };
    case 503:
      return { name: 'database_unavailable', problem: databaseUnavailable };
    default:
      return undefined;
  }
}

/** Something that could be wrong with the input of an operation. */
function issueOf({ body, query, params }: AnyContract): Issue {
  const wrong = { limit: '0' };
  const noId = new Proxy({}, { get: () => '?', has: () => true });
  const found = [
    ['body', body, {}],
    ['query', query, wrong],
    ['params', params, noId],
  ] as const;
  for (const [where, schema, given] of found) {
    if (!isTaken(schema)) continue;
    const { error } = schema.safeParse(given, { error: messageOf });
    const [issue] = error ? issuesOf(where, error, given) : [];
    if (issue) return issue;
  }
  return { path: '', message: bodyMissing };
}
