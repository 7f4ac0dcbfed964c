import type { BitcoinSale } from '@florin/shared/contracts/device-v1/bitcoin.ts';
import {
  type acknowledgeCommand,
  type bankAnswer,
  type reportSaleProgress,
  type TerminalCommand,
  terminalCommand,
  type terminalProfile,
} from '@florin/shared/contracts/device-v1/commands.ts';
import { type Clock, type Ids, idPrefixes } from '@florin/shared/ports.ts';
import type { z } from 'zod';
import { type Database, readingAgain, type Transaction } from '../../foundation/database/database.ts';
import type { EventFeed } from '../../foundation/events/feed.ts';
import { following } from '../../foundation/events/following.ts';
import type { UnknownSales } from '../../money/payments/unknown-sale.ts';
import type { TerminalService } from '../terminals/service.ts';
import type { SaleBitcoin } from './bitcoin.ts';
import type { TerminalChannels } from './channels.ts';
import type { TerminalSaleRow } from './rows.ts';
import {
  commandById,
  endCommand,
  enrolmentsOfMachine,
  openCommands,
  openSaleInvoice,
  setCommandBody,
  setReceiptPrinted,
  startOfSale,
} from './store.ts';
import { type MoneyState, stateByStage, stateByTerminal } from './terminal-sale.ts';
import { isSaleOfMachine, type SaleTransitions } from './transitions.ts';

type Terminal = { readonly businessId: string; readonly terminalId: string };
type Outcome = z.output<(typeof acknowledgeCommand)['body']>['outcome'];
type Bank = { readonly event: 'bank'; readonly data: z.output<typeof bankAnswer> };
type Settings = { readonly event: 'settings'; readonly data: z.output<typeof terminalProfile> };
export type TerminalChange =
  | Settings
  | { readonly event: 'command'; readonly data: TerminalCommand; readonly id: string }
  | { readonly event: 'bitcoin'; readonly data: BitcoinSale }
  | Bank;
type Locked = NonNullable<Awaited<ReturnType<SaleTransitions['lock']>>>;
type Progress = z.output<(typeof reportSaleProgress)['body']>;

/** The terminal's side: its commands and reports. */
export type TerminalCommands = {
  /** Streams every open command, then new ones and changes of bitcoin sales, until `over`. */
  follow(terminal: Terminal, over: AbortSignal): AsyncGenerator<TerminalChange>;
  /** Whether to proceed; undefined if there is no such command. */
  acknowledge(terminal: Terminal, commandId: string, outcome: Outcome): Promise<boolean | undefined>;
  /** Whether a reader that authorises by itself may be started; undefined if the terminal has no such sale. */
  announceReader(terminal: Terminal, saleId: string): Promise<boolean | undefined>;
  /** Whether the sale has ended; undefined if the terminal has no such sale. */
  report(terminal: Terminal, saleId: string, progress: Progress): Promise<boolean | undefined>;
  /** Records whether the receipt was printed, and returns what holds then; undefined if the terminal has no such sale. */
  reportPrinted(terminal: Terminal, saleId: string, printed: boolean): Promise<boolean | undefined>;
  open(terminalId: string): Promise<TerminalCommand[]>;
};

/** The terminal has stopped waiting for the bank's reply and looks up the outcome, which is not known yet. */
function asTerminalFinds(money: MoneyState, report: Progress['report']): MoneyState {
  const isLookedUp = report.kind === 'stage' && report.stage === 'unknown_outcome';
  return isLookedUp && money.statusReason === 'authorising' ? { ...money, statusReason: 'unknown_outcome' } : money;
}

/**
 * Sends commands to terminals and applies their reports. A report older than the last one applied, or of an ended sale,
 * changes nothing.
 */
