import type { ReactNode } from 'react';
import { Button as PressButton } from 'react-aria-components/Button';

interface ButtonProps {
  readonly children: ReactNode;
  /**
   * `primary`: the main action of the screen. `return`: a main action that returns money. `plain`: all others.
   * `onSummary`: on the summary panel.
   */
  readonly look?: 'primary' | 'return' | 'plain' | 'onSummary';
  readonly onPress?: () => void;
  readonly submits?: boolean;
  readonly disabled?: boolean;
  /** Why it is disabled, in the button's place. */
  readonly reason?: string | undefined;
  /** Shows that the action of this button is in progress. */
  readonly busy?: boolean;
  readonly icon?: ReactNode;
  readonly wide?: boolean;
}

/** The button of all screens. It cannot be pressed while `busy`, or as long as there is a `reason`. */
export function Button(props: ButtonProps) {
  const { children, look = 'plain', onPress, submits, disabled, reason, busy, icon, wide } = props;
  return (
    <PressButton
      className={`button button-${look}${wide ? ' button-wide' : ''}`}
      type={submits ? 'submit' : 'button'}
      isDisabled={disabled === true || busy === true || reason !== undefined}
      {...(onPress === undefined ? {} : { onPress })}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : icon}
      <span className="button-words">
        {children}
        {reason === undefined ? null : <span className="button-reason">{reason}</span>}
      </span>
    </PressButton>
  );
}
