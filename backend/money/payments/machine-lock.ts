import type { Transaction } from '../../foundation/database/database.ts';
import { machineForUpdate } from './store.ts';

/**
 * Locks the machine of a terminal, so that a sale or refund request and its reversal or withdrawal run one after the
 * other, under any enrolment.
 */
export async function lockedMachine(tx: Transaction, terminalId: string): Promise<{ machineId: string }> {
  const machine = await tx.first(machineForUpdate, { terminalId });
  if (!machine) throw new Error(`there is no terminal ${terminalId}`);
  return machine;
}
