import { type ReactNode, useEffect, useState } from 'react';
import { keepChoice, readChoice } from '../platform/browser.ts';
import { timers } from '../platform/time.ts';
import { useBusiness } from '../session/session.ts';
import { PageLink, type Search } from '../shell/page-link.tsx';
import { useWords } from '../words/words.ts';
import { Button, IconButton } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { SelectField, TextField } from './field.tsx';
import { textOf } from './form-text.ts';
import { useFilters } from './list-state.tsx';

/** The filters above a list. Whatever narrows the list stands here. */
export function FilterBar({ children, list }: { readonly children: ReactNode; readonly list: string }) {
  const words = useWords();
  const { isFiltered, change, filters } = useFilters();
  const clear = () => change(Object.fromEntries(Object.keys(filters).map(name => [name, undefined])));
  return (
    <div className="filters">
      {children}
      {isFiltered ? (
        <Button kind="bare" icon="cross" onClick={clear}>
          {words.actions.clear}
        </Button>
      ) : null}
      <SavedViews list={list} />
    </div>
  );
}

/** A filter with a few choices. */
export function ChoiceFilter({
  name,
  label,
  choices,
}: {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly (readonly [string, string])[];
}) {
  const words = useWords();
  const { filters, change } = useFilters();
  return (
    <SelectField
      label={label}
      data-filter
      value={filters[name] ?? ''}
      choices={[['', words.list.any], ...choices]}
      onChange={event => change({ [name]: event.target.value })}
    />
  );
}

/** Typing is followed by a moment of waiting, so that not every letter is looked for. */
const typingMs = 300;

type TextFilterProps = { readonly name: string; readonly label: string; readonly hint?: string };

/** A filter by what is typed; `hint` shows what that may be. */
export function TextFilter({ name, label, hint }: TextFilterProps) {
  const { filters, change } = useFilters();
  const given = filters[name] ?? '';
  const [shown, setShown] = useState({ given, typed: given });
  // The filters were cleared, or another address was opened.
  if (shown.given !== given) setShown({ given, typed: given });
  const { typed } = shown;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the wait
  useEffect(() => {
    if (typed.trim() === given) return;
    return timers.after(typingMs, () => change({ [name]: typed.trim() }));
  }, [typed]);
  return (
    <TextField
      label={label}
      type="search"
      data-filter
      placeholder={hint}
      value={typed}
      onChange={({ target }) => setShown({ given, typed: target.value })}
    />
  );
}

/** A filter by day, in the business's time zone. */
export function DayFilter({ name, label }: { readonly name: 'from' | 'to'; readonly label: string }) {
  const { filters, change } = useFilters();
  return (
    <TextField
      label={label}
      type="date"
      data-filter
      value={filters[name] ?? ''}
      onChange={event => change({ [name]: event.target.value })}
    />
  );
}

type View = { readonly name: string; readonly search: Search };

function useViews(list: string) {
  const place = `views ${useBusiness().id} ${list}`;
  const [views, setViews] = useState<readonly View[]>(() => JSON.parse(readChoice(place) ?? '[]') as View[]);
  const save = (next: readonly View[]) => {
    keepChoice(place, JSON.stringify(next));
    setViews(next);
  };
  return { views, save };
}

/** Filters that the user has given a name, in this browser. */
function SavedViews({ list }: { readonly list: string }) {
  const words = useWords();
  const { filters, isFiltered } = useFilters();
  const { views, save } = useViews(list);
  const [isNaming, setNaming] = useState(false);
  const { id } = useBusiness();
  return (
    <>
      {isFiltered ? (
        <Button kind="bare" icon="plus" onClick={() => setNaming(true)}>
          {words.list.saveView}
        </Button>
      ) : null}
      {views.length === 0 ? null : (
        <ul className="views" aria-label={words.list.views}>
          {views.map(view => (
            <li key={view.name}>
              <PageLink path={`/${id}/${list}`} search={view.search}>
                {view.name}
              </PageLink>
              <IconButton
                icon="cross"
                label={words.list.deleteView(view.name)}
                onClick={() => save(views.filter(({ name }) => name !== view.name))}
              />
            </li>
          ))}
        </ul>
      )}
      {isNaming ? (
        <Dialog title={words.list.saveView} onClose={() => setNaming(false)}>
          <form
            className="form"
            onSubmit={event => {
              event.preventDefault();
              const name = textOf(new FormData(event.currentTarget), 'name').trim();
              save([...views.filter(view => view.name !== name), { name, search: filters }]);
              setNaming(false);
            }}
          >
            <TextField label={words.list.viewName} name="name" required maxLength={40} />
            <div className="form-actions">
              <Button kind="primary" type="submit">
                {words.actions.save}
              </Button>
            </div>
          </form>
        </Dialog>
      ) : null}
    </>
  );
}
