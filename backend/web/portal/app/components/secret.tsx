import type { ReactNode } from 'react';
import { useWords } from '../words/words.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from './notice.tsx';
import { CopyButton } from './values.tsx';

type SecretProps = {
  readonly title: string;
  /** Null where it was shown before. */
  readonly secret: string | null;
  /** What it is, and that it is shown once. */
  readonly why: string;
  /** What to do where it was shown before. */
  readonly gone: string;
  readonly onClose: () => void;
  readonly children?: ReactNode;
};

/** A secret that was just made, shown once. */
export function SecretDialog({ title, secret, why, gone, onClose, children }: SecretProps) {
  const words = useWords();
  return (
    <Dialog title={title} onClose={onClose}>
      {secret === null ? (
        <Notice tone="attention">{gone}</Notice>
      ) : (
        <>
          <p className="muted">{why}</p>
          <div className="copy-line">
            <code>{secret}</code>
            <CopyButton text={secret} kind="primary" />
          </div>
          {children}
        </>
      )}
      <div className="form-actions">
        <Button onClick={onClose}>{words.actions.done}</Button>
      </div>
    </Dialog>
  );
}
