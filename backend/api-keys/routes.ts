import { createApiKey, listApiKeys, revokeApiKey } from '@florin/shared/contracts/api-v1/api-keys.ts';
import { unreachable } from '@florin/shared/result.ts';
import { invalidInput, lacksPermissions } from '../http/problems.ts';
import { actorOf, answer, type Refused, type Route, refused, route } from '../http/route.ts';
import { type ApiKeyRefusal, type ApiKeyService, apiKeyRecord } from './service.ts';

export function apiKeyRoutes(apiKeys: ApiKeyService): Route[] {
  return [
    route(listApiKeys, async ({ caller, query }) => {
      const { items, nextCursor } = await apiKeys.list(caller.businessId, query);
      return answer(200, { items: items.map(apiKeyRecord), nextCursor });
    }),
    route(
      createApiKey,
      async ({ caller, body, once }) => {
        const expiresAt = body.expiresAt === null ? null : Date.parse(body.expiresAt);
        const made = await apiKeys.create(
          caller.businessId,
          { ...body, expiresAt },
          { by: actorOf(caller), permissions: caller.permissions },
          once,
        );
        if (!made.ok) return problem(made.refusal);
        return answer(201, { ...apiKeyRecord(made.value.apiKey), key: made.value.secret });
      },
      { flowKeepsOnce: true },
    ),
    route(revokeApiKey, async ({ caller, params }) => {
      const apiKey = await apiKeys.revoke(caller.businessId, params.id, actorOf(caller));
      return apiKey ? answer(200, apiKeyRecord(apiKey)) : refused(404, 'There is no such API key');
    }),
  ];
}

function problem(refusal: ApiKeyRefusal): Refused {
  switch (refusal.kind) {
    case 'exceeds_maker':
      return { refused: lacksPermissions(refusal.missing) };
    case 'expiry_in_the_past':
      return { refused: invalidInput([{ path: 'expiresAt', message: 'must be in the future' }]) };
    default:
      return unreachable(refusal);
  }
}
