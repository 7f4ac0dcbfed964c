import { useRef, useState } from 'react';
import { useActions } from '../actions.tsx';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { Frame } from '../components/frame.tsx';
import { SearchIcon } from '../components/icons.tsx';
import { deleteFrom, Keyboard, typeInto } from '../components/keyboard.tsx';
import { useText } from '../words/words.ts';
import type { ScreenProps } from './props.ts';

const maxTextLength = 100;

/** Staff type what they know of a sale, or scan its receipt. */
export function FindSaleScreen({ screen }: ScreenProps<'find_sale'>) {
  const text = useText();
  const { send } = useActions();
  const [typed, setTyped] = useState(screen.text);
  const input = useRef<HTMLInputElement>(null);
  const given = typed.trim();
  return (
    <Frame
      name="find_sale"
      onBack={() => void send({ name: 'back' })}
      onSubmit={() => {
        if (given !== '') void send({ name: 'search_sales', text: given });
      }}
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
        <Button look="primary" submits wide disabled={given === ''} icon={<SearchIcon />}>
          {text.findSale.submit}
        </Button>
      }
    >
      <div className="fields">
        <Field
          asHeading
          label={text.findSale.title}
          value={typed}
          onChange={setTyped}
          maxLength={maxTextLength}
          disabled={false}
          fieldRef={input}
        />
      </div>
      <p className="find-hint">{text.findSale.hint}</p>
    </Frame>
  );
}
