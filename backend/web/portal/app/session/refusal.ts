import type { NotDone } from '@florin/client/answer.ts';
import { useTexts } from '../words/texts.ts';
import { signInTexts } from './texts.ts';

type Words = Readonly<Record<string, string>>;

/** Why a step of the sign-in or a confirmation was refused, in words; a form may have its own for some reasons. */
export function useRefusal(own: Words = {}): (answer: NotDone) => string {
  const signIn = useTexts(signInTexts);
  return answer => {
    if (answer.outcome !== 'refused') return signIn.unreachable;
    if (answer.status === 429) {
      const seconds = answer.body.error.metadata?.retryAfterSeconds ?? 60;
      return signIn.limited(Math.ceil(seconds / 60));
    }
    const words: Words = { ...signIn.refusals, ...own };
    const reason = answer.status === 400 ? 'invalid' : (answer.reason ?? '');
    return words[reason] ?? answer.message;
  };
}
