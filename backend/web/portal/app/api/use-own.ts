import type { CallOptions } from '@florin/client/call.ts';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { type AnswerOf, type BodyFor, callOwn, type InputFor, type OwnOperationName } from './call.ts';
import { bodyOf } from './problem.ts';

/** What was read of the user; all of it is read again after a change. */
export const ownKey = 'me';

/** Reads the sessions of the user. */
export function useSessions(): UseQueryResult<BodyFor<'listSessions'>, Error> {
  return useQuery({
    queryKey: [ownKey, 'sessions'],
    queryFn: async () => bodyOf(await callOwn('listSessions', {})),
    refetchInterval: 60_000,
  });
}

/** Calls an operation of the user's own account; what was read of the user is then read again. */
export function useOwnCall(): <Called extends OwnOperationName>(
  name: Called,
  input: InputFor<Called>,
  options?: CallOptions,
) => Promise<AnswerOf<Called>> {
  const client = useQueryClient();
  return async (name, input, options) => {
    const answer = await callOwn(name, input, options);
    await client.invalidateQueries({ queryKey: [ownKey] });
    return answer;
  };
}
