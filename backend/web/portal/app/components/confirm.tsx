import type { Done, NotDone } from '@florin/client/answer.ts';
import type { ReactNode } from 'react';
import { useWords } from '../words/words.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { FormProblem } from './form.tsx';
import { useWriteForm } from './write-form.ts';

type ConfirmProps<Body> = {
  /** Names the object, as a question. */
  readonly title: string;
  /** What the effect is, and whether it can be undone. */
  readonly children: ReactNode;
  readonly action: string;
  readonly kind?: 'danger' | 'primary';
  /** What it says of refusals for a reason. */
  readonly refusals?: Readonly<Record<string, string>>;
  readonly send: (idempotencyKey: string) => Promise<Done<{ readonly status: number; readonly body: Body }> | NotDone>;
  readonly onDone: (body: Body) => void;
  readonly onClose: () => void;
};

/** Asks before something that cannot be undone. It closes once that is done. */
export function Confirm<Body>({
  title,
  children,
  action,
  kind = 'danger',
  refusals,
  send,
  onDone,
  onClose,
}: ConfirmProps<Body>) {
  const words = useWords();
  const { submit, isBusy, message } = useWriteForm(refusals);
  const act = () =>
    void submit({
      send,
      onDone: (body: Body) => {
        onClose();
        onDone(body);
      },
    });
  return (
    <Dialog title={title} onClose={onClose}>
      <FormProblem message={message} />
      <div className="muted">{children}</div>
      <div className="form-actions">
        <Button onClick={onClose}>{words.actions.cancel}</Button>
        <Button kind={kind} isBusy={isBusy} onClick={act}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
