import { managerRequiredMessage } from '@florin/shared/contracts/device-v1/mode.ts';
import type { Notice } from '../../ipc/view.ts';

export const modeNotices = {
  notReached: {
    message: 'Could not reach the server!',
    detail: 'Kiosk mode begins and ends only while the server can be reached. Check the network, then try again.',
  },
  managerRequired: {
    message: managerRequiredMessage,
    detail: 'A manager enters their staff ID, or an administrator changes the mode of this terminal.',
  },
} as const satisfies Record<string, Notice>;

/** The messages of the staff check for changing the mode. */
export function withoutMoney({ message, detail }: Notice): Notice {
  if (message === modeNotices.notReached.message) return modeNotices.notReached;
  const rest = detail?.replace(/ ?No money moved\./, '').trim() ?? '';
  return { message, detail: rest === '' ? null : rest };
}