export function terminalCommands(options: {
  database: Database;
  clock: Clock;
  ids: Ids;
  events: Pick<EventFeed, 'follow'>;
  transitions: SaleTransitions;
  channels: TerminalChannels;
  terminals: Pick<TerminalService, 'find'>;
  bitcoin: Pick<SaleBitcoin, 'find'>;
  unknownSales: Pick<UnknownSales, 'end'>;
}): TerminalCommands {
  const { database, clock, ids, transitions, channels } = options;

  async function open(terminalId: string): Promise<TerminalCommand[]> {
    const rows = await database.all(openCommands, { terminalId, now: clock.now() });
    return rows.map(({ bodyJson }) => terminalCommand.parse(JSON.parse(bodyJson)));
  }

  /** What the customer chose takes the place of what software named, for whatever is written of the sale later. */
  async function keepLanguage(tx: Transaction, saleId: string, language: string): Promise<void> {
    const row = await tx.first(startOfSale, { saleId });
    const command = row && terminalCommand.parse(JSON.parse(row.bodyJson));
    if (!command || ('language' in command && command.language === language)) return;
    await tx.run(setCommandBody, { id: row.id, bodyJson: JSON.stringify({ ...command, language }) });
  }

  /** Applies a terminal's report to a locked sale; its payment takes precedence. */
  async function moveBy(
    tx: Transaction,
    { sale, money: known, report, reportSequence }: Locked & Pick<Progress, 'report'> & { reportSequence: number },
  ): Promise<TerminalSaleRow> {
    const money = known && asTerminalFinds(known, report);
    const by = { kind: 'terminal', terminalId: sale.terminalId } as const;
    const ending = report.kind === 'ended' ? report.reason : undefined;
    const mayBeCharged = ending === undefined || ending === 'completed' || ending === 'outcome_unknown';
    if (money) {
      const payment = { businessId: sale.businessId, id: money.paymentId };
      const wasUnknown = !mayBeCharged && (await options.unknownSales.end(tx, payment, by));
      // Staff have left a refund, before the bank's response. A sale leaves with its completion or reversal.
      const isLeft = sale.type === 'refund' && report.kind === 'ended';
      const leftTerminalAt = sale.leftTerminalAt ?? (isLeft ? clock.now() : null);
      if (!wasUnknown) return transitions.follow(tx, { ...sale, reportSequence, leftTerminalAt }, money);
    }
    if (ending === 'outcome_unknown')
      return transitions.recordUnknownOutcome(tx, sale, { reportSequence, leftTerminalAt: clock.now(), by });
    const state = report.kind === 'ended' ? stateByTerminal(sale, report.reason) : stateByStage(sale, report.stage);
    return transitions.move(tx, sale, { ...state, reportSequence, by });
  }

  return {
    open,

    async *follow({ businessId, terminalId }, over) {
      const channelId = ids.next(idPrefixes.request);
      const sent = new Set<string>();
      // It continues sales of its earlier enrolments.
      const enrolments = new Set((await database.all(enrolmentsOfMachine, { terminalId })).map(({ id }) => id));
      const changes = following({ events: options.events, businessId, over }, ({ type, payload, subjectId }) => {
        if (type === 'terminal.profile_changed' && (subjectId === terminalId || subjectId === businessId))
          return 'settings' as const;
        if (type === 'terminal.command_given' && payload.terminalId === terminalId) return 'command' as const;
        const isBank = type === 'payment.approved' || type === 'payment.declined' || type === 'payment.failed';
        if (isBank && payload.terminalId !== null && enrolments.has(payload.terminalId) && payload.saleId !== null)
          return { event: 'bank', data: { saleId: payload.saleId } } as const;
        const isBitcoin = type === 'terminal_sale.bitcoin_changed' && enrolments.has(payload.terminalId);
        return isBitcoin ? { saleId: payload.saleId } : undefined;
      });
      await channels.opened(terminalId, channelId);
      try {
        await changes.started;
        for (
          let one: 'command' | 'settings' | Bank | { readonly saleId: string } | undefined = 'command';
          one !== undefined;
          one = await changes.next()
        ) {
          if (one === 'settings') {
            const terminal = await options.terminals.find(businessId, terminalId);
            if (terminal) yield { event: 'settings', data: { name: terminal.name, mode: terminal.mode } };
            continue;
          }
          if (one !== 'command' && 'event' in one) {
            yield one;
            continue;
          }
          if (one !== 'command') {
            const data = await options.bitcoin.find({ businessId, terminalId }, one.saleId);
            if (data) yield { event: 'bitcoin', data };
            continue;
          }
          for (const command of await open(terminalId)) {
            if (sent.has(command.commandId)) continue;
            sent.add(command.commandId);
            yield { event: 'command', data: command, id: command.commandId };
          }
        }
      } finally {
        changes.stop();
        await channels.closed(terminalId, channelId);
      }
    },

    async acknowledge({ terminalId }, id, outcome) {
      return database.write(async tx => {
        const command = await tx.first(commandById, { id, terminalId });
        if (!command) return undefined;
        const locked = await transitions.lock(tx, command.saleId);
        if (!locked) throw new Error(`sale ${command.saleId} is missing`);
        const { sale } = locked;
        const isFirst = (await tx.run(endCommand, { id, outcome })) === 1;
        if (command.kind === 'end_sale') return true;
        if (sale.endedAt !== null || outcome !== 'taken') {
          const isBusy = outcome === 'busy' && isFirst && sale.endedAt === null;
          if (isBusy) await transitions.move(tx, sale, { status: 'ERROR', statusReason: 'terminal_busy' });
          return false;
        }
        if (sale.status === 'PENDING') {
          const statusReason = sale.type === 'refund' ? 'awaiting_staff' : 'awaiting_reader';
          await transitions.move(tx, sale, { status: 'PROCESSING', statusReason, dueAt: sale.expiresAt });
        }
        return true;
      });
    },

    async announceReader(terminal, saleId) {
      return database.write(async tx => {
        const locked = await transitions.lock(tx, saleId);
        if (!locked || !(await isSaleOfMachine(tx, locked.sale, terminal))) return undefined;
        const { sale, money } = locked;
        if (money) await transitions.follow(tx, sale, money);
        if (money || sale.type !== 'sale' || sale.endedAt !== null || sale.endRequested !== null) return false;
        if (await tx.first(openSaleInvoice, { saleId })) return false;
        if (sale.atReaderAt === null)
          await transitions.move(tx, sale, {
            status: 'PROCESSING',
            statusReason: 'awaiting_card',
            atReaderAt: clock.now(),
            dueAt: sale.expiresAt,
          });
        return true;
      });
    },

    async reportPrinted(terminal, saleId, printed) {
      return database.write(async tx => {
        const locked = await transitions.lock(tx, saleId);
        if (!locked || !(await isSaleOfMachine(tx, locked.sale, terminal))) return undefined;
        const { sale } = locked;
        const change = { id: saleId, sequence: sale.sequence + 1, updatedAt: clock.now() };
        await tx.run(setReceiptPrinted, { ...change, receiptPrinted: printed ? 1 : 0 });
        return printed || sale.receiptPrinted === 1;
      });
    },

    async report(terminal, saleId, { sequence, report, language }) {
      return readingAgain(() =>
        database.write(async tx => {
          const locked = await transitions.lock(tx, saleId);
          if (!locked || !(await isSaleOfMachine(tx, locked.sale, terminal))) return undefined;
          const { sale } = locked;
          const isOver = sale.endedAt !== null;
          if (sequence <= sale.reportSequence) return isOver;
          if (language !== undefined) await keepLanguage(tx, saleId, language);
          if (isOver) return true;
          // Earlier reports of the reader do not end a bitcoin request.
          if (await tx.first(openSaleInvoice, { saleId })) return false;
          return (await moveBy(tx, { ...locked, report, reportSequence: sequence })).endedAt !== null;
        }),
      );
    },
  };
}
