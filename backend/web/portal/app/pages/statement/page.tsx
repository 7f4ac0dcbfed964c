import type { OverviewRecord } from '@florin/shared/contracts/api-v1/overview.ts';
import { useRead } from '../../api/use-read.ts';
import { Button } from '../../components/button.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { Loaded, SkeletonLines } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { Card, PageHead, Tabs } from '../../components/page.tsx';
import { type Column, Figures } from '../../components/table.tsx';
import { Fact, Facts } from '../../components/values.tsx';
import { printPage } from '../../platform/browser.ts';
import { clock } from '../../platform/time.ts';
import { useBusiness, useMay, useMe } from '../../session/session.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { firstDay, monthsUntil, type Period, periodOf } from './period.ts';
import { usePrintTime } from './print-time.ts';
import { type RailSums, type Sums, sumsOf } from './sums.ts';
import { statementTexts } from './texts.ts';

/** What was taken and returned in a period, to print. */
export function Page() {
  const text = useTexts(statementTexts);
  const formats = useFormats();
  const { search } = useFilters();
  const today = formats.dayOf(clock.now());
  const period = periodOf(search, today);
  const read = useRead('getOverview', { query: { days: period.readDays } }, { refetchMs: 60_000 });
  return (
    <>
      <div className="not-printed">
        <PageHead
          title={text.title}
          about={text.about}
          actions={
            <Button kind="primary" icon="print" onClick={printPage}>
              {text.print}
            </Button>
          }
        />
        <Tabs area="settlements" />
        <PeriodChoice period={period} today={today} />
      </div>
      <Loaded read={read} skeleton={<SkeletonLines lines={12} />}>
        {overview => <Statement overview={overview} period={period} isRunning={period.to >= today} />}
      </Loaded>
    </>
  );
}

function PeriodChoice({ period, today }: { readonly period: Period; readonly today: string }) {
  const text = useTexts(statementTexts);
  const formats = useFormats();
  const { change } = useFilters();
  const months = monthsUntil(today);
  return (
    <div className="filters">
      <SelectField
        label={text.kind}
        data-filter
        value={period.kind}
        choices={[
          ['day', text.kinds.day],
          ['month', text.kinds.month],
        ]}
        onChange={({ target }) =>
          change(target.value === 'month' ? { month: months[0], day: undefined } : { day: today, month: undefined })
        }
      />
      {period.kind === 'day' ? (
        <TextField
          label={text.day}
          type="date"
          value={period.from}
          min={firstDay(today)}
          max={today}
          onChange={({ target }) => change({ day: target.value })}
        />
      ) : (
        <SelectField
          label={text.month}
          value={period.from}
          choices={months.map(month => [month, formats.month(month)])}
          onChange={({ target }) => change({ month: target.value })}
        />
      )}
    </div>
  );
}

type StatementProps = { readonly overview: OverviewRecord; readonly period: Period; readonly isRunning: boolean };

function Statement({ overview, period, isRunning }: StatementProps) {
  const text = useTexts(statementTexts);
  const formats = useFormats();
  const may = useMay();
  const days = overview.days.filter(({ day }) => day >= period.from && day <= period.to);
  const { rails, totals } = sumsOf(days);
  const name = period.kind === 'month' ? formats.month(period.from) : formats.mediumDay(period.from);
  return (
    <article className="stack statement">
      <Letterhead title={text.of[period.kind](name)} period={period} />
      {isRunning ? <Notice tone="doing">{text.running}</Notice> : null}
      {overview.isComplete ? null : <Notice tone="attention">{text.incomplete}</Notice>}
      {totals.length === 0 ? (
        <Card>
          <p className="muted">{text.nothing}</p>
        </Card>
      ) : (
        <>
          <ByRail rails={rails} totals={totals} />
          {period.kind === 'month' ? <ByDay days={days.toReversed()} /> : null}
        </>
      )}
      <p className="small muted">{text.counted}</p>
      {may('take-payments:read') ? (
        <p className="not-printed">
          <PageLink to="payments" search={{ from: period.from, to: period.to }}>
            {text.showPayments}
          </PageLink>
        </p>
      ) : null}
    </article>
  );
}

