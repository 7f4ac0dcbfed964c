import type { StaffExceptionRecord } from '@florin/shared/contracts/api-v1/staff-logs.ts';
import { useRead } from '../../api/use-read.ts';
import { SelectField } from '../../components/field.tsx';
import { FilterBar } from '../../components/filters.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { Blank, Loaded, SkeletonLines } from '../../components/loaded.tsx';
import { Status } from '../../components/notice.tsx';
import { PageHead, Tabs } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { useBusiness } from '../../session/session.ts';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { ProtectionOff } from '../staff-logs/protection-off.tsx';
import { exceptionTexts } from './texts.ts';

const periods = ['7', '30', '90'] as const;
const usual = '30';

function useColumns(): readonly Column<StaffExceptionRecord>[] {
  const text = useTexts(exceptionTexts);
  const formats = useFormats();
  const { currency } = useBusiness();
  return [
    {
      id: 'staff',
      header: text.staff,
      onCard: 'lead',
      cell: ({ staff }) => (
        <>
          <span className="strong">{staff.name}</span> <span className="muted">{staff.staffNumber}</span>
        </>
      ),
    },
    {
      id: 'exceptions',
      header: text.exceptions,
      onCard: 'state',
      cell: ({ exceptions, ...counts }) =>
        exceptions.length === 0 ? (
          <span className="muted">{text.none}</span>
        ) : (
          <span className="results">
            {exceptions.map(kind => (
              <Status key={kind} tone="attention" {...(kind === 'locked_out' ? { icon: 'lock' as const } : {})}>
                {text.kinds[kind](counts)}
              </Status>
            ))}
          </span>
        ),
    },
    {
      id: 'made',
      header: text.made,
      onCard: 'detail',
      cell: ({ refundCount, voidCount }) => text.counts(refundCount, voidCount),
    },
    {
      id: 'refunded',
      header: text.refunded,
      isNumber: true,
      onCard: 'amount',
      cell: ({ refundedInCents }) => <span className="nowrap">{formats.money(refundedInCents, currency)}</span>,
    },
  ];
}

/** What stands out in the refunds and voids of each member of staff, compared with those of the others. */
export function Page() {
  const text = useTexts(exceptionTexts);
  const { filters, change } = useFilters();
  const days = periods.find(each => each === filters.days) ?? usual;
  const read = useRead('listStaffExceptions', { query: { days } });
  const columns = useColumns();
  return (
    <>
      <PageHead title={text.title} about={text.about} />
      <Tabs area="staff" />
      <ProtectionOff />
      <FilterBar list="staff-exceptions">
        <SelectField
          label={text.period}
          data-filter
          value={days}
          choices={periods.map(each => [each, text.lastDays(each)])}
          onChange={({ target: { value } }) => change({ days: value === usual ? undefined : value })}
        />
      </FilterBar>
      <Loaded read={read} skeleton={<SkeletonLines lines={8} />}>
        {({ items, since }) =>
          items.length === 0 ? (
            <Blank icon="staff" title={text.empty}>
              <p>{text.emptyWhy}</p>
            </Blank>
          ) : (
            <Table
              caption={text.title}
              columns={columns}
              rows={items}
              idOf={({ staff }) => staff.id}
              pageOf={({ staff }) => ({
                to: 'staff/refund-log',
                search: { staffId: staff.id, from: since.slice(0, 10) },
              })}
            />
          )
        }
      </Loaded>
    </>
  );
}
