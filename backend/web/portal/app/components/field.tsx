import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from 'react';
import { useWords } from '../words/words.ts';
import { IconButton } from './button.tsx';

type About = {
  readonly label: string;
  /** What it is for, below the field. */
  readonly hint?: ReactNode;
  /** What is wrong with what was entered, by the page or by the service. */
  readonly issue?: string | undefined;
};

function Framed({ id, label, hint, issue, children }: About & { readonly id: string; readonly children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
      {issue === undefined ? null : (
        <p className="field-issue" id={`${id}-issue`}>
          {issue}
        </p>
      )}
      {hint === undefined ? null : (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

function described(id: string, { hint, issue }: About) {
  const parts = [issue === undefined ? [] : [`${id}-issue`], hint === undefined ? [] : [`${id}-hint`]].flat();
  return {
    'aria-invalid': issue === undefined ? undefined : true,
    'aria-describedby': parts.length === 0 ? undefined : parts.join(' '),
  };
}

type TextFieldProps = About & Omit<InputHTMLAttributes<HTMLInputElement>, 'id'> & { readonly end?: ReactNode };

/** A field for a line of text. */
export function TextField({ label, hint, issue, end, ...rest }: TextFieldProps) {
  const id = useId();
  return (
    <Framed id={id} label={label} hint={hint} issue={issue}>
      <span className="input-frame">
        <input {...rest} id={id} className="input" {...described(id, { label, hint, issue })} />
        {end}
      </span>
    </Framed>
  );
}

/** A field for a password or another secret, which can be shown. */
export function PasswordField(props: TextFieldProps) {
  const [isShown, setShown] = useState(false);
  const words = useWords();
  const label = isShown ? words.form.hide : words.form.show;
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      end={<IconButton icon="eye" label={label} aria-pressed={isShown} onClick={() => setShown(!isShown)} />}
    />
  );
}

type LinesFieldProps = About & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id'>;

/** A field for text of several lines. */
export function LinesField({ label, hint, issue, ...rest }: LinesFieldProps) {
  const id = useId();
  return (
    <Framed id={id} label={label} hint={hint} issue={issue}>
      <textarea
        {...rest}
        id={id}
        className={`input ${rest.className ?? ''}`}
        {...described(id, { label, hint, issue })}
      />
    </Framed>
  );
}

/** A field for a password that the user chooses. */
export function NewPasswordField(props: Pick<TextFieldProps, 'label' | 'name' | 'issue'>) {
  const words = useWords();
  return (
    <PasswordField
      {...props}
      hint={words.form.newPasswordHint}
      autoComplete="new-password"
      minLength={12}
      maxLength={128}
      required
    />
  );
}

type SelectFieldProps = About &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id'> & {
    readonly choices: readonly (readonly [value: string, label: string, isDisabled?: boolean])[];
  };

/** A choice of one. */
export function SelectField({ label, hint, issue, choices, ...rest }: SelectFieldProps) {
  const id = useId();
  return (
    <Framed id={id} label={label} hint={hint} issue={issue}>
      <select {...rest} id={id} className="input select" {...described(id, { label, hint, issue })}>
        {choices.map(([value, text, isDisabled]) => (
          <option key={value} value={value} disabled={isDisabled}>
            {text}
          </option>
        ))}
      </select>
    </Framed>
  );
}

type CheckFieldProps = About &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'type'> & {
    /** `radio` where one of several with the same name is chosen. */
    readonly type?: 'checkbox' | 'radio';
  };

/** A choice of yes or no. */
export function CheckField({ label, hint, type = 'checkbox', ...rest }: CheckFieldProps) {
  const id = useId();
  return (
    <div className="check">
      <input {...rest} id={id} type={type} {...described(id, { label, hint })} />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint === undefined ? null : (
          <p className="field-hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

type CheckGroupProps = About & { readonly children: ReactNode };

/** Several choices of yes or no that belong together. */
export function CheckGroup({ label, hint, issue, children }: CheckGroupProps) {
  const id = useId();
  return (
    <fieldset className="check-group" {...described(id, { label, hint, issue })}>
      <legend>{label}</legend>
      {issue === undefined ? null : (
        <p className="field-issue" id={`${id}-issue`}>
          {issue}
        </p>
      )}
      {hint === undefined ? null : (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children}
    </fieldset>
  );
}
