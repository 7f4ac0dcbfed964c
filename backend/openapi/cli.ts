import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { documentsOf, openBackend } from '../backend.ts';
import { readSettings } from '../config/settings.ts';
import { Command, readOptions } from '../platform/command-line.ts';
import { makeFolder } from '../platform/folder.ts';
import { createLog } from '../platform/log.ts';
import { endInOneLine } from '../platform/start.ts';

const { out } = readOptions(
  new Command('npm run openapi --')
    .description(
      `Writes the OpenAPI 3.1 description of each API to a file of its own.
A running backend serves the same at /api/v1/openapi.json and /device/v1/openapi.json.`,
    )
    .option('--out <dir>', 'where to write them', join('.florin', 'openapi')),
  z.object({ out: z.string().min(1) }),
);
await write(out).catch(endInOneLine);

async function write(directory: string): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'florin-openapi-'));
  const read = readSettings({ DATA: data });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const backend = await openBackend({
    settings: read.settings,
    log: createLog({ level: 'error' }),
    publicUrl: 'http://127.0.0.1',
  });
  makeFolder(directory);
  for (const [path, text] of Object.entries(documentsOf(backend.routes))) {
    const file = join(directory, `${path.split('/').filter(Boolean).slice(0, -1).join('-')}.json`);
    writeFileSync(file, `${JSON.stringify(JSON.parse(text()), null, 2)}\n`);
    console.log(file);
  }
  await backend.close();
  rmSync(data, { recursive: true, force: true });
}
