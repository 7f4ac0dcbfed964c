import { createApiKey, getApiKey, listApiKeys, revokeApiKey } from '@florin/shared/contracts/api-v1/api-keys.ts';
import { type Authenticators, bearerAuthenticator } from '../../foundation/http/authenticate.ts';
import { type ApiKeyCaller, actorOf } from '../../foundation/http/callers.ts';
import { pageBefore, pageOf } from '../../foundation/http/pages.ts';
import { errorBy, invalidInput, type ProblemTable } from '../../foundation/http/problems.ts';
import { type Route, respond, route } from '../../foundation/http/route.ts';
import type { CredentialUse } from '../../foundation/secret.ts';
import { type ApiKey, type ApiKeyService, apiKeyRecord, type RevocationRefusal } from './service.ts';

/** Accepts API keys as bearer tokens; a key that is unknown, revoked or expired is a 401. */
export function apiKeyAuthenticators(apiKeys: ApiKeyService): Authenticators {
  const find = async (secret: string, use: CredentialUse) =>
    (await apiKeys.authenticate(secret, use)) ?? apiKeys.ended(secret);
  return { apiKey: bearerAuthenticator<ApiKeyCaller>('API key', find) };
}

const problems = {
  api_key_not_found: { status: 404, message: 'There is no such API key' },
  beyond_own_permissions: {
    status: 403,
    message: 'This key may do more than you: only somebody who holds all its permissions can revoke it',
  },
} as const satisfies ProblemTable<RevocationRefusal['kind']>;

/**
 * The management API of API keys. A new key is in the first response only: a repetition with its Idempotency-Key
 * returns null for it.
 */
export function apiKeyRoutes(apiKeys: ApiKeyService): Route[] {
  const unknown = () => errorBy(problems, { kind: 'api_key_not_found' });
  return [
    route(listApiKeys, async ({ caller, query }) => {
      const { status = null, preset = null } = query;
      const { businessId } = caller;
      const keys = await apiKeys.list({ businessId, status, preset, ...pageBefore(query) });
      const { items, nextCursor } = pageOf(keys, query, ({ id }) => id);
      return respond(200, { items: items.map(apiKeyRecord), nextCursor });
    }),
    route(getApiKey, async ({ caller, params }) => {
      const apiKey = await apiKeys.byId(caller.businessId, params.id);
      return apiKey ? respond(200, apiKeyRecord(apiKey)) : unknown();
    }),
    route(createApiKey, async ({ caller, body, call }) => {
      const expiresAt = body.expiresAt === null ? null : Date.parse(body.expiresAt);
      const withoutSecret = (apiKey: ApiKey) => respond(201, { ...apiKeyRecord(apiKey), key: null });
      const write = call.storing(withoutSecret);
      const made = await apiKeys.create(caller.businessId, { ...body, expiresAt }, actorOf(caller), write);
      if (!made.ok) return invalidInput({ path: 'expiresAt', message: 'must be in the future' });
      return respond(201, { ...apiKeyRecord(made.value.apiKey), key: made.value.secret });
    }),
    route(revokeApiKey, async ({ caller, params }) => {
      const { businessId, permissions } = caller;
      const revoked = await apiKeys.revoke({ businessId, by: actorOf(caller), held: permissions }, params.id);
      return revoked.ok ? respond(200, apiKeyRecord(revoked.value)) : errorBy(problems, revoked.refusal);
    }),
  ];
}
