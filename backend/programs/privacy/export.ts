import type { Instant } from '@florin/shared/ports.ts';
import type { Backend } from '../../backend.ts';
import type { Settings } from '../../config/settings.ts';
import { addressesOf, type Found, rowsNaming } from './find.ts';
import { type Holding, holdings } from './personal-data.ts';
import { type Sale, salesOf } from './store.ts';
import type { Subject } from './subject.ts';

type Place = Pick<Backend, 'database' | 'services'>;

/** What a business holds of a person, or of all its customers, as it can be given to them. Times are ISO 8601. */
export type PersonalExport = {
  readonly business: { readonly id: string; readonly name: string };
  readonly exportedAt: string;
  readonly records: readonly {
    readonly table: string;
    readonly what: string;
    /** When it goes by itself, or why it stays. */
    readonly goes: string;
    readonly rows: readonly Readonly<Record<string, unknown>>[];
  }[];
  /** The sales that these records belong to. */
  readonly sales: readonly Readonly<Record<string, unknown>>[];
};

/** What names these persons; of all customers where none is named, what holds their addresses. */
export async function exportPersonalData(
  place: Place,
  options: {
    readonly businessId: string;
    readonly subjects: readonly Subject[];
    readonly now: Instant;
    readonly settings: Pick<Settings, 'retentionMs' | 'idempotency'>;
  },
): Promise<PersonalExport> {
  const { businessId, subjects, now } = options;
  const found =
    subjects.length === 0 ? await addressesOf(place, businessId) : await rowsNaming(place, businessId, subjects);
  const business = await place.services.businesses.find(businessId);
  const sales = await salesOfFound(place, businessId, found);
  return {
    business: { id: businessId, name: business?.name ?? '' },
    exportedAt: new Date(now).toISOString(),
    records: holdings.flatMap(([table, held]) => {
      const rows = found.filter(each => each.table === table).map(told);
      return rows.length === 0 ? [] : [{ table, what: held.what, goes: goesOf(held, options.settings), rows }];
    }),
    sales: sales.map(sale => readable(sale)),
  };
}

const [hourMs, dayMs] = [3_600_000, 86_400_000];

function goesOf(
  { goes, because }: Holding,
  { retentionMs, idempotency }: Pick<Settings, 'retentionMs' | 'idempotency'>,
) {
  const when = goes
    .replace('`RETENTION_DAYS`', `${retentionMs / dayMs} days`)
    .replace('`IDEMPOTENCY_HOURS`', `${idempotency.retentionMs / hourMs} hours`);
  return because === undefined ? when : `${when} (${because})`;
}

function told({ held, key, row, named }: Found): Readonly<Record<string, unknown>> {
  const columns = [
    ...Object.keys(key),
    ...(held.tells ?? []),
    ...(held.isOfMany ? [] : named.map(each => each.column)),
  ];
  return readable(Object.fromEntries(columns.map(column => [column, row[column]])));
}

function readable(row: object): Readonly<Record<string, unknown>> {
  const value = (name: string, of: unknown) =>
    typeof of === 'number' && /(At|Until)$/.test(name) ? new Date(of).toISOString() : of;
  return Object.fromEntries(Object.entries(row).map(([name, of]) => [name, value(name, of)]));
}

const recordId = /^[a-z]+_[0-9a-f]{32}$/;

async function salesOfFound({ database }: Place, businessId: string, found: readonly Found[]): Promise<Sale[]> {
  const values = found.filter(({ held }) => held.of === 'customers').flatMap(({ row }) => Object.values(row));
  const ids = [...new Set(values.filter(value => typeof value === 'string' && recordId.test(value)))];
  return database.all(salesOf, { business: businessId, idsJson: JSON.stringify(ids) });
}
