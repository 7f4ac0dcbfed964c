import { randomBytes } from 'node:crypto';
import type { Backend } from '@florin/backend/backend.ts';
import { operator } from '@florin/shared/actor.ts';
import { authoriseSale, completeSale } from '@florin/shared/contracts/device-v1/sales.ts';
import { keyPairOf } from '@florin/shared/signing/ed25519.ts';
import type { Pool } from 'undici';
import { signedEnrolment } from '../support/till.ts';
import { benchBusinessId } from './shop.ts';

export type EnrolledTerminal = { readonly serial: string; readonly token: string };

/** Enrols a terminal of the bench's shop over the API. */
export async function enrolTerminal({ services }: Backend, serial: string): Promise<EnrolledTerminal> {
  const made = await services.terminals.create({
    businessId: benchBusinessId,
    name: serial,
    mode: 'staff',
    by: operator,
  });
  const keys = keyPairOf(randomBytes(32));
  const enrolled = await services.terminals.enrol(signedEnrolment({ code: made.enrolment.code, serial, keys }));
  if (!enrolled.ok) throw new Error(`the terminal was not enrolled: ${enrolled.refusal.kind}`);
  return { serial, token: enrolled.value.deviceToken };
}

/** Makes the two requests of a sale keyed in at a terminal: its authorisation, which the bank approves, and its completion. */
export async function sellAt(pool: Pool, { token }: EnrolledTerminal, saleId: string): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const body = JSON.stringify({
    amountInCents: 500,
    currency: 'GBP',
    startedAt: new Date().toISOString(),
    card: { encryptedBlock: 'AA'.repeat(64), keySerialNumber: 'FFFF9876543210E00001', entryMode: 'chip' },
  });
  const calls = [
    { method: 'POST', path: authoriseSale.path.replace('{saleId}', saleId), body },
    { method: 'POST', path: completeSale.path.replace('{saleId}', saleId), body: '{}' },
  ] as const;
  for (const call of calls) {
    const answer = await pool.request({ ...call, headers });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`a sale of the bench was answered ${answer.statusCode}: ${text}`);
  }
}
