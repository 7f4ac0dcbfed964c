import { optionsOf, wholeNumber } from '@florin/shared/command-line.ts';
import { Command } from 'commander';
import { z } from 'zod';
import { type PrinterSettings, printerFields, printerOptions, printerSettingsOf } from '../../printers/settings.ts';
import { readerPassword, readerProtocols, usualReaderProtocol } from '../../readers/drivers.ts';

const shape = z.object({
  service: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
  data: z.string().min(1),
  port: wholeNumber({ least: 0, most: 65_535 }),
  reader: z.array(z.string().min(1, { error: 'must name a serial port' })).default(['discover']),
  readerPassword: readerPassword.optional(),
  readerProtocol: z
    .enum(readerProtocols, { error: `must be ${readerProtocols.join(' or ')}` })
    .default(usualReaderProtocol),
  ...printerFields,
  renderer: z.string().optional(),
  quiet: z.boolean().default(false),
  json: z.boolean().default(false),
});

export type Settings = Omit<z.output<typeof shape>, 'reader' | keyof typeof printerFields> & {
  readonly readerPaths: readonly string[] | 'discover';
  readonly printer: PrinterSettings | undefined;
};

/** The parsed command line. */
export function readCommandLine(process: { readonly argv: readonly string[]; exit(code: number): never }): Settings {
  const command = new Command('npm run terminal --')
    .description('Runs the staff terminal and serves its screen to a browser on this machine.')
    .option('--service <url>', 'where the payments service answers, such as http://127.0.0.1:4100')
    .option('--data <dir>', 'folder of this terminal’s own data; made when missing')
    .option('--port <n>', 'port of the terminal’s page, on 127.0.0.1 only; 0 for any free one', '4101')
    .option(
      '--reader <path...>',
      'serial port of the card reader, or tcp://host:port; several for several candidates (default: every serial port of this machine)',
    )
    .option('--reader-protocol <name>', `what the card reader speaks: ${readerProtocols.join(' or ')}`)
    .option('--reader-password <digits>', 'the password of six digits that a ZVT reader asks for (default: 000000)')
    .option(...printerOptions.printer)
    .option(...printerOptions.printerLanguage)
    .option(...printerOptions.printerWidth)
    .option('--renderer <dir>', 'the built screen (default: device/renderer/dist)')
    .option('--quiet', 'log warnings only')
    .option('--json', 'print the ready line as JSON')
    .addHelpText(
      'after',
      '\nThe page’s address carries a token. It is kept in page.key in the data folder; delete that file to make another.',
    );
  const { reader, printer, printerLanguage, printerWidth, ...rest } = optionsOf(command, shape, process);
  return {
    ...rest,
    printer: printerSettingsOf({ printer, printerLanguage, printerWidth }),
    readerPaths: reader.includes('discover') ? 'discover' : reader,
  };
}
