import { Command, CommanderError } from 'commander';
import { z } from 'zod';
import { type PrinterSettings, printerFields, printerOptions, printerSettingsOf } from '../../printers/settings.ts';
import { readerPassword, readerProtocols, usualReaderProtocol } from '../../readers/drivers.ts';

const shape = z.object({
  service: z.url({ protocol: /^https?$/, error: '--service must be an http or https address' }).optional(),
  data: z.string().min(1).optional(),
  reader: z.array(z.string().min(1)).optional(),
  readerPassword: readerPassword.optional(),
  readerProtocol: z
    .enum(readerProtocols, { error: `--reader-protocol must be ${readerProtocols.join(' or ')}` })
    .default(usualReaderProtocol),
  ...printerFields,
  kiosk: z.boolean().default(false),
  customerDisplay: z.boolean().default(false),
});

export type ElectronSettings = {
  readonly serviceUrl: string;
  /** Undefined for the system's data folder of this program. */
  readonly dataDirectory: string | undefined;
  readonly readerProtocol: string;
  readonly readerPassword: string | undefined;
  readonly readerPaths: readonly string[] | 'discover';
  readonly printer: PrinterSettings | undefined;
  /** Kiosk lockdown: full screen, with no way to leave it. */
  readonly isKiosk: boolean;
  /** Whether a second screen shows customers what they pay. */
  readonly hasCustomerDisplay: boolean;
};

const localService = 'http://127.0.0.1:4100';

/** The program's own arguments, separated from those of the browser engine; an error message if one is not known. */
export function readSettings(args: readonly string[]): ElectronSettings | { readonly problem: string } {
  const command = new Command()
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .exitOverride()
    .option('--service <url>')
    .option('--data <dir>')
    .option('--reader <path...>')
    .option('--reader-protocol <name>')
    .option('--reader-password <digits>')
    .option(...printerOptions.printer)
    .option(...printerOptions.printerLanguage)
    .option(...printerOptions.printerWidth)
    .option('--kiosk')
    .option('--customer-display');
  command.configureOutput({ writeErr: () => undefined });
  try {
    command.parse([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return { problem: error.message };
    throw error;
  }
  const parsed = shape.safeParse(command.opts());
  if (!parsed.success) return { problem: parsed.error.issues[0]?.message ?? 'The command line is not valid' };
  const paths = parsed.data.reader ?? ['discover'];
  return {
    serviceUrl: parsed.data.service ?? localService,
    dataDirectory: parsed.data.data,
    readerProtocol: parsed.data.readerProtocol,
    readerPassword: parsed.data.readerPassword,
    readerPaths: paths.includes('discover') ? 'discover' : paths,
    printer: printerSettingsOf(parsed.data),
    isKiosk: parsed.data.kiosk,
    hasCustomerDisplay: parsed.data.customerDisplay,
  };
}

/** Where an administrator keeps this machine's options. */
export function machineFileOf(
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  if (platform === 'win32') return `${environment.ProgramData ?? 'C:\\ProgramData'}\\Florin\\terminal.conf`;
  if (platform === 'darwin') return '/Library/Application Support/Florin/terminal.conf';
  return '/etc/florin/terminal.conf';
}

/** The options of such a file: one a line, as on the command line, which comes after them. `#` begins a comment. */
export function machineArguments(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))
    .flatMap(line => {
      const [, name = line, value] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
      return value === undefined ? [name] : [name, value];
    });
}
