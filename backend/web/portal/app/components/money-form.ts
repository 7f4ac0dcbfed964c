import type { Done, NotDone } from '@florin/client/answer.ts';
import { useEffect, useState } from 'react';
import { issuesOf } from '../api/problem.ts';
import { keep, newKey, readKept } from '../platform/browser.ts';
import { timers } from '../platform/time.ts';

/**
 * How a form that moves money stands. Only `open` can be sent. `sending` and `checking` are locked: the request may have
 * been done, so the same one is repeated with the same Idempotency-Key until its end is known, also after a reload.
 */
export type MoneyState<Result> =
  | { readonly kind: 'open'; readonly problem?: NotDone; readonly issues: Readonly<Record<string, string>> }
  | { readonly kind: 'sending' }
  /** `isRepeated` once the request was sent from this page. */
  | { readonly kind: 'checking'; readonly isRepeated: boolean; readonly result?: Result }
  | { readonly kind: 'ended'; readonly result: Result };

type Kept<Body> = { readonly key: string; readonly body: Body };

type MoneyFormOptions<Body, Result> = {
  /** Names the form, so that its request is found again after a reload. */
  readonly id: string;
  readonly send: (
    body: Body,
    idempotencyKey: string,
  ) => Promise<Done<{ readonly status: number; readonly body: Result }> | NotDone>;
  /** Whether the outcome is known. */
  readonly isFinal: (result: Result) => boolean;
};

const repeatMs = 3_000;

const placeOf = (id: string) => `money ${id}`;

/** The request of a form whose outcome is not known yet, sent from this tab. */
export function keptRequest<Body>(id: string): Body | undefined {
  return (readKept(placeOf(id)) as Kept<Body> | undefined)?.body;
}

/** The state of a form that moves money, and how it is sent: once, whatever happens to the connection or the page. */
export function useMoneyForm<Body, Result>({ id, send, isFinal }: MoneyFormOptions<Body, Result>) {
  const place = placeOf(id);
  const [state, setState] = useState<MoneyState<Result>>(() =>
    readKept(place) === undefined ? { kind: 'open', issues: {} } : { kind: 'checking', isRepeated: false },
  );
  const sendOnce = async (kept: Kept<Body>) => {
    const answer = await send(kept.body, kept.key);
    if (answer.ok && isFinal(answer.body)) {
      keep(place, undefined);
      return setState({ kind: 'ended', result: answer.body });
    }
    if (answer.ok) return setState({ kind: 'checking', isRepeated: true, result: answer.body });
    if (answer.outcome === 'unknown') return setState({ kind: 'checking', isRepeated: true });
    // Refused, or never sent: nothing was done, and the user decides whether to try again.
    keep(place, undefined);
    return setState({ kind: 'open', problem: answer, issues: issuesOf(answer) });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: one repetition follows each state
  useEffect(() => {
    const kept = readKept(place) as Kept<Body> | undefined;
    if (state.kind !== 'checking' || kept === undefined) return;
    return timers.after(state.isRepeated ? repeatMs : 0, () => void sendOnce(kept));
  }, [state]);
  const submit = (body: Body) => {
    if (state.kind !== 'open') return;
    const kept = { key: newKey(), body };
    keep(place, kept);
    setState({ kind: 'sending' });
    void sendOnce(kept);
  };
  return { state, submit };
}
