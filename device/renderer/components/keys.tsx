import type { ReactNode } from 'react';
import { Button as PressButton } from 'react-aria-components/Button';
import { useText } from '../words/words.ts';
import { DeleteIcon } from './icons.tsx';

interface KeysProps {
  readonly label: string;
  readonly onKey: (characters: string) => void;
  readonly onDelete: () => void;
  readonly disabled?: boolean;
  /** The action of the key left of 0. */
  readonly corner: { readonly label: string; readonly press: () => void };
}

function Key(props: { children: ReactNode; label?: string; onPress: () => void; disabled: boolean; quiet?: boolean }) {
  return (
    <PressButton
      className={`key${props.quiet ? ' key-quiet' : ''}`}
      isDisabled={props.disabled}
      onPress={props.onPress}
      // Keeps the focus where Enter continues, so that touch and keyboard can be mixed.
      preventFocusOnPress
      {...(props.label === undefined ? {} : { 'aria-label': props.label })}
    >
      {props.children}
    </PressButton>
  );
}

/** A key that enters a whole amount. */
export function QuickKey(props: {
  readonly children: ReactNode;
  readonly label: string;
  readonly onPress: () => void;
}) {
  return <Key {...props} quiet disabled={false} />;
}

/** Digits to tap. */
export function Keys({ label, onKey, onDelete, disabled = false, corner }: KeysProps) {
  const text = useText();
  return (
    <fieldset className="keys" aria-label={label}>
      {['1', '2', '3', '4', '5', '6', '7', '8', '9'].map(digit => (
        <Key key={digit} disabled={disabled} onPress={() => onKey(digit)}>
          {digit}
        </Key>
      ))}
      <Key disabled={disabled} quiet={corner.label.length > 2} onPress={corner.press}>
        {corner.label}
      </Key>
      <Key disabled={disabled} onPress={() => onKey('0')}>
        0
      </Key>
      <Key disabled={disabled} quiet label={text.keypad.deleteLast} onPress={onDelete}>
        <DeleteIcon />
      </Key>
    </fieldset>
  );
}
