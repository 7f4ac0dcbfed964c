import { reportReceiptPrinted } from '@florin/shared/contracts/device-v1/commands.ts';
import { recordReaderClosing } from '@florin/shared/contracts/device-v1/reader-closings.ts';
import { completeSale, recordSale, reportUnknownSale, reverseSale } from '@florin/shared/contracts/device-v1/sales.ts';
import type { Clock, Log } from '@florin/shared/ports.ts';
import type { Publish } from '../facts.ts';
import type { PendingReport, Store } from '../store/store.ts';
import type { Connection } from './connection.ts';

/**
 * Reports about finished sales (complete, reverse, record, unknown) and readers' days (closing) that the service has not
 * acknowledged yet.
 */
export interface PendingReports {
  /** Tries to deliver each report once, in order. False if the service could not be reached. */
  deliver(): Promise<boolean>;
}

type SaleReportKind = Exclude<PendingReport['kind'], 'printed' | 'not_printed' | 'closing'>;

function isSaleReport(report: PendingReport): report is PendingReport & { readonly kind: SaleReportKind } {
  return report.kind !== 'printed' && report.kind !== 'not_printed' && report.kind !== 'closing';
}

type Delivery = 'acknowledged' | 'kept' | 'not_reached';

/** Only a response that settles a report deletes it; one that the service refused is sent again in the next round. */
export function createPendingReports(options: {
  store: Store;
  connection: Connection;
  /** That of `until`. */
  clock: Clock;
  log: Log;
  publish: Publish;
}): PendingReports {
  const { store, connection, clock, log } = options;
  let running: Promise<void> | undefined;

  function send({ saleId, kind, reason, recordJson }: PendingReport & { readonly kind: SaleReportKind }) {
    const params = { saleId };
    switch (kind) {
      case 'complete':
        return connection.call(completeSale, { params });
      case 'record':
        return connection.call(recordSale, { params, body: recordSale.body.parse(JSON.parse(recordJson ?? '')) });
      case 'unknown': {
        const body = reportUnknownSale.body.parse(JSON.parse(recordJson ?? ''));
        return connection.call(reportUnknownSale, { params, body });
      }
      case 'reverse':
      case 'watch':
        return connection.call(reverseSale, { params, body: { reason: reason ?? 'customer_cancelled' } });
    }
  }

  /** Whether a receipt was printed is dropped if the service does not want to know it. */
  async function deliverPrinted({ saleId, kind, position }: PendingReport): Promise<Delivery> {
    const response = await connection.call(reportReceiptPrinted, {
      params: { saleId },
      body: { printed: kind === 'printed' },
    });
    if (response.kind !== 'answered' && !(response.kind === 'refused' && response.status === 404))
      return response.kind === 'refused' ? 'kept' : 'not_reached';
    store.removePendingReport(position);
    return 'acknowledged';
  }

  /** After the sales that the reader took before it, which are in front of it in the queue. */
  async function deliverClosing({ saleId: closingId, recordJson, position }: PendingReport): Promise<Delivery> {
    const body = recordReaderClosing.body.parse(JSON.parse(recordJson ?? ''));
    const response = await connection.call(recordReaderClosing, { params: { closingId }, body });
    if (response.kind === 'answered') {
      store.removePendingReport(position);
      options.publish({ kind: 'reader_day_compared', closing: response.body });
      return 'acknowledged';
    }
    if (response.kind !== 'refused') return 'not_reached';
    const { status, reason } = response;
    store.recordReportRefusal(position, reason ?? `status_${status}`);
    log.error({ closingId, status, reason }, 'the service refused the end of a reader’s day');
    return 'kept';
  }

  async function deliverOne(report: PendingReport): Promise<Delivery> {
    if (report.kind === 'closing') return deliverClosing(report);
    if (!isSaleReport(report)) return deliverPrinted(report);
    const response = await send(report);
    if (response.kind === 'answered') {
      store.removePendingReport(report.position);
      options.publish({ kind: 'record_changed', record: response.body });
      return 'acknowledged';
    }
    if (response.kind !== 'refused') return 'not_reached';
    if (report.kind === 'watch' && response.status === 404) {
      // The lost request never arrived; the report is dropped only once that is certain.
      if (report.until !== null && clock.now() >= report.until) store.removePendingReport(report.position);
      return 'kept';
    }
    if ((report.kind === 'reverse' || report.kind === 'watch') && response.reason === 'sale_completed') {
      // The result was shown as completed, so only a void or a refund may return the money now.
      log.error({ saleId: report.saleId }, 'the sale was completed before it was reversed');
      store.removePendingReport(report.position);
      options.publish({ kind: 'reversal_refused', saleId: report.saleId });
      return 'acknowledged';
    }
    const { status, reason } = response;
    store.recordReportRefusal(report.position, reason ?? `status_${status}`);
    log.error(
      { saleId: report.saleId, report: report.kind, status, reason },
      'the service refused the report of a sale',
    );
    return 'kept';
  }

  async function deliverAll(): Promise<boolean> {
    for (const report of store.pendingReports()) if ((await deliverOne(report)) === 'not_reached') return false;
    return true;
  }

  return {
    deliver() {
      // A caller that arrives during a round gets another round after it, because its report may be newer.
      const round = (running ?? Promise.resolve()).then(deliverAll);
      const over = () => {
        if (running === mine) running = undefined;
      };
      const mine: Promise<void> = round.then(over, over);
      running = mine;
      return round;
    },
  };
}
