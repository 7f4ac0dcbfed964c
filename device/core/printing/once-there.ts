import type { Waiting } from '../flows/waiting.ts';
import type { DeviceContract, ServiceResponse } from '../service/client.ts';

const againAfterMs = 500;
const attempts = 10;

/** Calls an operation on a receipt until the service has it: a receipt appears there a moment after its payment. */
export async function onceThere<C extends DeviceContract>(
  waiting: Waiting,
  call: () => Promise<ServiceResponse<C>>,
): Promise<ServiceResponse<C>> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await call();
    const isThere = response.kind !== 'refused' || response.reason !== 'receipt_not_found';
    if (isThere || attempt === attempts) return response;
    await new Promise<void>(resolve => void waiting.after(againAfterMs, resolve));
  }
}
