import { printerLanguages } from '@florin/device/printers/receipt/encode.ts';
import { describe, expect, test } from 'vitest';
import { aPrinter, everyBlock } from './world.ts';

describe.each(printerLanguages)('a printer that speaks %s', language => {
  test('prints what it is given, with looks, alignment, code and cut', async () => {
    const { printer, becomes, state, rows } = await aPrinter({ language });
    await becomes('ready');
    expect(await printer.print(everyBlock)).toEqual({ kind: 'printed' });
    const { paper, unknown } = state();
    expect(unknown).toEqual([]);
    expect(paper.filter(({ kind }) => kind === 'cut')).toHaveLength(1);
    expect(rows().map(row => row.trim())).toEqual(
      expect.arrayContaining(['Café Łódź', '€12.50', '[https://pay.example/r/5pVhGfWq8nCkY2mTzRb7Lx]']),
    );
    expect(rows()).toContain(`Paid with${' '.repeat(42 - 23)}Visa **** 0821`);
    const spans = paper.flatMap(printed => (printed.kind === 'row' ? printed.spans : []));
    expect(spans.find(({ text }) => text.includes('12.50'))).toMatchObject({ bold: true, width: 2, height: 2 });
    expect(paper.find(({ kind }) => kind === 'code')).toMatchObject({ align: 'centre' });
  });

  test('without paper prints nothing, and says so', async () => {
    const { printer, act, rows, becomes } = await aPrinter({ language });
    act({ do: 'end_paper', rows: 0 });
    expect(await printer.print(everyBlock)).toEqual({ kind: 'not_printed', why: 'out_of_paper' });
    expect(printer.status()).toBe('out_of_paper');
    expect(rows()).toEqual([]);
    act({ do: 'new_roll' });
    await becomes('ready');
  });

  test('that runs out of paper half way may have printed it, and ends it on the next roll', async () => {
    const { printer, act, rows } = await aPrinter({ language });
    act({ do: 'end_paper', rows: 3 });
    expect(await printer.print(everyBlock)).toEqual({ kind: 'unknown', why: 'out_of_paper' });
    expect(rows()).toHaveLength(3);
    act({ do: 'new_roll' });
    expect(rows().filter(row => row === '----')).toHaveLength(1);
  });

  test('with its cover open, or switched off, prints nothing', async () => {
    const { printer, act, rows, becomes } = await aPrinter({ language });
    act({ do: 'cover', open: true });
    expect(await printer.print(everyBlock)).toEqual({ kind: 'not_printed', why: 'cover_open' });
    act({ do: 'cover', open: false });
    act({ do: 'power', on: false });
    expect(await printer.print(everyBlock)).toEqual({ kind: 'not_printed', why: 'not_reachable' });
    await becomes('not_reachable');
    act({ do: 'power', on: true });
    await becomes('ready');
    expect(rows()).toEqual([]);
  });

  test('is reached over TCP too', async () => {
    const { printer, rows, act } = await aPrinter({ language, over: 'tcp' });
    expect(await printer.print(everyBlock)).toEqual({ kind: 'printed' });
    expect(rows()).toContain('----');
    act({ do: 'end_paper', rows: 0 });
    expect(await printer.print(everyBlock)).toEqual({ kind: 'not_printed', why: 'out_of_paper' });
  });

  test('of narrow paper has 32 columns', async () => {
    const { printer, rows } = await aPrinter({ language, widthMm: 58 });
    await printer.print(everyBlock);
    expect(rows()).toContain(`Paid with${' '.repeat(32 - 23)}Visa **** 0821`);
    expect(
      Math.max(
        ...rows()
          .filter(row => !row.startsWith('['))
          .map(row => row.length),
      ),
    ).toBe(32);
  });
});

test('two papers at once are printed one after the other', async () => {
  const { printer, rows } = await aPrinter();
  const outcomes = await Promise.all(
    [1, 2].map(() => printer.print([{ kind: 'text', text: 'Once', align: 'left', look: 'normal' }])),
  );
  expect(outcomes).toEqual([{ kind: 'printed' }, { kind: 'printed' }]);
  expect(rows().filter(row => row !== '')).toEqual(['Once', '----', 'Once', '----']);
});