/** Whose statement it is, of which days, and when and by whom it was printed. */
function Letterhead({ title, period: { from, to } }: { readonly title: string; readonly period: Period }) {
  const text = useTexts(statementTexts);
  const formats = useFormats();
  const { name, addressLines, timeZone } = useBusiness();
  const me = useMe();
  const printedAt = usePrintTime();
  const [first, last] = [formats.mediumDay(from), formats.mediumDay(to)];
  return (
    <header className="letterhead">
      <address>
        <strong>{name}</strong>
        {addressLines.map(line => (
          <span key={line}>{line}</span>
        ))}
      </address>
      <Facts>
        <Fact name={text.period}>{from === to ? first : text.days(first, last)}</Fact>
        <Fact name={text.printed}>{`${formats.dateTime(printedAt)} (${timeZone})`}</Fact>
        <Fact name={text.printedBy}>{me.name}</Fact>
      </Facts>
      <h2>{title}</h2>
    </header>
  );
}

type Row = Sums & { readonly name: string; readonly isTotal: boolean };

function ByRail({ rails, totals }: { readonly rails: readonly RailSums[]; readonly totals: readonly Sums[] }) {
  const text = useTexts(statementTexts);
  const words = useWords();
  const formats = useFormats();
  const rows: readonly Row[] = [
    ...rails.map(sums => ({ ...sums, name: words.rails[sums.rail], isTotal: false })),
    ...totals.map(sums => ({
      ...sums,
      name: totals.length === 1 ? text.total : text.totalOf(sums.currency),
      isTotal: true,
    })),
  ];
  const column = (
    id: string,
    header: string,
    of: (row: Row) => string,
    more: Partial<Column<Row>> = {},
  ): Column<Row> => ({
    id,
    header,
    isNumber: true,
    cell: row => <span className={row.isTotal ? 'strong nowrap' : 'nowrap'}>{of(row)}</span>,
    ...more,
  });
  return (
    <Card title={text.byRail}>
      {totals
        .filter(({ tipCount, tipInCents }) => tipCount !== 0 || tipInCents !== 0)
        .map(({ tipInCents, tipCount, currency }) => (
          <p key={currency} className="muted statement-tips">
            {text.tips(formats.money(tipInCents, currency), formats.number(tipCount))}
          </p>
        ))}
      <Figures
        caption={text.byRail}
        rows={rows}
        idOf={row => `${row.name} ${row.currency}`}
        columns={[
          column('rail', text.rail, ({ name }) => name, { isNumber: false }),
          column('payments', text.payments, ({ paymentCount }) => formats.number(paymentCount)),
          column('taken', text.taken, row => formats.money(row.takenInCents, row.currency)),
          column('voided', text.voided, row => formats.money(-row.voidedInCents, row.currency)),
          column('rejected', text.rejected, row => formats.money(-row.rejectedInCents, row.currency)),
          column('refunded', text.refunded, row => formats.money(-row.refundedInCents, row.currency), {}),
          column('net', text.net, row => formats.money(row.netInCents, row.currency)),
        ]}
      />
    </Card>
  );
}

type DayRow = Sums & { readonly day: string };

function ByDay({ days }: { readonly days: OverviewRecord['days'] }) {
  const text = useTexts(statementTexts);
  const formats = useFormats();
  const rows = days.flatMap(({ day, totals }) => totals.map((sums): DayRow => ({ ...sums, day })));
  const returned = ({ voidedInCents, rejectedInCents, refundedInCents }: Sums) =>
    -(voidedInCents + rejectedInCents + refundedInCents);
  const columns: readonly Column<DayRow>[] = [
    { id: 'day', header: text.day, cell: ({ day }) => formats.longDay(day) },
    {
      id: 'payments',
      header: text.payments,
      isNumber: true,
      cell: ({ paymentCount }) => formats.number(paymentCount),
    },
    {
      id: 'taken',
      header: text.taken,
      isNumber: true,
      cell: row => formats.money(row.takenInCents, row.currency),
    },
    {
      id: 'returned',
      header: text.returned,
      isNumber: true,
      cell: row => formats.money(returned(row), row.currency),
    },
    {
      id: 'net',
      header: text.net,
      isNumber: true,
      cell: row => formats.money(row.netInCents, row.currency),
    },
  ];
  return (
    <Card title={text.byDay}>
      <Figures caption={text.byDay} columns={columns} rows={rows} idOf={({ day, currency }) => `${day} ${currency}`} />
    </Card>
  );
}
