import { type ReactNode, useRef, useState } from 'react';
import { useText } from '../words/words.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { Frame, type Tone } from './frame.tsx';
import { deleteFrom, Keyboard, typeInto } from './keyboard.tsx';

interface TextStepProps {
  /** Of the screen. */
  readonly name: string;
  readonly title: string;
  /** Below the field. */
  readonly below: ReactNode;
  readonly submit: string;
  readonly icon?: ReactNode;
  readonly keyboard: 'search' | 'email';
  readonly typed: string;
  readonly maxLength: number;
  /** Whether nothing typed is an answer too. */
  readonly mayBeEmpty?: boolean;
  readonly isBusy?: boolean;
  /** Focuses the field again when this changes. */
  readonly attempt?: unknown;
  readonly tone?: Tone;
  readonly summary?: ReactNode;
  readonly onSubmit: (text: string) => void;
  readonly onBack: () => void;
}

/** A step in which staff type one text, on the keys of the screen or on a keyboard. */
export function TextStep(props: TextStepProps) {
  const { name, title, below, submit, icon, keyboard, maxLength, attempt, onSubmit, onBack } = props;
  const { mayBeEmpty = false, isBusy = false, tone = 'neutral', summary } = props;
  const text = useText();
  const [typed, setTyped] = useState(props.typed);
  const input = useRef<HTMLInputElement>(null);
  const given = typed.trim();
  const isMissing = given === '' && !mayBeEmpty;
  return (
    <Frame
      name={name}
      tone={tone}
      summary={summary}
      onBack={onBack}
      onSubmit={() => {
        if (!isMissing && !isBusy) onSubmit(given);
      }}
      keyboard={
        <Keyboard
          kind={keyboard}
          label={text.keyboard.title}
          disabled={isBusy}
          onKey={character => typeInto(input, character)}
          onDelete={() => deleteFrom(input)}
        />
      }
      actions={
        <Button look="primary" submits wide busy={isBusy} disabled={isMissing} icon={icon}>
          {submit}
        </Button>
      }
    >
      <div className="fields">
        <Field
          asHeading
          label={title}
          value={typed}
          onChange={setTyped}
          maxLength={maxLength}
          disabled={isBusy}
          attempt={attempt}
          fieldRef={input}
        />
      </div>
      {below}
    </Frame>
  );
}
