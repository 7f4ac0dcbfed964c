import { useSyncExternalStore } from 'react';

/** What the portal asks the user for over the page, so that what they typed there is kept. */
export type Prompt = 'sign-in' | 'step-up';

type Open = { readonly prompt: Prompt; readonly answer: Promise<boolean>; readonly close: (given: boolean) => void };

let open: Open | undefined;
const listeners = new Set<() => void>();

function change(to: Open | undefined): void {
  open = to;
  for (const listener of listeners) listener();
}

/** Asks once, however many calls need it at the same time. Resolves to whether it was given. */
export function ask(prompt: Prompt): Promise<boolean> {
  if (open?.prompt === prompt) return open.answer;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const close = (given: boolean) => {
    change(undefined);
    resolve(given);
  };
  change({ prompt, answer: promise, close });
  return promise;
}

/** The prompt on screen, if any, and what closes it. */
export function usePrompt(): Omit<Open, 'answer'> | undefined {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
}
