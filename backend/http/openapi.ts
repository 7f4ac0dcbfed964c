import type { AnyContract } from '@florin/shared/contracts/contract.ts';
import { problem } from '@florin/shared/contracts/problem.ts';
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';

export type OpenApiOptions = { readonly title: string; readonly contracts: readonly AnyContract[] };

/** The OpenAPI 3.1 description of these operations. It says exactly what the server enforces: both read the contracts. */
export function openApiDocument(options: OpenApiOptions) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const contract of options.contracts) {
    paths[contract.path] = { ...paths[contract.path], [contract.method.toLowerCase()]: operationOf(contract) };
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: options.title,
      version: '1',
      description:
        'Operations and fields marked `x-origin: project` are this service’s own choices; the others follow its specification.',
    },
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'API key of a business' },
        device: { type: 'http', scheme: 'bearer', description: 'Token of an enrolled terminal' },
        kioskKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      },
    },
    paths: paths as ZodOpenApiPathsObject,
  });
}

function operationOf(contract: AnyContract): ZodOpenApiOperationObject {
  const takes = (schema: z.ZodType) => schema.def.type !== 'undefined';
  const headers = contract.idempotent
    ? z.object({ 'Idempotency-Key': z.string().min(1).max(255).optional().meta({ description: idempotencyWords }) })
    : undefined;
  return {
    operationId: contract.name,
    summary: contract.summary,
    tags: [contract.tag],
    ...(contract.description === undefined ? {} : { description: contract.description }),
    ...(contract.origin === undefined ? {} : { 'x-origin': contract.origin }),
    security: contract.caller === 'anyone' ? [] : [{ [contract.caller]: [] }],
    ...(contract.permissions.length === 0 ? {} : { 'x-permissions': contract.permissions }),
    requestParams: {
      ...(takes(contract.params) ? { path: contract.params as z.ZodObject } : {}),
      ...(takes(contract.query) ? { query: contract.query as z.ZodObject } : {}),
      ...(headers ? { header: headers } : {}),
    },
    ...(takes(contract.body)
      ? { requestBody: { required: true, content: { [mediaTypeOf(contract)]: { schema: contract.body } } } }
      : {}),
    responses: responsesOf(contract),
  };
}

const idempotencyWords =
  'Makes the call safe to repeat for 72 hours: the same key with the same request replays the first answer.';

function mediaTypeOf(contract: AnyContract): string {
  return contract.bodyFormat === 'text' ? 'text/plain' : 'application/json';
}

function responsesOf(contract: AnyContract): ZodOpenApiResponsesObject {
  const refusals = new Map<number, readonly string[]>([
    [400, []],
    [429, []],
    [500, []],
  ]);
  if (contract.caller !== 'anyone') refusals.set(401, []);
  if (contract.permissions.length > 0) refusals.set(403, []);
  if (contract.path.includes('{')) refusals.set(404, []);
  for (const [status, reasons] of Object.entries(contract.refusals ?? {})) refusals.set(Number(status), reasons);
  if (contract.idempotent) refusals.set(409, [...(refusals.get(409) ?? []), 'idempotency_key_reused']);
  return Object.fromEntries([
    ...Object.entries(contract.answers).map(([status, schema]) => [
      status,
      { description: successWords[Number(status)] ?? 'Success', content: { 'application/json': { schema } } },
    ]),
    ...[...refusals]
      .sort(([a], [b]) => a - b)
      .map(([status, reasons]) => [
        String(status),
        {
          description: reasons.length > 0 ? `Reasons: ${reasons.join(', ')}` : (refusalWords[status] ?? 'Refused'),
          content: { 'application/json': { schema: problem } },
        },
      ]),
  ]) as ZodOpenApiResponsesObject;
}

const successWords: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Made',
  202: 'Taken on; the outcome is not known yet',
};
const refusalWords: Readonly<Record<number, string>> = {
  400: 'The request does not fit; the message names the field',
  401: 'The key or token is missing, malformed, unknown, revoked or expired',
  403: 'The key lacks a permission',
  404: 'There is no such thing',
  429: 'Too many requests',
  500: 'Failure on the service’s side',
};
