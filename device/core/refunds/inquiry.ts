import { getTerminalRefund, type withdrawTerminalRefund } from '@florin/shared/contracts/device-v1/refunds.ts';
import type { Connection } from '../sync/connection.ts';

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
