import type { Mutant } from '../simulation/mutants/mutant.ts';
import { bugsIn } from '../simulation/mutants/mutant.ts';
import type { Cell } from './cell.ts';

/** A planted bug, and where in the matrix it is looked for. */
export type PlantedBug = Mutant & { readonly where: Omit<Cell, 'step' | 'seed'> };

const bugsOf = (where: PlantedBug['where'], files: Parameters<typeof bugsIn>[0]): PlantedBug[] =>
  bugsIn(files).map(bug => ({ ...bug, where }));

/** Money bugs between reader, terminal, service and bank, each of which the matrix must find. */
export const bugs: readonly PlantedBug[] = [
  ...bugsOf(
    { protocol: 'line', operation: 'sale', fault: 'bank-silent' },
    {
      'device/core/sales/decision.ts': [
        {
          name: 'an unknown outcome counts as declined',
          find: "return reader === 'approved' ? 'approved' : 'wait';",
          replace: "return reader === 'approved' ? 'approved' : 'nothing_charged';",
        },
      ],
    },
  ),
  ...bugsOf(
    { protocol: 'line', operation: 'sale', fault: 'power-service' },
    {
      'device/core/sales/bank-request.ts': [
        {
          name: 'a sale is sent again under a new id after a lost answer',
          find: 'const answer = await connection.call(authoriseSale, { params: { saleId }, body,',
          replace:
            'const answer = await connection.call(authoriseSale, { params: { saleId: tries === 1 ? saleId : saleId.slice(0, -1) + String(tries) }, body,',
        },
      ],
    },
  ),
  ...bugsOf(
    { protocol: 'line', operation: 'sale', fault: 'power-service' },
    {
      'device/core/sync/pending-reports.ts': [
        {
          name: 'a report is deleted before the service acknowledged it',
          find: 'const response = await send(report);',
          replace: 'store.removePendingReport(report.position);\n    const response = await send(report);',
        },
      ],
    },
  ),
  ...bugsOf(
    { protocol: 'line', operation: 'sale', fault: 'power-terminal' },
    {
      'device/core/sales/machine.ts': [
        {
          name: 'a sale that a restart interrupted counts as cancelled',
          find: "READER_ENDED: { actions: assign(({ event }) => readerFactsAfterReading(event.outcome)) },\n        RESTARTED: { target: 'checking', actions: assign({ checkingBecause: 'restart' as const }) },",
          replace:
            "READER_ENDED: { actions: assign(({ event }) => readerFactsAfterReading(event.outcome)) },\n        RESTARTED: { target: 'done', actions: cancelled },",
        },
      ],
    },
  ),
  ...bugsOf(
    { protocol: 'zvt', operation: 'sale', fault: 'cable' },
    {
      'device/readers/zvt/transactions.ts': [
        {
          name: 'a payment whose end was lost counts as failed',
          find: "if (ended.kind === 'lost' || !entry) return { kind: 'unknown' };",
          replace:
            "if (ended.kind === 'lost' && entry) return this.#end(id, failureOf(entry, 0x6c, stoppedBy));\n    if (ended.kind === 'lost' || !entry) return { kind: 'unknown' };",
        },
      ],
    },
  ),
  ...bugsOf(
    { protocol: 'zvt', operation: 'sale', fault: 'power-terminal' },
    {
      'device/readers/zvt/recovery.ts': [
        {
          name: 'a payment that the reader made counts as not executed, and is made again',
          find: "if (before.kind === 'facts' && isSame(before.facts, facts)) return { kind: 'not_executed' };",
          replace: "if (before.kind === 'none' || isSame(before.facts, facts)) return { kind: 'not_executed' };",
        },
      ],
    },
  ),
  ...bugsOf(
    { protocol: 'line', operation: 'refund', fault: 'power-service' },
    {
      'device/core/refunds/flow.ts': [
        {
          name: 'a refund without an answer is sent again under a new id',
          find: 'const asked = await whatBecame(connection, requestId);',
          replace:
            "if (body) await connection.call(createTerminalRefund, { body: { ...body, requestId: String(requestId) + '-2' }, timeoutMs: sendTimeoutMs });\n    const asked = await whatBecame(connection, requestId);",
        },
      ],
    },
  ),
];
