import { createContext, type FormEvent, type ReactNode, use, useEffect, useRef } from 'react';
import { useActions } from '../actions.tsx';
import { useText } from '../words/words.ts';
import { Button } from './button.tsx';
import { BackIcon, Mark } from './icons.tsx';

/**
 * The meaning of the summary panel. `neutral`: money being taken, or nothing yet; `return`: money being returned;
 * `returned`: money that was returned.
 */
export type Tone = 'neutral' | 'success' | 'attention' | 'refused' | 'ended' | 'return' | 'returned';

interface FrameProps {
  readonly tone?: Tone;
  /** The coloured panel with the amount. */
  readonly summary?: ReactNode;
  /** Fields below the summary, next to the keypad that fills them. */
  readonly entry?: ReactNode;
  /** The work area; without it the summary takes the whole screen. */
  readonly children?: ReactNode;
  /** On-screen keyboard: takes the whole width under everything else. */
  readonly keyboard?: ReactNode;
  readonly actions?: ReactNode;
  /** Shows Back and handles Escape. */
  readonly onBack?: () => void;
  /** Where Back leads, if its own name does not say. */
  readonly backTo?: string;
  readonly onSubmit?: () => void;
  readonly name: string;
}

/** Whether this page is the customer's display, which shows what the terminal does and has no buttons. */
export const DisplayContext = createContext(false);

/** The layout shared by all screens. Focuses the first field, otherwise the heading, when the screen appears. */
export function Frame(props: FrameProps) {
  const text = useText();
  const { tone = 'neutral', summary, entry, children, keyboard, onBack, onSubmit, name } = props;
  const actions = use(DisplayContext) ? undefined : props.actions;
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    const first = place.current?.querySelector<HTMLElement>('[data-first]') ?? place.current?.querySelector('h1');
    first?.focus({ preventScroll: true });
  }, []);
  useEscape(onBack);

  const parts = (
    <>
      {summary === undefined ? null : (
        <div className="summary">
          {summary}
          <span className="watermark" aria-hidden="true">
            <Mark />
          </span>
        </div>
      )}
      {entry === undefined ? null : <div className="entry">{entry}</div>}
      {children === undefined ? null : <div className="work">{children}</div>}
      {keyboard}
      {actions === undefined && onBack === undefined ? null : (
        <div className="actions">
          {onBack === undefined ? null : (
            <Button onPress={onBack} icon={<BackIcon />} wide={actions === undefined}>
              {props.backTo ?? text.back}
            </Button>
          )}
          {actions}
        </div>
      )}
    </>
  );
  return (
    <main ref={place} className={`screen screen-${shapeOf(props)}`} data-tone={tone} data-screen={name}>
      {onSubmit === undefined ? (
        <div className="frame">{parts}</div>
      ) : (
        <form
          className="frame"
          autoComplete="off"
          noValidate
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            onSubmit();
          }}
        >
          {parts}
        </form>
      )}
    </main>
  );
}

function shapeOf({ summary, children, keyboard }: FrameProps): string {
  if (keyboard !== undefined) return 'keyboard';
  if (summary === undefined) return 'work-only';
  return children === undefined ? 'summary-only' : 'split';
}

function useEscape(onBack: (() => void) | undefined): void {
  const { active } = useActions();
  useEffect(() => {
    if (onBack === undefined || !active) return;
    const listen = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !event.repeat) onBack();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [onBack, active]);
}
