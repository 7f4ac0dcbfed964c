import type { ViewedList } from '@florin/shared/contracts/api-v1/saved-views.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { timers } from '../platform/time.ts';
import { useWords } from '../words/words.ts';
import { Button } from './button.tsx';
import { SelectField, TextField } from './field.tsx';
import { useFilters } from './list-state.tsx';
import { SavedViews } from './saved-views.tsx';

/** The filters above a list. Whatever narrows the list stands here. */
export function FilterBar({ children, list }: { readonly children: ReactNode; readonly list: ViewedList }) {
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
