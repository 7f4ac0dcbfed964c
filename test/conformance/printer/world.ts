import { createServer, type Socket } from 'node:net';
import { systemTimers } from '@florin/device/main/platform/system.ts';
import type { Paper, Printer } from '@florin/device/printers/printer.ts';
import type { PaperWidthMm, PrinterLanguage } from '@florin/device/printers/receipt/encode.ts';
import type { LinkAddress } from '@florin/device/printers/receipt/link.ts';
import { openReceiptPrinter } from '@florin/device/printers/receipt/receipt-printer.ts';
import type { PrinterAction } from '@florin/hardware-sim/printer/actions.ts';
import { textOf } from '@florin/hardware-sim/printer/paper.ts';
import { type PrinterState, SimulatedPrinter } from '@florin/hardware-sim/printer/simulated-printer.ts';
import { startPrinter } from '@florin/hardware-sim/printer/start.ts';
import { expect, onTestFinished } from 'vitest';
import { noLog } from '../../support/log.ts';

/** A receipt with everything that one can have. */
export const everyBlock: Paper = [
  { kind: 'text', text: 'Café Łódź', align: 'centre', look: 'bold' },
  { kind: 'text', text: '€12.50', align: 'centre', look: 'large' },
  { kind: 'space' },
  { kind: 'fact', label: 'Paid with', value: 'Visa •••• 0821' },
  { kind: 'fact', label: 'Transaction', value: 'ab'.repeat(32) },
  { kind: 'rule' },
  { kind: 'code', text: 'https://pay.example/r/5pVhGfWq8nCkY2mTzRb7Lx' },
];

/** The terminal's driver and a simulated printer, on a pseudo-terminal or on a TCP port. */
export async function aPrinter(
  options: { language?: PrinterLanguage; widthMm?: PaperWidthMm; over?: 'serial' | 'tcp' } = {},
) {
  const { language = 'esc-pos', widthMm = 80, over = 'serial' } = options;
  const simulated = await (over === 'serial' ? onSerialPort(language) : onTcpPort(language));
  const printer: Printer = openReceiptPrinter({
    address: simulated.address,
    language,
    widthMm,
    timers: systemTimers,
    log: noLog,
  });
  onTestFinished(() => printer.close());
  const becomes = async (status: string) => {
    await expect.poll(() => printer.status(), { interval: 20, timeout: 20_000 }).toBe(status);
  };
  return { ...simulated, printer, becomes, rows: () => textOf(simulated.state().paper) };
}

type Simulated = {
  readonly address: LinkAddress;
  readonly state: () => PrinterState;
  readonly act: (action: PrinterAction) => void;
};

async function onSerialPort(language: PrinterLanguage): Promise<Simulated> {
  const running = await startPrinter({ language });
  onTestFinished(() => running.close());
  const address = { kind: 'serial', path: running.path, baudRate: 38_400 } as const;
  return { address, state: () => running.state(), act: action => running.act(action) };
}

async function onTcpPort(language: PrinterLanguage): Promise<Simulated> {
  let host: Socket | undefined;
  const printer = new SimulatedPrinter({ language, send: bytes => host?.write(bytes), onChange: () => undefined });
  const server = createServer(socket => {
    host = socket;
    socket.on('data', bytes => printer.receive(bytes));
    socket.on('error', () => undefined);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const act = (action: PrinterAction) => {
    if (action.do === 'end_paper') printer.endPaper(action.rows);
    else throw new Error(`${action.do} is tried on the serial port`);
  };
  return { address: { kind: 'tcp', host: '127.0.0.1', port }, state: () => printer.state(), act };
}
