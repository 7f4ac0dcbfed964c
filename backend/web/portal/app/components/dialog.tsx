import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useWords } from '../words/words.ts';
import { IconButton } from './button.tsx';

type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** `drawer` stands at the side, and at the bottom of a narrow screen. */
  readonly shape?: 'dialog' | 'drawer';
  /** Set while closing would lose sight of money that is under way. */
  readonly isHeld?: boolean;
  readonly className?: string;
};

const firstField = '[data-first], .dialog-body :is(input, select, textarea):not(:disabled, [readonly])';

/** A modal dialog on the browser's own element: it keeps the focus, closes on Escape and gives the focus back. */
export function Dialog({ title, onClose, children, shape = 'dialog', isHeld = false, className = '' }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const words = useWords();
  useEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    dialog?.showModal();
    // The browser begins at the button that closes it. Where a keyboard would cover a small screen, that is left so.
    const first = dialog?.querySelector<HTMLElement>(
      matchMedia('(pointer: fine)').matches ? firstField : '[data-first]',
    );
    first?.focus();
    return () => {
      dialog?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      className={`${shape} ${className}`}
      aria-labelledby={titleId}
      onCancel={event => {
        event.preventDefault();
        if (!isHeld) onClose();
      }}
    >
      <header className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        {isHeld ? null : <IconButton icon="cross" label={words.actions.close} onClick={onClose} />}
      </header>
      <div className="dialog-body">{children}</div>
    </dialog>
  );
}
