import { customerLanguages, type InCustomerLanguages } from '@florin/shared/languages.ts';
import { use, useRef } from 'react';
import { useActions } from '../actions.tsx';
import { HeaderContext } from '../formats.tsx';
import { useText } from '../words/words.ts';
import { Button } from './button.tsx';
import { LanguageIcon } from './icons.tsx';

/** Each in its own language, for those who do not read the current one. */
const names: InCustomerLanguages<string> = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' };

interface LanguageButtonProps {
  /** Shows the name of the language instead of its code. */
  readonly isNamed?: boolean;
  readonly look?: 'plain' | 'onSummary';
}

/** Opens the choice of languages. The core decides whose language it is. */
export function LanguageButton({ isNamed = false, look = 'plain' }: LanguageButtonProps) {
  const text = useText();
  const { send } = useActions();
  const { language } = use(HeaderContext);
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <Button look={look} icon={<LanguageIcon />} onPress={() => dialog.current?.showModal()}>
        <span className="visually-hidden">{text.languageIs} </span>
        {isNamed ? names[language] : <abbr title={names[language]}>{language.toUpperCase()}</abbr>}
      </Button>
      <dialog
        ref={dialog}
        className="languages"
        aria-label={text.language}
        // What is typed here is not meant for the screen below.
        onKeyDown={event => event.stopPropagation()}
        onClick={event => {
          if (event.target === event.currentTarget) event.currentTarget.close();
        }}
      >
        <div className="languages-choice">
          {customerLanguages.map(each => (
            <span key={each} lang={each}>
              <Button
                wide
                look={each === language ? 'primary' : 'plain'}
                onPress={() => {
                  dialog.current?.close();
                  // Closing focuses the button again, but what is typed next is meant for the screen below.
                  const field = dialog.current?.closest('.screen')?.querySelector<HTMLElement>('[data-first]');
                  if (field) field.focus();
                  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
                  if (each !== language) void send({ name: 'choose_language', language: each });
                }}
              >
                {names[each]}
              </Button>
            </span>
          ))}
        </div>
      </dialog>
    </>
  );
}
