import type { OverviewRecord } from '@florin/shared/contracts/api-v1/overview.ts';
import { type ReactNode, useState } from 'react';
import { useProblems } from '../../api/use-problems.ts';
import { useRead, useReadAll } from '../../api/use-read.ts';
import { Button } from '../../components/button.tsx';
import { DayChart, type MoneyDay, series } from '../../components/day-chart.tsx';
import { Icon } from '../../components/icon.tsx';
import { Loaded, SkeletonLines } from '../../components/loaded.tsx';
import { Status } from '../../components/notice.tsx';
import { Card, PageHead } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Money } from '../../components/values.tsx';
import { clock } from '../../platform/time.ts';
import { useBusiness, useMay } from '../../session/session.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { usePaymentColumns } from '../payments/columns.tsx';
import { ProblemList } from '../problems/problem-list.tsx';
import { TerminalState } from '../terminals/terminal-state.tsx';
import { ArrangeButton, type PartName, sizeOf, useArrangement } from './arrangement.tsx';
import { type Takings, useTakings, useTakingsOf } from './takings.ts';
import { overviewTexts } from './texts.ts';

const takenOf = ({ taken }: MoneyDay) => series.reduce((sum, each) => sum + taken[each], 0);

/** What matters now: today's money, the last days, the latest payments, and whether terminals are ready. */
export function Page() {
  const text = useTexts(overviewTexts);
  const formats = useFormats();
  const { parts, mayArrange } = useArrangement();
  // Read beside the arrangement, not after it: most arrangements have it.
  useTakings();
  const placeholder = (
    <div className="board-large">
      <TakingsSkeleton lines={6} />
    </div>
  );
  return (
    <>
      <PageHead
        title={text.title}
        about={formats.longDay(formats.dayOf(clock.now()))}
        actions={mayArrange && parts !== undefined ? <ArrangeButton parts={parts} /> : undefined}
      />
      <div className="stack">
        <Setup />
        <div className="board">
          {parts === undefined ? placeholder : parts.map(part => <Part key={part} part={part} />)}
        </div>
      </div>
    </>
  );
}

/** One part of the overview, where the user may see it. */
function Part({ part }: { readonly part: PartName }) {
  const may = useMay();
  const shown = {
    toDo: () => <ToDo />,
    today: () =>
      may('sales:read') ? <WithTakings lines={3}>{takings => <Today takings={takings} />}</WithTakings> : null,
    days: () =>
      may('sales:read') ? <WithTakings lines={6}>{takings => <Days takings={takings} />}</WithTakings> : null,
    latest: () => (may('take-payments:read') ? <Latest /> : null),
    terminals: () => (may('devices:read') ? <Terminals /> : null),
  };
  return <div className={`board-${sizeOf(part)}`}>{shown[part]()}</div>;
}

type WithTakingsProps = { readonly lines: number; readonly children: (takings: Takings) => ReactNode };

function WithTakings({ lines, children }: WithTakingsProps) {
  const read = useTakings();
  return (
    <Loaded read={read} skeleton={<TakingsSkeleton lines={lines} />}>
      {overview => <OfTakings overview={overview}>{children}</OfTakings>}
    </Loaded>
  );
}

function TakingsSkeleton({ lines }: Pick<WithTakingsProps, 'lines'>) {
  return (
    <section className={`card ${lines > 3 ? 'skeleton-chart' : 'skeleton-today'}`}>
      <SkeletonLines lines={lines} />
    </section>
  );
}

function OfTakings({ overview, children }: { readonly overview: OverviewRecord } & Pick<WithTakingsProps, 'children'>) {
  return children(useTakingsOf(overview));
}

