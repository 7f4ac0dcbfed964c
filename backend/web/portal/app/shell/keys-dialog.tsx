import { useState } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { isApple } from '../platform/browser.ts';
import { useWords } from '../words/words.ts';
import { useAreas } from './areas.ts';
import { areLettersOn, switchLetters } from './shortcuts.ts';
import { Segments } from './user-menu.tsx';

/** The list of shortcuts. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const [isOn, setOn] = useState(areLettersOn);
  const shown = useAreas();
  const keys: readonly (readonly [readonly string[], string])[] = [
    [[isApple ? '⌘' : words.keys.control, 'K'], words.keys.palette],
    [['/'], words.keys.filter],
    [['j'], words.keys.down],
    [['k'], words.keys.up],
    [[words.keys.enter], words.keys.open],
    ...shown.map(({ letter, name }) => [['g', letter], words.nav[name]] as const),
    [['?'], words.keys.help],
  ];
  return (
    <Dialog title={words.keys.title} onClose={onClose}>
      <dl className="keys">
        {keys.map(([pressed, what]) => (
          <div key={what}>
            <dt>
              {pressed.map(key => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <Segments
        label={words.keys.letters}
        value={isOn ? 'on' : 'off'}
        choices={[
          ['on', words.keys.on],
          ['off', words.keys.off],
        ]}
        onChange={value => {
          switchLetters(value === 'on');
          setOn(value === 'on');
        }}
      />
    </Dialog>
  );
}
