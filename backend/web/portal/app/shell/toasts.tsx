import { useSyncExternalStore } from 'react';
import { Button, IconButton } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { timers } from '../platform/time.ts';
import { useWords } from '../words/words.ts';
import { type Toast, withToast } from './toast-list.ts';

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
const shownMs = 8_000;
/** While one is pointed at or has the focus, none leaves. */
let isHeld = false;

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

const dismiss = (id: number) => change(toasts.filter(toast => toast.id !== id));

function leaveLater(id: number): void {
  timers.after(shownMs, () => (isHeld ? leaveLater(id) : dismiss(id)));
}

function show(added: Omit<Toast, 'id'>): void {
  lastId += 1;
  change(withToast(toasts, { ...added, id: lastId }));
  if (added.tone === 'done') leaveLater(lastId);
}

/** Says what was done, for eight seconds, and how to undo it where it can be. */
export const toast = (message: string, undo?: () => void): void => show({ tone: 'done', message, undo });

/** Says why something was not done, until it is dismissed. */
export const complain = (message: string): void => show({ tone: 'problem', message });

type Answer = { readonly ok: true } | { readonly ok: false; readonly message: string };

/** Says that something was done, or why it was not. */
export const report = (answer: Answer, done: string): void => (answer.ok ? toast(done) : complain(answer.message));

/** What was just done, below the page; read out without interrupting, each message once. */
export function Toasts() {
  const shown = useSyncExternalStore(
    listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  const hold = () => {
    isHeld = true;
  };
  const release = () => {
    isHeld = false;
  };
  return (
    <div
      className="toasts"
      role="status"
      aria-atomic="false"
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      {shown.map(each => (
        <Shown key={each.id} toast={each} />
      ))}
    </div>
  );
}

function Shown({ toast: { id, tone, message, undo } }: { readonly toast: Toast }) {
  const words = useWords();
  // Where it was pressed is gone then, and with it what is pointed at.
  const close = () => {
    isHeld = false;
    dismiss(id);
  };
  return (
    <div className={`toast toast-${tone}`}>
      <Icon name={tone === 'done' ? 'check' : 'problems'} />
      <p>{message}</p>
      {undo ? (
        <Button
          kind="bare"
          onClick={() => {
            undo();
            close();
          }}
        >
          {words.actions.undo}
        </Button>
      ) : null}
      {tone === 'problem' ? <IconButton icon="cross" label={words.actions.dismiss} onClick={close} /> : null}
    </div>
  );
}
