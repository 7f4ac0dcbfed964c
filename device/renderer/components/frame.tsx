import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { useIntents } from '../intents.tsx';
import { text } from '../text.ts';
import { Button } from './button.tsx';
import { BackIcon } from './icons.tsx';

/** What the coloured panel means. `neutral` is money under way or nothing yet. */
export type Tone = 'neutral' | 'success' | 'attention' | 'refused' | 'ended';

interface FrameProps {
  readonly tone?: Tone;
  /** The coloured panel: which money this is about. */
  readonly tally?: ReactNode;
  /** The side where the work is done; without it the panel takes the whole screen. */
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** Shows Back, and lets Escape do the same. */
  readonly onBack?: () => void;
  readonly onSubmit?: () => void;
  readonly name: string;
}

/** The layout all screens share. Moves the focus to the first field, or else the heading, when the screen appears. */
export function Frame({ tone = 'neutral', tally, children, actions, onBack, onSubmit, name }: FrameProps) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    const first = place.current?.querySelector<HTMLElement>('[data-first]') ?? place.current?.querySelector('h1');
    first?.focus({ preventScroll: true });
  }, []);
  useEscape(onBack);

  const bar =
    actions === undefined && onBack === undefined ? null : (
      <div className="actions">
        {onBack === undefined ? null : (
          <Button onPress={onBack} icon={<BackIcon />} wide={actions === undefined && children === undefined}>
            {text.back}
          </Button>
        )}
        {actions}
      </div>
    );
  const work = (
    <>
      {children === undefined ? null : <div className="work-body">{children}</div>}
      {bar}
    </>
  );
  const shape = tally === undefined ? 'work-only' : children === undefined ? 'tally-only' : 'split';
  return (
    <main ref={place} className={`screen screen-${shape}`} data-tone={tone} data-screen={name}>
      {tally === undefined ? null : <div className="tally">{tally}</div>}
      {onSubmit === undefined ? (
        <div className="work">{work}</div>
      ) : (
        <form
          className="work"
          autoComplete="off"
          noValidate
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            onSubmit();
          }}
        >
          {work}
        </form>
      )}
    </main>
  );
}

function useEscape(onBack: (() => void) | undefined): void {
  const { active } = useIntents();
  useEffect(() => {
    if (onBack === undefined || !active) return;
    const listen = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !event.repeat) onBack();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [onBack, active]);
}
