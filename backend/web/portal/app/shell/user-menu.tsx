import { languages } from '@florin/shared/languages.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { callOwn } from '../api/call.ts';
import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { useMe } from '../session/session.ts';
import { useChangeLanguage } from '../words/language-provider.tsx';
import { useLanguage } from '../words/texts.ts';
import { useWords } from '../words/words.ts';
import { PageLink } from './page-link.tsx';
import { changeTheme, currentTheme, type Theme } from './theme.ts';
import { complain } from './toasts.tsx';

/** The user: appearance, language, sign-out. */
export function UserMenu({ onKeys }: Pick<UserSettingsProps, 'onKeys'>) {
  const words = useWords();
  const { name, email } = useMe();
  return (
    <Menu
      label={words.user.label}
      className="user-menu"
      button={
        <>
          <span className="avatar" aria-hidden="true">
            {initialsOf(name)}
          </span>
          <span className="switcher-words">
            <strong>{name}</strong>
            <small>{email}</small>
          </span>
          <Icon name="down" />
        </>
      }
    >
      {close => (
        <UserSettings
          onLeave={close}
          onKeys={
            onKeys &&
            (() => {
              close();
              onKeys();
            })
          }
        />
      )}
    </Menu>
  );
}

const initialsOf = (name: string) => {
  const parts = name.split(/\s+/).filter(part => part !== '');
  return [parts[0], parts.length > 1 ? parts.at(-1) : undefined]
    .map(part => part?.[0] ?? '')
    .join('')
    .toUpperCase();
};

type UserSettingsProps = {
  /** Shows the shortcuts, where there are any. */
  readonly onKeys?: (() => void) | undefined;
  readonly onLeave?: () => void;
};

/** What the user decides for themselves. */
export function UserSettings({ onKeys, onLeave }: UserSettingsProps) {
  const words = useWords();
  const client = useQueryClient();
  const navigate = useNavigate();
  const signOut = async () => {
    const answer = await callOwn('signOut', {}, { isQuiet: true });
    // Without a session there is nothing to end; without an answer it may still be open.
    if (!answer.ok && answer.status !== 401) return complain(words.user.notSignedOut);
    client.clear();
    await navigate({ to: '/sign-in' });
  };
  return (
    <div className="user-settings">
      <ThemeChoice />
      <LanguageChoice isSignedIn />
      <PageLink path="/me" className="choice" {...(onLeave ? { onClick: onLeave } : {})}>
        <Icon name="user" />
        <span>{words.user.account}</span>
      </PageLink>
      {onKeys === undefined ? null : (
        <button type="button" className="choice" onClick={onKeys}>
          <Icon name="info" />
          <span>{words.user.keys}</span>
        </button>
      )}
      <button type="button" className="choice" onClick={() => void signOut()}>
        <Icon name="out" />
        <span>{words.user.signOut}</span>
      </button>
    </div>
  );
}

/** The colours of the portal. */
export function ThemeChoice() {
  const words = useWords();
  const [theme, setTheme] = useState(currentTheme);
  const choose = (to: Theme) => {
    changeTheme(to);
    setTheme(to);
    void callOwn('changeMe', { body: { theme: to } });
  };
  return (
    <Segments
      label={words.user.theme}
      value={theme}
      choices={(['system', 'light', 'dark'] as const).map(each => [each, words.user.themes[each]] as const)}
      onChange={choose}
    />
  );
}

/** The language, each named in itself. */
export function LanguageChoice({ isSignedIn = false }: { readonly isSignedIn?: boolean }) {
  const words = useWords();
  const language = useLanguage();
  const change = useChangeLanguage();
  const names = { en: 'English', de: 'Deutsch' };
  return (
    <Segments
      label={words.user.language}
      value={language}
      choices={languages.map(each => [each, names[each]] as const)}
      onChange={to => {
        change(to).catch(() => complain(words.states.failed));
        if (isSignedIn) void callOwn('changeMe', { body: { language: to } });
      }}
    />
  );
}

type SegmentsProps<Value extends string> = {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly (readonly [Value, string])[];
  readonly onChange: (value: Value) => void;
};

/** A choice among a few, all of them visible. */
export function Segments<Value extends string>({ label, value, choices, onChange }: SegmentsProps<Value>) {
  return (
    <fieldset className="segments">
      <legend>{label}</legend>
      <div>
        {choices.map(([each, name]) => (
          <button key={each} type="button" aria-pressed={each === value} onClick={() => onChange(each)}>
            {name}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
