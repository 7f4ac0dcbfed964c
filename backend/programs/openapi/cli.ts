import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '@florin/shared/contracts/operations.ts';
import { makeFolder } from '@florin/shared/files/folder.ts';
import { z } from 'zod';
import { apiDocuments } from '../../foundation/http/description/openapi.ts';
import { Command, readOptions } from '../../foundation/platform/command-line.ts';
import { endInOneLine } from '../../foundation/platform/start.ts';

const { out } = readOptions(
  new Command('npm run openapi --')
    .description(
      `Writes the OpenAPI 3.1 description of each API to a separate file.
A running backend serves the same at /api/v1/openapi.json and /device/v1/openapi.json.`,
    )
    .option('--out <dir>', 'output folder', join('.florin', 'openapi')),
  z.object({ out: z.string().min(1) }),
);
try {
  write(out);
} catch (error) {
  endInOneLine(error);
}

function write(directory: string): void {
  makeFolder(directory);
  for (const [path, text] of Object.entries(apiDocuments(operations))) {
    const file = join(directory, `${path.split('/').filter(Boolean).slice(0, -1).join('-')}.json`);
    writeFileSync(file, `${JSON.stringify(JSON.parse(text()), null, 2)}\n`);
    console.log(file);
  }
}
