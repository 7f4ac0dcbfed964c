import { useState } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { isApple } from '../platform/browser.ts';
import { texts, useTexts } from '../words/texts.ts';
import { useWords } from '../words/words.ts';
import { useAreas } from './areas.ts';
import { areLettersOn, switchLetters } from './shortcuts.ts';
import { Segments } from './user-menu.tsx';

const keysTexts = texts({
  en: {
    title: 'Keyboard shortcuts',
    palette: 'Find a page, a payment or an action',
    filter: 'Go to the first filter',
    down: 'Next row',
    up: 'Previous row',
    open: 'Open the row',
    help: 'This list',
    enter: 'Enter',
    letters: 'Shortcuts of single letters',
    on: 'On',
    off: 'Off',
  },
  de: {
    title: 'Tastenkürzel',
    palette: 'Eine Seite, Zahlung oder Aktion suchen',
    filter: 'Zum ersten Filter',
    down: 'Nächste Zeile',
    up: 'Vorige Zeile',
    open: 'Zeile öffnen',
    help: 'Diese Liste',
    enter: 'Eingabe',
    letters: 'Kürzel aus einzelnen Buchstaben',
    on: 'An',
    off: 'Aus',
  },
});

/** The list of shortcuts. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const text = useTexts(keysTexts);
  const [isOn, setOn] = useState(areLettersOn);
  const shown = useAreas();
  const keys: readonly (readonly [readonly string[], string])[] = [
    [[isApple ? '⌘' : words.control, 'K'], text.palette],
    [['/'], text.filter],
    [['j'], text.down],
    [['k'], text.up],
    [[text.enter], text.open],
    ...shown.map(({ letter, name }) => [['g', letter], words.nav[name]] as const),
    [['?'], text.help],
  ];
  return (
    <Dialog title={text.title} onClose={onClose}>
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
        label={text.letters}
        value={isOn ? 'on' : 'off'}
        choices={[
          ['on', text.on],
          ['off', text.off],
        ]}
        onChange={value => {
          switchLetters(value === 'on');
          setOn(value === 'on');
        }}
      />
    </Dialog>
  );
}
