import { listProblems } from '@florin/shared/contracts/api-v1/problems.ts';
import { type Route, respond, route } from '../../foundation/http/route.ts';
import type { businessProblems } from './service.ts';

/** The operation on what needs a person. */
export function problemRoutes(problems: ReturnType<typeof businessProblems>): Route[] {
  return [
    route(listProblems, async ({ caller: { businessId, permissions }, languages }) =>
      respond(200, await problems(businessId, permissions, languages())),
    ),
  ];
}
