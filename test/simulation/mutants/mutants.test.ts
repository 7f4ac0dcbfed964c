import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mutants } from './mutants.ts';

const root = join(import.meta.dirname, '../../..');

test('every bug can be planted at exactly one place in the current source', () => {
  const fits = ({ file, find }: (typeof mutants)[number]) =>
    readFileSync(join(root, file), 'utf8').split(find).length === 2;
  expect(mutants.filter(mutant => !fits(mutant)).map(({ name }) => name)).toEqual([]);
});
