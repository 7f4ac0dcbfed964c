import type { NotDone } from '@florin/client/answer.ts';
import { CallProblem } from '../api/problem.ts';
import { usePermissionNames } from './permissions.ts';
import { useWords } from './words.ts';

/** Why something was not done, in a sentence for the user. */
export function useProblemWords(): (answer: NotDone) => string {
  const { form, states } = useWords();
  const nameOf = usePermissionNames();
  return answer => {
    if (answer.outcome === 'unknown') return form.unknown;
    if (answer.outcome === 'not_done') return form.notSent;
    const missing = new CallProblem(answer).missingPermissions.map(nameOf);
    if (missing.length === 0) return answer.message;
    return `${states.notAllowed} ${states.forbiddenWhy(missing.join(', '))} ${states.forbiddenWho}`;
  };
}
