import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { columns } from '../../foundation/database/columns.ts';
import { impersonal, personalData, retentionTable } from './personal-data.ts';

/** How columns are named in which something of a person may be written. */
const telling =
  /name|e-?mail|recipient|address|destination|phone|contact|birth|agent|reference|description|memo|note|text|html|body|json|url|path|subject|message|reason|excerpt|error|order/i;
/** What other tables call their records. */
const notTold = /(Id|Hash)$/;

const named = (of: Readonly<Record<string, object>>) =>
  Object.entries(of).flatMap(([table, held]) => {
    const names = Array.isArray(held) ? (held as string[]) : Object.keys((held as { columns: object }).columns);
    return names.map(name => `${table}.${name}`);
  });

test('every column in which something of a person may be written is declared, or said to hold nothing of one', () => {
  const declared = new Set([...named(personalData), ...named(impersonal)]);
  const all = Object.entries<Readonly<Record<string, string>>>(columns).flatMap(([table, of]) =>
    Object.entries(of).map(([name, type]) => ({ table, name, type, full: `${table}.${name}` })),
  );
  const undeclared = all.filter(
    ({ name, type, full }) =>
      type.startsWith('text') && telling.test(name) && !notTold.test(name) && !declared.has(full),
  );
  expect(undeclared.map(({ full }) => full)).toEqual([]);
  const real = new Set(all.map(({ full }) => full));
  expect([...declared].filter(full => !real.has(full))).toEqual([]);
  const twice = named(personalData).filter(full => new Set(named(impersonal)).has(full));
  expect(twice).toEqual([]);
});

test('the README shows what is held of persons, and when it goes', () => {
  const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
  expect(readme).toContain(retentionTable());
});
