import { TextStep } from '../components/text-step.tsx';
import { useText } from '../words/words.ts';

type NoteProps = {
  readonly kind: 'note' | 'table_number';
  readonly reference: string;
  readonly onDone: (reference: string) => void;
  readonly onBack: () => void;
};

/** Staff note what the sale is for, or at which table; nothing removes it. */
export function NoteScreen({ kind, reference, onDone, onBack }: NoteProps) {
  const text = useText();
  return (
    <TextStep
      name="sale_note"
      title={text.note.titles[kind]}
      below={<p className="find-hint">{text.note.hint}</p>}
      submit={text.note.done}
      keyboard="search"
      typed={reference}
      maxLength={40}
      mayBeEmpty
      onSubmit={onDone}
      onBack={onBack}
    />
  );
}
