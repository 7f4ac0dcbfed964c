import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentsOf, openBackend } from '../backend.ts';
import { readSettings } from '../config/settings.ts';
import { commandLine } from '../platform/command-line.ts';
import { createLog } from '../platform/log.ts';

const usage = `Usage: npm run openapi [-- --out DIR]

Writes the OpenAPI 3.1 description of each API to a file of its own in DIR (default .florin/openapi).
A running backend serves the same at /api/v1/openapi.json and /device/v1/openapi.json.`;

const { out } = commandLine(usage, { out: { type: 'string', default: join('.florin', 'openapi') } });
await write(out);

async function write(directory: string): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'florin-openapi-'));
  const read = readSettings({ DATA: data });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const backend = await openBackend({
    settings: read.settings,
    log: createLog({ level: 'error' }),
    publicUrl: 'http://127.0.0.1',
  });
  mkdirSync(directory, { recursive: true });
  for (const [path, text] of Object.entries(documentsOf(backend.routes))) {
    const file = join(directory, `${path.split('/').filter(Boolean).slice(0, -1).join('-')}.json`);
    writeFileSync(file, `${JSON.stringify(JSON.parse(text()), null, 2)}\n`);
    console.log(file);
  }
  await backend.close();
  rmSync(data, { recursive: true, force: true });
}
