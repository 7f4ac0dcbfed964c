import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useIsTight } from '../platform/browser.ts';
import { PageLink, type Search } from '../shell/page-link.tsx';
import type { IconName } from './icon.tsx';
import { Pager, useFilters } from './list-state.tsx';
import { Blank, Loaded, SkeletonLines } from './loaded.tsx';

/** A column of a table, and where it stands on a card, which replaces the row on a narrow screen. */
export type Column<Row> = {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Amounts and counts stand at the end. */
  readonly isNumber?: boolean;
  /** `lead` and `amount` are the first line of a card, `state` its mark, `detail` follows; others are left out. */
  readonly onCard?: 'lead' | 'amount' | 'state' | 'detail';
  /** Left out where there is little room. */
  readonly isExtra?: boolean;
};

/** A page below the business, where needed with what is open on it. */
type PageAddress = string | { readonly to: string; readonly search: Search };

type TableProps<Row> = {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  /** The page of the row; its first column is the link. */
  readonly pageOf?: ((row: Row) => PageAddress) | undefined;
};

/** The link of a row, which covers all of it. */
function RowLink({ page, children }: { readonly page: PageAddress; readonly children: ReactNode }) {
  const address = typeof page === 'string' ? { to: page } : page;
  return (
    <PageLink {...address} className="row-link">
      {children}
    </PageLink>
  );
}

/** A native table, whose rows open their page; cards where it has too little room. */
export function Table<Row>(props: TableProps<Row>) {
  return useIsTight() ? <Cards {...props} /> : <Rows {...props} />;
}

/** Figures that belong together: where there is too little room they are scrolled to, with their headings. */
export function Figures<Row>(props: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled has to be reached with the keyboard
    <section className="figures" aria-label={props.caption} tabIndex={0}>
      <Rows {...props} />
    </section>
  );
}

function Rows<Row>({ caption, columns, rows, idOf, pageOf }: TableProps<Row>) {
  const classOf = ({ isNumber, isExtra }: Column<Row>) =>
    [isNumber ? 'number' : '', isExtra ? 'extra' : ''].join(' ').trim() || undefined;
  return (
    <div className="table-frame">
      <table className="table">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(column => (
              <th key={column.id} scope="col" className={classOf(column)}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={idOf(row)} className={pageOf ? 'opens' : undefined}>
              {columns.map((column, index) => (
                <td key={column.id} className={classOf(column)}>
                  {pageOf && index === 0 ? <RowLink page={pageOf(row)}>{column.cell(row)}</RowLink> : column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cards<Row>({ caption, columns, rows, idOf, pageOf }: TableProps<Row>) {
  const at = (place: NonNullable<Column<Row>['onCard']>) => columns.filter(({ onCard }) => onCard === place);
  const shown = (place: NonNullable<Column<Row>['onCard']>, row: Row) =>
    at(place).map(column => <span key={column.id}>{column.cell(row)}</span>);
  return (
    <ul className="cards" aria-label={caption}>
      {rows.map(row => (
        <li key={idOf(row)} className={pageOf ? 'row-card opens' : 'row-card'}>
          <p className="row-card-lead">
            {pageOf ? <RowLink page={pageOf(row)}>{shown('lead', row)}</RowLink> : <span>{shown('lead', row)}</span>}
            <span className="row-card-amount">{shown('amount', row)}</span>
          </p>
          <div className="row-card-rest">
            <span className="row-card-detail">{shown('detail', row)}</span>
            {shown('state', row)}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** What a list is, and what stands in its place while it has nothing: at all, or with these filters. */
type ListTexts = {
  readonly caption: string;
  readonly empty: string;
  readonly emptyWhy?: string;
  readonly nothing?: string;
};

type ListProps<Row> = Omit<TableProps<Row>, 'rows' | 'caption' | 'idOf'> & {
  readonly read: UseQueryResult<{ readonly items: readonly Row[]; readonly nextCursor: string | null }, Error>;
  readonly text: ListTexts;
  readonly icon: IconName;
  /** What begins the list; left out or null where the user may not. */
  readonly begin?: ReactNode;
};

/** A page of a list, in its place while it loads. */
export function List<Row extends { readonly id: string }>({ read, text, icon, begin, ...table }: ListProps<Row>) {
  const { isFiltered } = useFilters();
  const empty =
    isFiltered && text.nothing !== undefined ? (
      <Blank icon={icon} title={text.nothing} />
    ) : (
      <Blank icon={icon} title={text.empty}>
        {text.emptyWhy === undefined ? null : <p>{text.emptyWhy}</p>}
        {begin}
      </Blank>
    );
  return (
    <Loaded read={read} skeleton={<SkeletonTable />}>
      {({ items, nextCursor }) => (
        <div className={read.isPlaceholderData ? 'is-loading' : undefined}>
          {items.length === 0 ? empty : <Table {...table} caption={text.caption} idOf={({ id }) => id} rows={items} />}
          <Pager nextCursor={nextCursor} />
        </div>
      )}
    </Loaded>
  );
}

function SkeletonTable() {
  return (
    <div className="table-frame skeleton-table">
      <SkeletonLines lines={12} />
    </div>
  );
}
