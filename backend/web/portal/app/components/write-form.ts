import type { Done, NotDone } from '@florin/client/answer.ts';
import { useEffect, useState } from 'react';
import { issuesOf } from '../api/problem.ts';
import { newKey } from '../platform/browser.ts';
import { useProblemWords } from '../words/problem-words.ts';
import { useWords } from '../words/words.ts';

type Writing<Body> = {
  readonly send: (idempotencyKey: string) => Promise<Done<{ readonly status: number; readonly body: Body }> | NotDone>;
  readonly onDone: (body: Body) => void;
};

/** What a form says of refusals for a reason: a sentence, or a field and the sentence beside it. */
type Refusals = Readonly<Record<string, string | readonly [field: string, words: string]>>;

/**
 * A form that changes something other than money. What the service refuses is shown at its field; a request without an
 * answer is repeated with its Idempotency-Key when the button is pressed again.
 */
export function useWriteForm(refusals: Refusals = {}) {
  const words = useWords();
  const wordsOf = useProblemWords();
  const [isBusy, setBusy] = useState(false);
  const [key, setKey] = useState(newKey);
  const [failure, setFailure] = useState<NotDone>();
  const submit = async <Body>({ send, onDone }: Writing<Body>): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setFailure(undefined);
    const answer = await send(key);
    setBusy(false);
    if (answer.ok || answer.outcome !== 'unknown') setKey(newKey());
    if (answer.ok) onDone(answer.body);
    else setFailure(answer);
  };
  const known = refusals[failure?.reason ?? ''];
  const issues: Readonly<Record<string, string>> =
    failure === undefined ? {} : typeof known === 'object' ? { [known[0]]: known[1] } : issuesOf(failure);
  const sentence = typeof known === 'string' ? known : failure && wordsOf(failure);
  const hasIssues = Object.keys(issues).length > 0;
  const message = hasIssues ? words.form.problem : sentence;
  useEffect(() => {
    if (failure !== undefined && hasIssues) document.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [failure, hasIssues]);
  return { submit, isBusy, issues, message };
}