function Today({ takings }: { readonly takings: Takings }) {
  const text = useTexts(overviewTexts);
  const words = useWords();
  const formats = useFormats();
  const { currency } = useBusiness();
  const { days, lastWeek } = takings;
  const today = days.at(-1);
  if (today === undefined) return null;
  const used = series.filter(each => takings.days.some(({ taken }) => taken[each] > 0));
  return (
    <Card className="today">
      <div className="today-net">
        <h2 className="muted">{text.today}</h2>
        <p className="figure">
          <Money minor={takenOf(today) - today.returned} currency={currency} />
        </p>
        <p className="muted">
          {today.count === 0 && today.returned === 0
            ? text.nothingToday
            : [
                text.sales(formats.number(today.count)),
                today.refunded === 0 ? undefined : text.refunded(formats.money(today.refunded, currency)),
                today.voided === 0 ? undefined : text.voided(formats.money(today.voided, currency)),
                lastWeek.count === 0
                  ? undefined
                  : text.lastWeek(formats.money(takenOf(lastWeek) - lastWeek.returned, currency)),
              ]
                .filter(part => part !== undefined)
                .join(' · ')}
        </p>
      </div>
      <dl className="rails">
        {used.map(each => (
          <div key={each} className="rail">
            <dt className="rail-name">
              <span className={`dot series-${each}`} />
              {words.rails[each]}
            </dt>
            <dd className="rail-amount">
              <Money minor={today.taken[each]} currency={currency} /> <small>{text.taken}</small>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function Days({ takings }: { readonly takings: Takings }) {
  const text = useTexts(overviewTexts);
  const words = useWords();
  const { currency } = useBusiness();
  const [isTable, setTable] = useState(false);
  const used = series.filter(each => takings.days.some(({ taken }) => taken[each] > 0));
  const hasReturns = takings.days.some(({ returned }) => returned > 0);
  return (
    <Card
      title={text.days}
      end={
        <Button kind="bare" onClick={() => setTable(!isTable)}>
          {isTable ? text.asChart : text.asTable}
        </Button>
      }
    >
      {isTable ? (
        <DaysTable takings={takings} used={used} />
      ) : (
        <>
          <DayChart days={takings.days} currency={currency} label={text.chart} />
          <ul className="legend">
            {[...used, ...(hasReturns ? (['returned'] as const) : [])].map(each => (
              <li key={each}>
                <span className={`dot series-${each}`} />
                {each === 'returned' ? words.rails.returned : `${words.rails[each]}, ${text.taken}`}
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

type DaysTableProps = { readonly takings: Takings; readonly used: readonly (typeof series)[number][] };

function DaysTable({ takings, used }: DaysTableProps) {
  const text = useTexts(overviewTexts);
  const words = useWords();
  const formats = useFormats();
  const { currency } = useBusiness();
  const columns: readonly Column<MoneyDay>[] = [
    { id: 'day', header: text.day, cell: ({ day }) => formats.longDay(day), onCard: 'lead' },
    ...used.map(
      (each): Column<MoneyDay> => ({
        id: each,
        header: `${words.rails[each]}, ${text.taken}`,
        isNumber: true,
        cell: ({ taken }) => <Money minor={taken[each]} currency={currency} />,
      }),
    ),
    {
      id: 'returned',
      header: words.rails.returned,
      isNumber: true,
      cell: ({ returned }) => <Money minor={-returned} currency={currency} />,
      onCard: 'detail',
    },
    {
      id: 'net',
      header: text.net,
      isNumber: true,
      cell: day => (
        <span className="strong">
          <Money minor={takenOf(day) - day.returned} currency={currency} />
        </span>
      ),
      onCard: 'amount',
    },
  ];
  return <Table caption={text.days} columns={columns} rows={takings.days.toReversed()} idOf={({ day }) => day} />;
}

function Latest() {
  const text = useTexts(overviewTexts);
  const read = useRead('listPayments', { query: { limit: 6 } }, { refetchMs: 15_000 });
  const columns = usePaymentColumns().filter(({ id }) => id !== 'where' && id !== 'invoice');
  return (
    <Card title={text.latest} end={<PageLink to="payments">{text.all}</PageLink>}>
      <Loaded read={read} skeleton={<SkeletonLines lines={6} />}>
        {({ items }) => (
          <Table
            caption={text.latest}
            columns={columns}
            rows={items}
            idOf={({ id }) => id}
            pageOf={({ id }) => `payments/${id}`}
          />
        )}
      </Loaded>
    </Card>
  );
}

function Terminals() {
  const text = useTexts(overviewTexts);
  const formats = useFormats();
  const read = useReadAll('listDevices', 15_000);
  return (
    <Card title={text.terminals} end={<PageLink to="terminals">{text.allTerminals}</PageLink>}>
      <Loaded read={read} skeleton={<SkeletonLines lines={3} />}>
        {terminals => (
          <>
            <p className="muted">
              {text.ready(
                formats.number(terminals.filter(({ readyForSale }) => readyForSale).length),
                formats.number(terminals.length),
              )}
            </p>
            <ul className="checklist">
              {terminals.slice(0, 5).map(terminal => (
                <li key={terminal.id}>
                  <Icon name="terminals" />
                  <span>{terminal.name}</span>
                  <TerminalState terminal={terminal} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Card>
  );
}

/** What needs a person, the most urgent of it; it is not there while there is nothing. */
function ToDo() {
  const text = useTexts(overviewTexts);
  const formats = useFormats();
  const { items, toDo } = useProblems();
  const shown = items.filter(({ severity }) => severity === 'act').slice(0, 3);
  if (shown.length === 0) return null;
  return (
    <Card
      title={text.toDo}
      end={
        <PageLink to="problems">
          {toDo > shown.length ? text.allProblems(formats.number(toDo)) : text.problems}
        </PageLink>
      }
    >
      <ProblemList problems={shown} />
    </Card>
  );
}

/** What is still to be set up, from what there is; it goes away with the first payment. */
function Setup() {
  const text = useTexts(overviewTexts);
  const may = useMay();
  const isNeeded = may('take-payments:read') && may('devices:read') && may('team:read');
  const payments = useRead('listPayments', { query: { limit: 1 } }, { enabled: isNeeded });
  const devices = useRead('listDevices', { query: { limit: 1 } }, { enabled: isNeeded });
  const staff = useRead('listStaff', { query: { limit: 1 } }, { enabled: isNeeded });
  const links = useRead('listPaymentLinks', { query: { limit: 1 } }, { enabled: isNeeded });
  if (payments.data?.items.length !== 0) return null;
  const steps = [
    ['terminal', 'terminals', devices],
    ['staff', 'staff', staff],
    ['link', 'links', links],
  ] as const;
  return (
    <Card title={text.setup}>
      <ul className="checklist">
        {steps.map(([step, page, { data }]) => {
          const isDone = (data?.items.length ?? 0) > 0;
          return (
            <li key={step}>
              <span className={isDone ? 'is-done' : 'muted'}>
                <Icon name={isDone ? 'check' : 'clock'} />
              </span>
              <span>{text.steps[step]}</span>
              {isDone ? (
                <Status tone="done">{text.done}</Status>
              ) : (
                <PageLink to={page} search={{ new: '1' }}>
                  {text.begin}
                </PageLink>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
