import { parseArgs } from 'node:util';
import { z } from 'zod';

const shape = z.object({
  service: z.url({ protocol: /^https?$/, error: '--service must be an http or https address' }).optional(),
  data: z.string().min(1).optional(),
  reader: z.array(z.string().min(1)).optional(),
  kiosk: z.boolean().default(false),
});

export type ElectronSettings = {
  readonly serviceUrl: string;
  /** Undefined for the system's place for this program's data. */
  readonly dataDirectory: string | undefined;
  readonly readerPaths: readonly string[] | 'discover';
  /** Locked to the terminal: full screen, nothing to leave it by. */
  readonly isKiosk: boolean;
};

const localService = 'http://127.0.0.1:4100';

/** The program's own arguments among those of the browser engine; words for what was not understood. */
export function readSettings(args: readonly string[]): ElectronSettings | { readonly problem: string } {
  const { values } = parseArgs({
    args: [...args],
    strict: false,
    options: {
      service: { type: 'string' },
      data: { type: 'string' },
      reader: { type: 'string', multiple: true },
      kiosk: { type: 'boolean' },
    },
  });
  const { service, data, reader, kiosk } = values;
  const parsed = shape.safeParse({ service, data, reader, kiosk });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { problem: issue?.message.startsWith('--') ? issue.message : `--${issue?.path.join('.')} needs a value` };
  }
  const paths = parsed.data.reader ?? ['discover'];
  return {
    serviceUrl: parsed.data.service ?? localService,
    dataDirectory: parsed.data.data,
    readerPaths: paths.includes('discover') ? 'discover' : paths,
    isKiosk: parsed.data.kiosk,
  };
}
