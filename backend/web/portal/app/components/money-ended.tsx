import type { ReactNode } from 'react';
import { useWords } from '../words/words.ts';
import { Button } from './button.tsx';
import { Notice, type Tone } from './notice.tsx';

type EndedProps = {
  readonly tone: Tone;
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
};

/** How a form that moves money ended: what happened, and what follows from it. */
export function MoneyEnded({ tone, title, children, onClose }: EndedProps) {
  const words = useWords();
  return (
    <div className="form">
      <Notice tone={tone} role="status" title={title}>
        {children}
      </Notice>
      <div className="form-actions">
        <Button kind="primary" onClick={onClose}>
          {words.actions.done}
        </Button>
      </div>
    </div>
  );
}
