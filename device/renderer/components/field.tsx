import { type RefObject, useEffect, useId, useRef } from 'react';

interface FieldProps {
  readonly label: string;
  /** The label is the heading of the screen. */
  readonly asHeading?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly maxLength: number;
  readonly disabled: boolean;
  /** Wide letter spacing, for codes copied from another screen. */
  readonly spaced?: boolean;
  /** Focuses the field again when this changes, so that a refused entry can be corrected at once. */
  readonly attempt?: unknown;
  /** The input, for keys that type at its caret. */
  readonly fieldRef?: RefObject<HTMLInputElement | null>;
}

/** The label of a field, which may be the heading of its screen. */
export function FieldLabel({
  htmlFor,
  asHeading,
  children,
}: {
  htmlFor: string;
  asHeading: boolean;
  children: string;
}) {
  const label = <label htmlFor={htmlFor}>{children}</label>;
  return asHeading ? (
    <h1 className="work-title" tabIndex={-1}>
      {label}
    </h1>
  ) : (
    label
  );
}

/** A large single-line field with focus; on-screen keys are beside it, so no touch keyboard opens. */
export function Field(props: FieldProps) {
  const { label, asHeading = false, value, onChange, maxLength, disabled, spaced, attempt, fieldRef } = props;
  const id = useId();
  const own = useRef<HTMLInputElement>(null);
  const input = fieldRef ?? own;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs because there was a new attempt
  useEffect(() => input.current?.focus({ preventScroll: true }), [attempt, disabled]);
  return (
    <div className="field">
      <FieldLabel htmlFor={id} asHeading={asHeading}>
        {label}
      </FieldLabel>
      <input
        ref={input}
        id={id}
        data-first
        className={spaced ? 'field-spaced' : ''}
        value={value}
        onChange={event => onChange(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Escape' || value === '') return;
          event.preventDefault();
          onChange('');
        }}
        maxLength={maxLength}
        readOnly={disabled}
        inputMode="none"
        autoComplete="off"
        autoCorrect="off"
        autoCapitalize="off"
        spellCheck={false}
      />
    </div>
  );
}
