import { type ApiRequestIssue, listApiRequests } from '@florin/shared/contracts/api-v1/api-requests.ts';
import { cursorText } from '@florin/shared/contracts/lists.ts';
import { pageBefore, pageOf } from '../../foundation/http/pages.ts';
import { type Route, respond, route } from '../../foundation/http/route.ts';
import type { ApiRequestService } from './service.ts';
import type { NamedApiRequest } from './store.ts';

/** The request log over the API. */
export function apiRequestRoutes(apiRequests: Pick<ApiRequestService, 'list'>): Route[] {
  return [
    route(listApiRequests, async ({ caller: { businessId }, query }) => {
      const { outcome = null, apiKeyId = null, method = null, path = null, requestId = null } = query;
      const filters = { outcome, apiKeyId, method, path, requestId };
      const { calls, readTo } = await apiRequests.list({ businessId, ...filters, ...pageBefore(query) });
      const { items, nextCursor } = pageOf(calls, query, ({ id }) => id);
      return respond(200, {
        items: items.map(recordOf),
        nextCursor: readTo ? cursorText({ ...query.cursor, after: readTo.id }) : nextCursor,
        searchedBackTo: readTo ? new Date(readTo.createdAt).toISOString() : null,
      });
    }),
  ];
}

function recordOf(call: NamedApiRequest) {
  const { id, method, route: operation, path, status, outcome, reason, message, issuesJson, durationMs } = call;
  const { apiKeyId, apiKeyName, idempotencyKey, isReplay, createdAt } = call;
  return {
    id,
    createdAt: new Date(createdAt).toISOString(),
    method,
    route: operation,
    path,
    status,
    outcome,
    reason,
    message,
    issues: issuesJson === null ? [] : (JSON.parse(issuesJson) as ApiRequestIssue[]),
    durationMs,
    apiKeyId,
    apiKeyName: apiKeyName ?? '',
    idempotencyKey,
    isReplay: isReplay === 1,
  };
}
