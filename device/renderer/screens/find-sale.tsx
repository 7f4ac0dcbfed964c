import { useActions } from '../actions.tsx';
import { SearchIcon } from '../components/icons.tsx';
import { TextStep } from '../components/text-step.tsx';
import { useText } from '../words/words.ts';
import type { ScreenProps } from './props.ts';

/** Staff type what they know of a sale, or scan its receipt. */
export function FindSaleScreen({ screen }: ScreenProps<'find_sale'>) {
  const text = useText();
  const { send } = useActions();
  return (
    <TextStep
      name="find_sale"
      title={text.findSale.title}
      below={<p className="find-hint">{text.findSale.hint}</p>}
      submit={text.findSale.submit}
      icon={<SearchIcon />}
      keyboard="search"
      typed={screen.text}
      maxLength={100}
      onSubmit={given => void send({ name: 'search_sales', text: given })}
      onBack={() => void send({ name: 'back' })}
    />
  );
}
