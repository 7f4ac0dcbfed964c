import type { ReactNode } from 'react';
import { useWords } from '../words/words.ts';
import { Button, type ButtonKind } from './button.tsx';
import { Notice } from './notice.tsx';

/** Why a form was not done; it is read out at once. */
export function FormProblem({ message }: { readonly message: string | undefined }) {
  if (message === undefined) return null;
  return (
    <Notice tone="refused" role="alert">
      {message}
    </Notice>
  );
}

type FormProps = {
  readonly onSubmit: (form: FormData) => void;
  /** What the button says. */
  readonly action: string;
  readonly kind?: ButtonKind;
  readonly isBusy: boolean;
  readonly message: string | undefined;
  /** Left out where there is nothing to go back to. */
  readonly onCancel?: (() => void) | undefined;
  readonly children: ReactNode;
};

/** A form with its button, and why it was not done. */
export function Form({ onSubmit, action, kind = 'primary', isBusy, message, onCancel, children }: FormProps) {
  const words = useWords();
  return (
    <form
      className="form"
      onSubmit={event => {
        event.preventDefault();
        onSubmit(new FormData(event.currentTarget));
      }}
    >
      <FormProblem message={message} />
      {children}
      <div className="form-actions">
        {onCancel === undefined ? null : <Button onClick={onCancel}>{words.actions.cancel}</Button>}
        <Button kind={kind} type="submit" isBusy={isBusy}>
          {action}
        </Button>
      </div>
    </form>
  );
}
