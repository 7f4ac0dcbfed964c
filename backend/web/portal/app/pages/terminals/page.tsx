import { useRead } from '../../api/use-read.ts';
import { useAdding } from '../../components/adding.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { PageHead } from '../../components/page.tsx';
import { type Column, List } from '../../components/table.tsx';
import { Time } from '../../components/values.tsx';
import { useMay } from '../../session/session.ts';
import { useTexts } from '../../words/texts.ts';
import { EnrolDrawer } from './enrol.tsx';
import { TerminalActions } from './terminal-actions.tsx';
import { type Terminal, TerminalNotes, TerminalState } from './terminal-state.tsx';
import { terminalsTexts } from './texts.ts';

function useColumns(): readonly Column<Terminal>[] {
  const text = useTexts(terminalsTexts);
  const may = useMay();
  const columns: readonly Column<Terminal>[] = [
    { id: 'name', header: text.name, cell: ({ name }) => <span className="strong">{name}</span>, onCard: 'lead' },
    { id: 'state', header: text.state, cell: terminal => <TerminalState terminal={terminal} />, onCard: 'state' },
    {
      id: 'check',
      header: '',
      isExtra: true,
      cell: terminal => <TerminalNotes terminal={terminal} />,
    },
    { id: 'mode', header: text.mode, cell: ({ mode }) => text.modes[mode], onCard: 'detail' },
    {
      id: 'seen',
      header: text.seen,
      cell: ({ lastSeenAt }) => (lastSeenAt === null ? text.never : <Time at={lastSeenAt} as="ago" />),
      onCard: 'detail',
    },
    { id: 'serial', header: text.serial, cell: ({ serial }) => serial ?? '–', isExtra: true },
    { id: 'version', header: text.version, cell: ({ appVersion }) => appVersion ?? '–', isExtra: true },
  ];
  const acting: Column<Terminal> = {
    id: 'actions',
    header: '',
    isNumber: true,
    cell: terminal => <TerminalActions terminal={terminal} />,
    onCard: 'amount',
  };
  return may('devices:write') ? [...columns, acting] : columns;
}

/** The terminals of the business. */
export function Page() {
  const text = useTexts(terminalsTexts);
  const { query } = useFilters();
  const read = useRead('listDevices', { query: { ...query, limit: 50 } }, { refetchMs: 10_000 });
  const columns = useColumns();
  const { add, isAdding, endAdding } = useAdding('devices:write', text.enrol);
  return (
    <>
      <PageHead title={text.title} about={text.about} actions={add} />
      <List read={read} columns={columns} text={text} icon="terminals" begin={add} />
      {isAdding ? <EnrolDrawer onClose={endAdding} /> : null}
    </>
  );
}
