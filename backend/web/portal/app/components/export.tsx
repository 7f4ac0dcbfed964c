import type { ExportedList, ExportRecord } from '@florin/shared/contracts/api-v1/exports.ts';
import { useState } from 'react';
import { useCall, useRead } from '../api/use-read.ts';
import { keepChoice, readChoice } from '../platform/browser.ts';
import { clock } from '../platform/time.ts';
import { useBusiness } from '../session/session.ts';
import type { Search } from '../shell/page-link.tsx';
import { useFormats } from '../words/formats.ts';
import { texts, useTexts } from '../words/texts.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { SelectField } from './field.tsx';
import { Form } from './form.tsx';
import { textOf } from './form-text.ts';
import { Icon } from './icon.tsx';
import { Status } from './notice.tsx';
import { Time } from './values.tsx';
import { useWriteForm } from './write-form.ts';

const exportTexts = texts({
  en: {
    export: 'Export',
    running: 'Exporting …',
    title: 'Export this list',
    all: 'Every row of the list, with its columns.',
    filtered: 'Every row that matches the filters above the list, with its columns.',
    format: 'Format',
    formats: { csv: 'CSV, for spreadsheets', json: 'JSON, for programs' },
    start: 'Start the export',
    recent: 'Your exports of the last 24 hours',
    rows: (count: string) => `${count} rows`,
    going: 'It goes on if you close this window. The file is kept for 24 hours.',
    download: 'Download',
    failed: 'Failed',
    tooMany: 'Too many exports are running. Wait until one is done.',
  },
  de: {
    export: 'Exportieren',
    running: 'Wird exportiert …',
    title: 'Diese Liste exportieren',
    all: 'Jede Zeile der Liste mit ihren Spalten.',
    filtered: 'Jede Zeile, die zu den Filtern über der Liste passt, mit ihren Spalten.',
    format: 'Format',
    formats: { csv: 'CSV, für Tabellenprogramme', json: 'JSON, für Programme' },
    start: 'Export beginnen',
    recent: 'Ihre Exporte der letzten 24 Stunden',
    rows: count => `${count} Zeilen`,
    going: 'Er läuft weiter, wenn Sie dieses Fenster schließen. Die Datei wird 24 Stunden aufbewahrt.',
    download: 'Herunterladen',
    failed: 'Gescheitert',
    tooMany: 'Es laufen zu viele Exporte. Warten Sie, bis einer fertig ist.',
  },
});

type Kept = { readonly id: string; readonly atMs: number };
const keptMs = 86_400_000;

/** The exports of a list that were started in this browser: they are followed after a reload, and in another tab. */
function useKeptExports(list: ExportedList) {
  const place = `exports ${useBusiness().id} ${list}`;
  const [kept, setKept] = useState<readonly Kept[]>(() =>
    (JSON.parse(readChoice(place) ?? '[]') as Kept[]).filter(({ atMs }) => clock.now() - atMs < keptMs),
  );
  const add = (id: string) => {
    const next = [{ id, atMs: clock.now() }, ...kept.filter(each => each.id !== id)];
    keepChoice(place, JSON.stringify(next));
    setKept(next);
  };
  return { ids: kept.map(({ id }) => id), add };
}

type ExportProps = {
  readonly list: ExportedList;
  /** As the operation of the list takes them. */
  readonly filters: Search;
};

/** Exports the list on screen to a file. The work goes on without the page. */
export function ExportButton({ list, filters }: ExportProps) {
  const text = useTexts(exportTexts);
  const [isOpen, setOpen] = useState(false);
  const { ids, add } = useKeptExports(list);
  const latest = useRead(
    'getExport',
    { params: { id: ids[0] ?? '' } },
    { enabled: ids.length > 0, refetchMs: body => (body?.status === 'running' ? 1_500 : false) },
  );
  const isRunning = latest.data?.status === 'running';
  return (
    <>
      <Button icon="download" onClick={() => setOpen(true)}>
        {isRunning ? text.running : text.export}
      </Button>
      {isOpen ? (
        <Dialog title={text.title} onClose={() => setOpen(false)}>
          <ExportForm list={list} filters={filters} onStarted={add} />
          {ids.length === 0 ? null : (
            <section className="stack-tight">
              <h3>{text.recent}</h3>
              <ul className="granted">
                {ids.map(id => (
                  <ExportRow key={id} id={id} />
                ))}
              </ul>
            </section>
          )}
        </Dialog>
      ) : null}
    </>
  );
}

function ExportForm({ list, filters, onStarted }: ExportProps & { readonly onStarted: (id: string) => void }) {
  const text = useTexts(exportTexts);
  const call = useCall();
  const { submit, isBusy, message } = useWriteForm({ too_many_exports: text.tooMany });
  const start = (form: FormData) => {
    const format = textOf(form, 'format') === 'json' ? 'json' : 'csv';
    void submit({
      send: idempotencyKey => call('createExport', { body: { list, filters, format } }, { idempotencyKey }),
      onDone: ({ id }) => onStarted(id),
    });
  };
  return (
    <Form onSubmit={start} action={text.start} isBusy={isBusy} message={message}>
      <p className="muted">{Object.keys(filters).length === 0 ? text.all : text.filtered}</p>
      <SelectField
        label={text.format}
        name="format"
        hint={text.going}
        choices={[
          ['csv', text.formats.csv],
          ['json', text.formats.json],
        ]}
      />
    </Form>
  );
}

function ExportRow({ id }: { readonly id: string }) {
  const text = useTexts(exportTexts);
  const formats = useFormats();
  const read = useRead(
    'getExport',
    { params: { id } },
    { refetchMs: body => (body?.status === 'running' ? 1_500 : false) },
  );
  // What has expired, or was asked for by somebody else at this browser, is left out.
  if (read.data === undefined) return null;
  const { format, rowCount, createdAt } = read.data;
  return (
    <li>
      <div>
        <p>
          <span className="strong">{format.toUpperCase()}</span> · {text.rows(formats.number(rowCount))}
        </p>
        <p className="small muted">
          <Time at={createdAt} as="ago" />
        </p>
      </div>
      <ExportState record={read.data} />
    </li>
  );
}

function ExportState({ record: { id, status } }: { readonly record: ExportRecord }) {
  const text = useTexts(exportTexts);
  const business = useBusiness();
  if (status === 'failed') return <Status tone="refused">{text.failed}</Status>;
  if (status === 'running') return <Status tone="doing">{text.running}</Status>;
  return (
    <a className="button button-primary" href={`/portal/api/${business.id}/exports/${id}/file`} download>
      <Icon name="download" />
      <span>{text.download}</span>
    </a>
  );
}
