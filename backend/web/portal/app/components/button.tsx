import type { ButtonHTMLAttributes } from 'react';
import { Icon, type IconName } from './icon.tsx';

/** `primary` is the thing to do, `money` moves money, `danger` revokes or deletes, `quiet` is everything else. */
export type ButtonKind = 'primary' | 'money' | 'danger' | 'quiet' | 'bare';

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly kind?: ButtonKind;
  readonly icon?: IconName;
  /** Under way: it keeps its width and takes no second press. */
  readonly isBusy?: boolean;
};

/** A button. While it is busy it stays focusable, so that the focus is not lost. */
export function Button({
  kind = 'quiet',
  icon,
  isBusy = false,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={`button button-${kind} ${rest.className ?? ''}`}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? event => event.preventDefault() : onClick}
    >
      {isBusy ? <span className="spinner" aria-hidden="true" /> : icon ? <Icon name={icon} /> : null}
      <span>{children}</span>
    </button>
  );
}

/** A button with an icon alone; its label is read out and shown as a hint. */
export function IconButton({
  icon,
  label,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { readonly icon: IconName; readonly label: string }) {
  return (
    <button {...rest} type="button" className={`icon-button ${rest.className ?? ''}`} aria-label={label} title={label}>
      <Icon name={icon} />
    </button>
  );
}
