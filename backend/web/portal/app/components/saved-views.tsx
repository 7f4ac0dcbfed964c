import type { SavedView, ViewedList } from '@florin/shared/contracts/api-v1/saved-views.ts';
import { useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall, useRead } from '../api/use-read.ts';
import { useMay } from '../session/session.ts';
import { PageLink } from '../shell/page-link.tsx';
import { complain, toast } from '../shell/toasts.tsx';
import { texts, useTexts } from '../words/texts.ts';
import { useWords } from '../words/words.ts';
import { Button, IconButton } from './button.tsx';
import { Confirm } from './confirm.tsx';
import { Dialog } from './dialog.tsx';
import { CheckField, TextField } from './field.tsx';
import { Form } from './form.tsx';
import { textOf } from './form-text.ts';
import { Icon } from './icon.tsx';
import { useFilters } from './list-state.tsx';
import { useWriteForm } from './write-form.ts';

const viewTexts = texts({
  en: {
    views: 'Saved views',
    save: 'Save this view',
    name: 'Name of the view',
    share: 'Share it with the business',
    shareHint: 'Everybody who may see this list then has it.',
    shared: 'Shared with the business',
    exists: 'You have a view with this name already',
    remove: (name: string) => `Delete the view ${name}`,
    removed: 'View deleted',
    removeShared: (name: string) => `Delete the shared view “${name}”?`,
    removeEffect: 'It disappears for everybody in the business who may see this list.',
    removeAction: 'Delete the view',
  },
  de: {
    views: 'Gespeicherte Ansichten',
    save: 'Diese Ansicht speichern',
    name: 'Name der Ansicht',
    share: 'Mit dem Geschäft teilen',
    shareHint: 'Alle, die diese Liste sehen dürfen, haben sie dann auch.',
    shared: 'Mit dem Geschäft geteilt',
    exists: 'Sie haben schon eine Ansicht mit diesem Namen',
    remove: name => `Ansicht ${name} löschen`,
    removed: 'Ansicht gelöscht',
    removeShared: name => `Die geteilte Ansicht „${name}“ löschen?`,
    removeEffect: 'Sie verschwindet für alle im Geschäft, die diese Liste sehen dürfen.',
    removeAction: 'Ansicht löschen',
  },
});

/** Filters of a list that have a name: the user's own, and those shared with the business. */
export function SavedViews({ list }: { readonly list: ViewedList }) {
  const text = useTexts(viewTexts);
  const { isFiltered } = useFilters();
  const { data } = useRead('listSavedViews', { query: { list, limit: 100 } });
  const [isNaming, setNaming] = useState(false);
  const views = data?.items ?? [];
  return (
    <>
      {isFiltered ? (
        <Button kind="bare" icon="plus" onClick={() => setNaming(true)}>
          {text.save}
        </Button>
      ) : null}
      {views.length === 0 ? null : (
        <ul className="views" aria-label={text.views}>
          {views.map(view => (
            <View key={view.id} view={view} />
          ))}
        </ul>
      )}
      {isNaming ? <SaveView list={list} onClose={() => setNaming(false)} /> : null}
    </>
  );
}

function View({ view }: { readonly view: SavedView }) {
  const text = useTexts(viewTexts);
  const call = useCall();
  const may = useMay();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [isAsking, setAsking] = useState(false);
  const send = () => call('deleteSavedView', { params: { id: view.id } });
  async function remove(): Promise<void> {
    const answer = await send();
    if (!answer.ok) return complain(answer.message);
    const { list, name, filters, isShared } = view;
    toast(text.removed, () => void call('createSavedView', { body: { list, name, filters, isShared } }));
  }
  return (
    <li>
      <PageLink path={path} search={view.filters}>
        {view.name}
      </PageLink>
      {view.isShared ? (
        <span className="view-shared" role="img" aria-label={text.shared} title={text.shared}>
          <Icon name="staff" />
        </span>
      ) : null}
      {view.isOwn || may('dashboard:write') ? (
        <IconButton
          icon="cross"
          label={text.remove(view.name)}
          onClick={() => (view.isShared ? setAsking(true) : void remove())}
        />
      ) : null}
      {isAsking ? (
        <Confirm
          title={text.removeShared(view.name)}
          action={text.removeAction}
          send={send}
          onDone={() => toast(text.removed)}
          onClose={() => setAsking(false)}
        >
          <p>{text.removeEffect}</p>
        </Confirm>
      ) : null}
    </li>
  );
}

function SaveView({ list, onClose }: { readonly list: ViewedList; readonly onClose: () => void }) {
  const text = useTexts(viewTexts);
  const words = useWords();
  const { filters } = useFilters();
  const may = useMay();
  const call = useCall();
  const { submit, isBusy, issues, message } = useWriteForm({ saved_view_exists: ['name', text.exists] });
  const save = (form: FormData) => {
    const body = { list, name: textOf(form, 'name'), filters, isShared: form.has('isShared') };
    void submit({ send: idempotencyKey => call('createSavedView', { body }, { idempotencyKey }), onDone: onClose });
  };
  return (
    <Dialog title={text.save} onClose={onClose}>
      <Form onSubmit={save} action={words.actions.save} isBusy={isBusy} message={message} onCancel={onClose}>
        <TextField label={text.name} name="name" required maxLength={40} issue={issues.name} />
        {may('dashboard:write') ? <CheckField name="isShared" label={text.share} hint={text.shareHint} /> : null}
      </Form>
    </Dialog>
  );
}
