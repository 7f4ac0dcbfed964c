import { parseArgs } from 'node:util';
import { z } from 'zod';

export const usage = `Usage: npm run terminal -- --service URL --data DIR [options]

Runs the staff terminal and serves its screen to a browser on this machine.

  --service URL     where the payments service answers, such as http://127.0.0.1:4100
  --data DIR        folder of this terminal's own data; made when missing
  --port N          port of the terminal's page, on 127.0.0.1 only (default 4101; 0 for any free one)
  --reader PATH     serial port of the card reader; several times for several candidates,
                    or "discover" for every serial port of this machine (default)
  --renderer DIR    the built screen (default: device/renderer/dist)
  --quiet           log warnings only
  --json            print the ready line as JSON
  --help            this text

The page's address carries a token that is made anew at each start.
`;

const options = {
  service: { type: 'string' },
  data: { type: 'string' },
  port: { type: 'string', default: '4101' },
  reader: { type: 'string', multiple: true },
  renderer: { type: 'string' },
  quiet: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const shape = z.object({
  service: z.url({ protocol: /^https?$/, error: '--service must be an http or https address' }),
  data: z.string({ error: '--data is needed' }).min(1, { error: '--data is needed' }),
  port: z.coerce
    .number({ error: '--port must be a number' })
    .int({ error: '--port must be a whole number' })
    .min(0, { error: '--port must be 0 to 65535' })
    .max(65_535, { error: '--port must be 0 to 65535' }),
  reader: z.array(z.string().min(1, { error: '--reader must name a serial port' })).default(['discover']),
  renderer: z.string().optional(),
  quiet: z.boolean(),
  json: z.boolean(),
});

export type Settings = Omit<z.output<typeof shape>, 'reader'> & {
  readonly readerPaths: readonly string[] | 'discover';
};
export type CommandLine =
  | { readonly kind: 'run'; readonly settings: Settings }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly message: string };

/** What the terminal was asked to do; words for what was not understood. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  try {
    const { values } = parseArgs({ args: [...args], options, strict: true, allowPositionals: false });
    if (values.help) return { kind: 'help' };
    const parsed = shape.safeParse(values);
    if (!parsed.success) return { kind: 'wrong', message: parsed.error.issues[0]?.message ?? 'not understood' };
    const { reader, ...rest } = parsed.data;
    return { kind: 'run', settings: { ...rest, readerPaths: reader.includes('discover') ? 'discover' : reader } };
  } catch (error) {
    return { kind: 'wrong', message: error instanceof Error ? error.message : String(error) };
  }
}
