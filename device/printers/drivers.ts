import type { Log, Timers } from '@florin/shared/ports.ts';
import { noPrinter, type Printer } from './printer.ts';
import { openReceiptPrinter } from './receipt/receipt-printer.ts';
import type { PrinterSettings } from './settings.ts';
import { openSystemPrinter } from './system/system-printer.ts';

/** The printer of these settings; without any, one that stands for none. */
export function openPrinter(
  settings: PrinterSettings | undefined,
  ports: { readonly timers: Timers; readonly log: Log },
): Printer {
  if (!settings) return noPrinter;
  const { address, widthMm } = settings;
  if (address.kind === 'system') return openSystemPrinter({ name: address.name, widthMm, ...ports });
  return openReceiptPrinter({ ...settings, address, ...ports });
}
