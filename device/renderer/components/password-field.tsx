import { type RefObject, useEffect, useId, useState } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { useText } from '../words/words.ts';
import { FieldLabel } from './field.tsx';
import { EyeIcon } from './icons.tsx';

interface PasswordFieldProps {
  readonly label: string;
  /** The label is the heading of the screen. */
  readonly asHeading?: boolean;
  /** The only place that holds the password: it is read and emptied when sent. */
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onInput: () => void;
  /** The on-screen keyboard types into the field that was last focused. */
  readonly onFocus?: () => void;
  /** Called on Enter when the form is not sent, for example while its button is disabled. */
  readonly onEnter?: () => void;
  readonly disabled: boolean;
  readonly first?: boolean;
  readonly describedBy?: string;
  /** Focuses the field again when this changes. */
  readonly attempt?: unknown;
}

/** Empties a password field and returns its content. */
export function takePassword(input: RefObject<HTMLInputElement | null>): string {
  const password = input.current?.value ?? '';
  if (input.current !== null) input.current.value = '';
  return password;
}

/** A field whose content is never in React's state. Escape empties it, and a button shows the password. */
export function PasswordField(props: PasswordFieldProps) {
  const text = useText();
  const { label, asHeading, input, onInput, onFocus, onEnter, disabled, first, describedBy, attempt } = props;
  const id = useId();
  const [shown, setShown] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs because there was a new attempt
  useEffect(() => {
    if (first && !disabled) input.current?.focus({ preventScroll: true });
  }, [attempt, disabled, first, input]);
  return (
    <div className="field">
      <FieldLabel htmlFor={id} asHeading={asHeading ?? false}>
        {label}
      </FieldLabel>
      <div className="field-box">
        <input
          ref={input}
          id={id}
          {...(first ? { 'data-first': true } : {})}
          {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
          type={shown ? 'text' : 'password'}
          onInput={onInput}
          onFocus={onFocus}
          onKeyDown={event => {
            if (event.key === 'Enter') onEnter?.();
            if (event.key !== 'Escape' || event.currentTarget.value === '') return;
            event.preventDefault();
            event.currentTarget.value = '';
            onInput();
          }}
          maxLength={512}
          readOnly={disabled}
          // Florin shows its own on-screen keyboard.
          inputMode="none"
          autoComplete="off"
          autoCorrect="off"
          autoCapitalize="off"
          spellCheck={false}
        />
        <ToggleButton
          className="field-toggle"
          aria-label={text.password.showLabel}
          isSelected={shown}
          onChange={setShown}
          preventFocusOnPress
        >
          <EyeIcon off={shown} />
        </ToggleButton>
      </div>
    </div>
  );
}
