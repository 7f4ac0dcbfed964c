import {
  cancelTerminalSale,
  getTerminalSale,
  startTerminalSale,
} from '@florin/shared/contracts/api-v1/terminal-sales.ts';
import type { BodyInputOf } from '@florin/shared/contracts/contract.ts';
import {
  acknowledgeCommand,
  announceReaderStart,
  followCommands,
  reportSaleProgress,
  type TerminalCommand,
} from '@florin/shared/contracts/device-v1/commands.ts';
import { authoriseSale, completeSale, recordSale } from '@florin/shared/contracts/device-v1/sales.ts';
import type { TerminalSaleRecord } from '@florin/shared/contracts/terminal-sales.ts';
import { expect } from 'vitest';
import type { DatabaseKind } from './backend.ts';
import { anEventStream } from './event-stream.ts';
import { aShop, merchant } from './shop.ts';
import { aTill, sealedCard } from './till.ts';

export const ready = {
  appVersion: '1.0.0',
  activity: null,
  reader: { connection: 'ready', batteryPercent: 80, attention: null },
} as const;

/** A shop whose software starts sales on its terminal; the test plays the terminal over HTTP. */
export async function aDrivenTerminal(database: DatabaseKind, env: Readonly<Record<string, string>> = {}) {
  const shop = await aShop(database, merchant, { env });
  const { world, client, business } = shop;
  const manager = await business.key('devices:read', 'devices:write');
  const till = await aTill(world, manager);
  const key = await business.key('terminal-sales:read', 'terminal-sales:write');
  const token = { key: till.token };
  const asBearer = { authorization: `Bearer ${till.token}` };

  const start = (
    options: {
      amountInCents?: number;
      idempotencyKey?: string;
      currency?: string;
      serial?: string;
      language?: string;
    } = {},
  ) => {
    const { amountInCents = 1_000, idempotencyKey, currency = 'GBP', serial = 'SN-1', language } = options;
    const body = { serial, amountInCents, currency, reference: 'Order 7', language };
    return client.call(startTerminalSale, { body }, { key, ...(idempotencyKey ? { idempotencyKey } : {}) });
  };
  const started = async () => {
    const sale = await start();
    if (sale.status !== 201) throw new Error(JSON.stringify(sale.body));
    return sale.body;
  };
  const read = async (saleId: string): Promise<TerminalSaleRecord> => {
    const sale = await client.call(getTerminalSale, { params: { saleId } }, { key });
    if (sale.status !== 200) throw new Error(JSON.stringify(sale.body));
    return sale.body;
  };
  const cancel = async (saleId: string) => {
    const sale = await client.call(cancelTerminalSale, { params: { saleId } }, { key });
    if (sale.status !== 200) throw new Error(JSON.stringify(sale.body));
    return sale.body;
  };
  const becomes = (saleId: string, wanted: object) =>
    expect.poll(() => read(saleId), { interval: 5 }).toMatchObject(wanted);
  /** Advances the service's clock until the sale has reached this state. */
  const becomesInTime = (saleId: string, wanted: object) => {
    const readLater = () => {
      world.clock.advance({ seconds: 20 });
      return read(saleId);
    };
    return expect.poll(readLater, { interval: 20, timeout: 30_000 }).toMatchObject(wanted);
  };
  const listen = async () => {
    const stream = await anEventStream(`${world.url}${followCommands.path}`, asBearer);
    const { channels } = world.backend.services.terminalSales;
    await expect.poll(async () => (await channels.of(till.terminalId))?.isOnline, { interval: 5 }).toBe(true);
    return stream;
  };
  const acknowledge = (commandId: string, outcome: 'taken' | 'busy' = 'taken') =>
    client.call(acknowledgeCommand, { params: { commandId }, body: { outcome } }, token);
  const report = (saleId: string, sequence: number, report: Parameters<typeof progressOf>[0]) =>
    client.call(reportSaleProgress, { params: { saleId }, body: { sequence, report: progressOf(report) } }, token);
  const authorise = (saleId: string, amountInCents = 1_000) => {
    const startedAt = new Date(world.clock.now()).toISOString();
    const card = { ...sealedCard(), scheme: 'Visa', lastFour: '0821' };
    const body = { amountInCents, currency: 'GBP', startedAt, card };
    return client.call(authoriseSale, { params: { saleId }, body }, token);
  };
  const announceReader = (saleId: string) => client.call(announceReaderStart, { params: { saleId } }, token);
  /** Reports that the reader's own processor approved it. */
  const recordApproval = (saleId: string, processorReference = 'R1') => {
    const body = {
      amountInCents: 1_000,
      currency: 'GBP',
      takenAt: new Date(world.clock.now()).toISOString(),
      processorReference,
      authorisationCode: '712345',
      card: { scheme: 'visa', lastFour: '0821', entryMode: 'chip' as const, applicationId: 'A0000000031010' },
    };
    return client.call(recordSale, { params: { saleId }, body }, token);
  };
  const complete = (saleId: string) => client.call(completeSale, { params: { saleId } }, token);
  /** A sale that the terminal has taken. */
  const taken = async () => {
    const stream = await listen();
    const sale = await started();
    const received = () =>
      stream.events.find(({ data }) => {
        const command = data as TerminalCommand;
        return command.kind === 'start_sale' && command.saleId === sale.saleId;
      });
    await expect.poll(received, { interval: 5 }).toBeDefined();
    const commandId = commandIn({ events: [received() ?? { data: undefined }] });
    expect(await acknowledge(commandId)).toMatchObject({ status: 200, body: { proceed: true } });
    return { ...sale, commandId, stream };
  };
  return {
    ...shop,
    manager,
    till,
    token,
    key,
    start,
    started,
    read,
    cancel,
    becomes,
    becomesInTime,
    listen,
    acknowledge,
    report,
    authorise,
    announceReader,
    recordApproval,
    complete,
    taken,
  };
}

export const commandIn = ({ events }: { readonly events: readonly { readonly data: unknown }[] }, at = 0) =>
  (events[at]?.data as TerminalCommand | undefined)?.commandId ?? '';

type Progress = BodyInputOf<typeof reportSaleProgress>['report'];
type DrivenReport =
  | { stage: Extract<Progress, { kind: 'stage' }>['stage'] }
  | { ended: Extract<Progress, { kind: 'ended' }>['reason'] };
const progressOf = (report: DrivenReport): Progress =>
  'stage' in report ? { kind: 'stage', stage: report.stage } : { kind: 'ended', reason: report.ended };
