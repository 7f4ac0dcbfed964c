import type { RefundRecord } from '@florin/shared/contracts/api-v1/refunds.ts';
import { getTerminalRefund, type withdrawTerminalRefund } from '@florin/shared/contracts/device-v1/refunds.ts';
import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import type { Connection } from '../sync/connection.ts';
import type { DisplaySettings } from '../words.ts';
import type { RefundEvent } from './machine.ts';
import { recordNotice } from './words.ts';

/** What the service knows of a request, by its id; `silent` is no statement about it. */
export async function whatBecame(
  connection: Pick<Connection, 'call'>,
  requestId: string | null,
  operation: typeof getTerminalRefund | typeof withdrawTerminalRefund = getTerminalRefund,
) {
  const response = await connection.call(operation, { params: { requestId: requestId ?? '' } });
  if (response.kind === 'answered') return { kind: 'found' as const, body: response.body };
  if (response.kind === 'refused' && response.status === 404) return { kind: 'not_found' as const };
  return { kind: 'silent' as const };
}

/** The flow event for a refund record of the service. */
export function recordEvent(
  response: { refund: RefundRecord; sale: SaleRecord },
  display: Pick<DisplaySettings, 'words' | 'locale'>,
): RefundEvent {
  const { refund, sale } = response;
  const notice = recordNotice(refund, display);
  return refund.status === 'pending'
    ? { type: 'PENDING', refund, sale, notice }
    : { type: 'OUTCOME_KNOWN', refund, sale, notice };
}
