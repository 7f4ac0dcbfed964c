import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { systemTimers } from '@florin/device/main/platform/system.ts';
import { openSystemPrinter } from '@florin/device/printers/system/system-printer.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { noLog } from '../../support/log.ts';
import { everyBlock } from './world.ts';

/** `lp` and `lpstat` of a system: they record their arguments and what they are given. */
function aSystem({ takesPaper = true } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'florin-lp-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = (name: string, lines: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\necho "$@" > ${folder}/${name}.args\n${lines}\n`, { mode: 0o755 });
  program(
    'lp',
    takesPaper ? `cat > ${folder}/paper.pdf` : 'cat > /dev/null; echo "The printer does not exist." >&2; exit 1',
  );
  program('lpstat', 'echo "printer Counter is idle.  enabled"');
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const printer = openSystemPrinter({ name: 'Counter', widthMm: 80, timers: systemTimers, log: noLog });
  onTestFinished(() => printer.close());
  return { printer, written: (name: string) => readFileSync(join(folder, name), 'latin1') };
}

test('the system is given the paper as a PDF, for the printer that was named', async () => {
  const { printer, written } = aSystem();
  await expect.poll(() => printer.status()).toBe('ready');
  expect(await printer.print(everyBlock)).toEqual({ kind: 'printed' });
  expect(written('lp.args')).toContain('-d Counter');
  const pdf = written('paper.pdf');
  expect(pdf).toMatch(/^%PDF-1\.4/);
  expect(pdf).toContain(`<${Buffer.from(`Paid with${' '.repeat(42 - 23)}Visa **** 0821`).toString('hex')}>`);
  // The euro sign of WinAnsiEncoding; a character that it lacks is a question mark.
  expect(pdf).toContain(`<80${Buffer.from('12.50').toString('hex')}>`);
  expect(pdf).toContain(Buffer.from('Caf\u00e9 ?\u00f3d?', 'latin1').toString('hex'));
  // 80 mm wide, and each object is where the table says.
  expect(pdf).toContain('/MediaBox [0 0 226.77 ');
  const offsets = [...pdf.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset));
  expect(offsets.map(offset => pdf.slice(offset, offset + 7))).toEqual([1, 2, 3, 4, 5, 6].map(n => `${n} 0 obj`));
});

test('what the system does not take is not printed', async () => {
  const { printer } = aSystem({ takesPaper: false });
  expect(await printer.print(everyBlock)).toEqual({ kind: 'not_printed', why: 'not_reachable' });
  expect(printer.status()).toBe('not_reachable');
});
