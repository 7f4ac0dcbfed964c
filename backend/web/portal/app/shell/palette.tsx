import { type KeyboardEvent, useId, useState } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { Icon, type IconName } from '../components/icon.tsx';
import { actions } from '../pages.ts';
import { useBusiness, useMaySee } from '../session/session.ts';
import type { NamedPage } from '../words/en.ts';
import { texts, useTexts } from '../words/texts.ts';
import { useWords } from '../words/words.ts';
import { useAreas } from './areas.ts';
import { useOpenPage } from './page-link.tsx';

const paletteTexts = texts({
  en: {
    title: 'Find and go to',
    placeholder: 'Page, action, payment …',
    empty: 'Nothing found. Try the name of a page.',
    go: 'Go to',
    do: 'Do',
    find: 'Find',
    payments: (text: string) => `Payments with “${text}”`,
    actions: {
      newLink: 'New payment link',
      enrolTerminal: 'Enrol a terminal',
      addStaff: 'Add a staff member',
      newTipLink: 'New tip link',
      inviteMember: 'Invite somebody to the team',
      newKey: 'New API key',
      newWebhook: 'New webhook endpoint',
    },
  },
  de: {
    title: 'Suchen und öffnen',
    placeholder: 'Seite, Aktion, Zahlung …',
    empty: 'Nichts gefunden. Versuchen Sie den Namen einer Seite.',
    go: 'Öffnen',
    do: 'Tun',
    find: 'Suchen',
    payments: text => `Zahlungen mit „${text}“`,
    actions: {
      newLink: 'Neuer Zahlungslink',
      enrolTerminal: 'Terminal anmelden',
      addStaff: 'Mitglied des Personals hinzufügen',
      newTipLink: 'Neuer Trinkgeldlink',
      inviteMember: 'Jemanden ins Team einladen',
      newKey: 'Neuer API-Schlüssel',
      newWebhook: 'Neuer Webhook-Endpunkt',
    },
  },
});

type Entry = {
  readonly id: string;
  readonly group: string;
  readonly name: string;
  readonly icon: IconName;
  readonly open: () => void;
};

function useEntries(text: string, onKeys: () => void): readonly Entry[] {
  const words = useWords();
  const own = useTexts(paletteTexts);
  const { permissions } = useBusiness();
  const maySee = useMaySee();
  const openPage = useOpenPage();
  const toPage = (page: string, name: string, icon: IconName): Entry => ({
    id: `go ${page}`,
    group: own.go,
    name,
    icon,
    open: () => openPage(page),
  });
  const areas = useAreas();
  const wanted = text.trim().toLowerCase();
  // The pages within areas are many: they are found once something is typed.
  const within = wanted === '' ? [] : (Object.keys(words.pages) as NamedPage[]).filter(maySee);
  const go = [
    ...areas.map(({ page, name, icon }) => toPage(page, words.nav[name], icon)),
    ...within.map(page => ({ ...toPage(page, words.pages[page], 'forward'), id: `page ${page}` })),
  ];
  const start = actions
    .filter(({ permission }) => permissions.includes(permission))
    .map(
      ({ name, page, search }): Entry => ({
        id: `do ${name}`,
        group: own.do,
        name: own.actions[name],
        icon: 'plus',
        open: () => openPage(page, search),
      }),
    );
  const keys: Entry = { id: 'keys', group: own.do, name: words.user.keys, icon: 'info', open: onKeys };
  const matching = [...go, ...start, keys].filter(({ name }) => name.toLowerCase().includes(wanted));
  const typed = text.trim();
  const record = recordPage(typed);
  const find = { id: 'find', group: own.find, icon: 'search' } as const;
  if (record !== undefined)
    return maySee(record) ? [...matching, { ...find, name: typed, open: () => openPage(record) }] : matching;
  if (typed === '' || !maySee('payments')) return matching;
  const name = own.payments(typed);
  return [...matching, { ...find, name, open: () => openPage('payments', { q: typed }) }];
}

const recordPages: Readonly<Record<string, string>> = {
  pay: 'payments',
  pl: 'links',
  chk: 'checkouts',
  tip: 'tips',
  set: 'settlements',
  key: 'dev/keys',
  wh: 'dev/webhooks',
};

/** The page of a record by its id. */
function recordPage(id: string): string | undefined {
  const [, prefix = ''] = /^([a-z]+)_[0-9A-Za-z]{8,}$/.exec(id) ?? [];
  const page = recordPages[prefix];
  return page === undefined ? undefined : `${page}/${id}`;
}

/** Finds pages, payments and actions by typing. It opens forms; it never sends one. */
export function Palette({ onClose, onKeys }: { readonly onClose: () => void; readonly onKeys: () => void }) {
  const own = useTexts(paletteTexts);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const listId = useId();
  const entries = useEntries(text, onKeys);
  const current = entries[Math.min(chosen, entries.length - 1)];
  const open = (entry: Entry) => {
    onClose();
    entry.open();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by !== 0) {
      event.preventDefault();
      setChosen((Math.min(chosen, entries.length - 1) + by + entries.length) % Math.max(1, entries.length));
    } else if (event.key === 'Enter' && current !== undefined) {
      event.preventDefault();
      open(current);
    }
  };
  return (
    <Dialog title={own.title} onClose={onClose} className="palette">
      <input
        className="input"
        type="text"
        role="combobox"
        aria-label={own.title}
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={current === undefined ? undefined : `${listId}-${current.id}`}
        placeholder={own.placeholder}
        autoComplete="off"
        data-first
        value={text}
        onChange={event => {
          setText(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" aria-label={own.title} className="palette-list">
        {entries.map((entry, index) => (
          <div
            key={entry.id}
            id={`${listId}-${entry.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={entry === current}
            className="palette-entry"
            onPointerMove={() => setChosen(index)}
            onClick={() => open(entry)}
            onKeyDown={onKeyDown}
          >
            <Icon name={entry.icon} />
            <span>{entry.name}</span>
            <small>{entry.group}</small>
          </div>
        ))}
      </div>
      {entries.length === 0 ? <p className="palette-empty muted">{own.empty}</p> : null}
    </Dialog>
  );
}
