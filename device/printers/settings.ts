import { z } from 'zod';
import { type PaperWidthMm, type PrinterLanguage, paperWidthsMm, printerLanguages } from './receipt/encode.ts';
import type { LinkAddress } from './receipt/link.ts';

/** Where receipts are printed. */
export type PrinterAddress = LinkAddress | { readonly kind: 'system'; readonly name: string | null };

export type PrinterSettings = {
  readonly address: PrinterAddress;
  readonly language: PrinterLanguage;
  readonly widthMm: PaperWidthMm;
};

/** The default of Epson's serial printers; printers on USB ignore it. */
const usualBaudRate = 38_400;
/** On which network printers take raw data. */
const usualPort = 9100;

const [usualLanguage] = printerLanguages;
const [usualWidthMm] = paperWidthsMm;

/** The options of both hosts. */
export const printerOptions = {
  printer: [
    '--printer <where>',
    `receipt printer: a serial port (with @9600 for another speed than ${usualBaudRate}), tcp://HOST[:PORT], system, or system:NAME (default: none)`,
  ],
  printerLanguage: [
    '--printer-language <name>',
    `what it understands: ${printerLanguages.join(' or ')}`,
    usualLanguage,
  ],
  printerWidth: ['--printer-width <mm>', `of its paper: ${paperWidthsMm.join(' or ')}`, String(usualWidthMm)],
} as const satisfies Record<string, readonly [flags: string, description: string, value?: string]>;

/** How they are parsed. */
export const printerFields = {
  printer: z
    .string()
    .transform((text, context) => {
      const address = printerAddressOf(text);
      if (address) return address;
      context.addIssue('must be a serial port, tcp://HOST[:PORT], system or system:NAME');
      return z.NEVER;
    })
    .optional(),
  printerLanguage: z
    .enum(printerLanguages, { error: `must be ${printerLanguages.join(' or ')}` })
    .default(usualLanguage),
  printerWidth: z
    .enum(['80', '58'], { error: `must be ${paperWidthsMm.join(' or ')}` })
    .transform(text => (text === '58' ? 58 : 80))
    .default(usualWidthMm),
};

/** Undefined if no printer is named. */
export function printerSettingsOf(parsed: {
  readonly printer?: PrinterAddress | undefined;
  readonly printerLanguage: PrinterLanguage;
  readonly printerWidth: PaperWidthMm;
}): PrinterSettings | undefined {
  const { printer: address, printerLanguage: language, printerWidth: widthMm } = parsed;
  return address && { address, language, widthMm };
}

/** The printer that `--printer` names; undefined if it names none. */
export function printerAddressOf(text: string): PrinterAddress | undefined {
  const [, isSystem, name = null] = /^(system)(?::([\w.@ -]+))?$/.exec(text) ?? [];
  if (isSystem !== undefined) return { kind: 'system', name };
  if (text.startsWith('tcp://')) return tcpAddressOf(text);
  const [, path, speed] = /^(.+?)(?:@(\d{3,7}))?$/.exec(text) ?? [];
  if (path === undefined || /^(system|\w+):/.test(path)) return undefined;
  return { kind: 'serial', path, baudRate: speed === undefined ? usualBaudRate : Number(speed) };
}

function tcpAddressOf(text: string): PrinterAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const { hostname, port, pathname, search, username } = new URL(text);
  if (hostname === '' || pathname.length > 1 || search !== '' || username !== '') return undefined;
  return { kind: 'tcp', host: hostname.replaceAll(/^\[|\]$/g, ''), port: port === '' ? usualPort : Number(port) };
}
