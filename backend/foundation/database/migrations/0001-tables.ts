import { bitcoinTables } from './0001-tables/bitcoin.ts';
import { businessTables } from './0001-tables/business.ts';
import type { Columns } from './0001-tables/columns.ts';
import { eventsTables } from './0001-tables/events.ts';
import { paymentsTables } from './0001-tables/payments.ts';
import { terminalsTables } from './0001-tables/terminals.ts';

/** Every table with its columns. */
export const tables = {
  ...businessTables,
  ...paymentsTables,
  ...bitcoinTables,
  ...terminalsTables,
  ...eventsTables,
} satisfies Record<string, Columns>;
