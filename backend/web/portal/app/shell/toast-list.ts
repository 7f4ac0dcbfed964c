/** What was just done, or why it was not. */
export type Toast = {
  readonly id: number;
  /** A problem stays until it is dismissed; what was done leaves by itself. */
  readonly tone: 'done' | 'problem';
  readonly message: string;
  readonly undo?: (() => void) | undefined;
};

/** More than this many could not be read, and cover the page. */
export const mostToasts = 3;

/** Adds one. The same message is shown once; where there are too many, what was done leaves before problems, the oldest first. */
export function withToast(toasts: readonly Toast[], added: Toast): readonly Toast[] {
  const others = toasts.filter(({ tone, message }) => tone !== added.tone || message !== added.message);
  if (others.length < mostToasts) return [...others, added];
  const leaving = others.find(({ tone }) => tone === 'done') ?? others[0];
  return [...others.filter(toast => toast !== leaving), added];
}
