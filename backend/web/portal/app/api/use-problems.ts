import type { ProblemRecord } from '@florin/shared/contracts/api-v1/problems.ts';
import { useMaySee } from '../session/session.ts';
import { useRead } from './use-read.ts';

const none: readonly ProblemRecord[] = [];

/** What needs a person in the business on screen, read once for the whole portal. */
export function useProblems() {
  const maySee = useMaySee();
  const read = useRead('listProblems', {}, { enabled: maySee('problems'), refetchMs: 30_000 });
  const items = read.data?.items ?? none;
  return { read, items, toDo: items.filter(({ severity }) => severity === 'act').length };
}
