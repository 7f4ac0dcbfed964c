import { useQueryClient } from '@tanstack/react-query';
import type { InputFor } from '../../api/call.ts';
import { ownKey } from '../../api/use-own.ts';
import { useCall } from '../../api/use-read.ts';

type Changes = NonNullable<InputFor<'updateBusiness'>['body']>;

/** Changes settings of the business; its name and place are then read again for the frame too. */
export function useBusinessChange() {
  const call = useCall();
  const client = useQueryClient();
  return async (body: Changes) => {
    const answer = await call('updateBusiness', { body });
    await client.invalidateQueries({ queryKey: [ownKey] });
    return answer;
  };
}
