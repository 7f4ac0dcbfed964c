import { useRef, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { Frame } from '../components/frame.tsx';
import { deleteFrom, Keyboard, typeInto } from '../components/keyboard.tsx';
import { useText } from '../words/words.ts';

const maxLength = 40;

type NoteProps = {
  readonly kind: 'note' | 'table_number';
  readonly reference: string;
  readonly onDone: (reference: string) => void;
  readonly onBack: () => void;
};

/** Staff note what the sale is for, or at which table; nothing removes it. */
export function NoteScreen({ kind, reference, onDone, onBack }: NoteProps) {
  const text = useText();
  const [typed, setTyped] = useState(reference);
  const input = useRef<HTMLInputElement>(null);
  return (
    <Frame
      name="sale_note"
      onBack={onBack}
      onSubmit={() => onDone(typed.trim())}
      keyboard={
        <Keyboard
          kind="search"
          label={text.keyboard.title}
          disabled={false}
          onKey={character => typeInto(input, character)}
          onDelete={() => deleteFrom(input)}
        />
      }
      actions={
        <Button look="primary" submits wide>
          {text.note.done}
        </Button>
      }
    >
      <div className="fields">
        <Field
          asHeading
          label={text.note.titles[kind]}
          value={typed}
          onChange={setTyped}
          maxLength={maxLength}
          disabled={false}
          fieldRef={input}
        />
      </div>
      <p className="find-hint">{text.note.hint}</p>
    </Frame>
  );
}
