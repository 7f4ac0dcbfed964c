import type { Instant } from '@florin/shared/ports.ts';
import type { TerminalRow } from '../../backend/channels/terminals/rows.ts';
import type { BusinessRow } from '../../backend/people/businesses/rows.ts';
import { initialSettings } from '../../backend/people/businesses/service.ts';
import { defaultArgon2 } from '../../backend/people/staff/password.ts';
import type { StaffRow } from '../../backend/people/staff/rows.ts';
import { machineKeys } from './refund-calls.ts';

/** A business in London that protects refunds and voids with passwords. */
export function businessRow({ id, now }: { id: string; now: Instant }): BusinessRow {
  return {
    id,
    name: 'Corner Shop',
    countryCode: 'GB',
    currency: 'GBP',
    locale: 'en-GB',
    timeZone: 'Europe/London',
    ...initialSettings,
    createdAt: now,
  };
}

/** A terminal in staff mode, and the enrolment that made it one. */
export function enrolledTerminal({
  id,
  businessId,
  name,
  now,
}: {
  id: string;
  businessId: string;
  name: string;
  now: Instant;
}) {
  const publicKey = machineKeys(id).publicKey;
  const terminal: TerminalRow = {
    id,
    businessId,
    machineId: id,
    name,
    mode: 'staff',
    serial: id,
    publicKey,
    tokenHash: id,
    enrolmentCodeHash: null,
    enrolmentCodeExpiresAt: null,
    enrolledAt: now,
    removedAt: null,
    lastSeenAt: null,
    createdAt: now,
  };
  return { terminal, enrolment: { terminalId: id, publicKey, businessId, enrolledAt: now } };
}

/** A staff member without limits who has chosen a password and may refund and void. */
export function staffRow(options: {
  id: string;
  businessId: string;
  number: number;
  publicKey: string;
  salt: Uint8Array;
  now: Instant;
}): StaffRow {
  return {
    id: options.id,
    businessId: options.businessId,
    staffNumber: String(100 + options.number),
    name: `Staff ${options.number}`,
    mayRefundAndVoid: 1,
    mayManageTerminals: 0,
    perTransactionLimitMinor: null,
    dailyLimitMinor: null,
    publicKey: options.publicKey,
    salt: Buffer.from(options.salt).toString('base64'),
    argon2Json: JSON.stringify(defaultArgon2),
    passwordIsTemporary: 0,
    failedAttempts: 0,
    lockoutRound: 0,
    lockedUntil: null,
    disabledAt: null,
    createdAt: options.now,
  };
}
