import type { CallOptions } from '@florin/client/call.ts';
import { type QueryClient, type QueryKey, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useBusiness } from '../session/session.ts';
import { useProblemWords } from '../words/problem-words.ts';
import { type AnswerOf, type BodyFor, callFor, type InputFor, type OperationName } from './call.ts';
import { CallProblem } from './problem.ts';
import { ownKey } from './use-own.ts';

type ReadOptions<Name extends OperationName> = {
  readonly enabled?: boolean;
  /** How often it is read again; false once nothing will change. */
  readonly refetchMs?: number | false | ((body: BodyFor<Name> | undefined) => number | false);
};

/** Reads an operation for the business on screen. What was read before is shown until it is read again. */
export function useRead<Name extends OperationName>(
  name: Name,
  input: InputFor<Name>,
  { enabled = true, refetchMs = false }: ReadOptions<Name> = {},
): UseQueryResult<BodyFor<Name>, Error> {
  const { id } = useBusiness();
  const client = useQueryClient();
  return useQuery<BodyFor<Name>>({
    queryKey: readKey(id, name, input),
    queryFn: ({ signal }) => readOnce(client, id, name, input, signal),
    enabled,
    refetchInterval: typeof refetchMs === 'function' ? query => refetchMs(query.state.data) : refetchMs,
  });
}

type ListPage = { readonly items: readonly unknown[]; readonly nextCursor: string | null };
type ListName = { [Name in OperationName]: BodyFor<Name> extends ListPage ? Name : never }[OperationName];
type ItemsOf<Name extends ListName> = BodyFor<Name> extends { readonly items: infer Items } ? Items : never;

/** Reads a whole list, however many pages it fills: for choices and counts, from which nothing may be missing. */
export function useReadAll<Name extends ListName>(
  name: Name,
  refetchMs: number | false = false,
): UseQueryResult<ItemsOf<Name>, Error> {
  const { id } = useBusiness();
  const client = useQueryClient();
  return useQuery<ItemsOf<Name>>({
    queryKey: readKey(id, name, 'all'),
    queryFn: async ({ signal }) => {
      const items: unknown[] = [];
      let next: { readonly cursor?: string } | undefined = {};
      while (next !== undefined) {
        const input = { query: { limit: 100, ...next } } as InputFor<Name>;
        const page = (await readOnce(client, id, name, input, signal)) as ListPage;
        items.push(...page.items);
        next = page.nextCursor === null ? undefined : { cursor: page.nextCursor };
      }
      return items as unknown as ItemsOf<Name>;
    },
    refetchInterval: refetchMs,
  });
}

/** @throws CallProblem */
async function readOnce<Name extends OperationName>(
  client: QueryClient,
  businessId: string,
  name: Name,
  input: InputFor<Name>,
  signal: AbortSignal,
): Promise<BodyFor<Name>> {
  const answer = await callFor(businessId, name, input, { signal, maxAttempts: 2 });
  if (answer.ok) return answer.body as BodyFor<Name>;
  const problem = new CallProblem(answer);
  noticeRemoval(client, problem);
  throw problem;
}

function readKey(businessId: string, name: OperationName, input: unknown): QueryKey {
  return [businessId, name, input];
}

/** Whoever was removed from the business, or has another role there, sees so at once. */
function noticeRemoval(client: QueryClient, problem: CallProblem): void {
  if (problem.answer.reason === 'business_not_found' || problem.missingPermissions.length > 0)
    void client.invalidateQueries({ queryKey: [ownKey] });
}

/** Calls an operation for the business on screen; what was read is then read again. Why it was refused is in words. */
export function useCall(): <Name extends OperationName>(
  name: Name,
  input: InputFor<Name>,
  options?: CallOptions,
) => Promise<AnswerOf<Name>> {
  const { id } = useBusiness();
  const client = useQueryClient();
  const wordsOf = useProblemWords();
  return async (name, input, options) => {
    const answer = await callFor(id, name, input, options);
    if (!answer.ok) noticeRemoval(client, new CallProblem(answer));
    await client.invalidateQueries({ queryKey: [id] });
    return answer.ok ? answer : { ...answer, message: wordsOf(answer) };
  };
}
