import type { OutboxEntry, StaffCheckEntry, TamperReportEntry } from '@florin/shared/contracts/device-v1/sync.ts';
import type { Ids } from '@florin/shared/ports.ts';
import {
  canonicalOutboxEntry,
  type SignedStaffCheck,
  type SignedTamperReport,
} from '@florin/shared/signing/canonical.ts';
import { type KeyPair, signText, verifyText } from '@florin/shared/signing/ed25519.ts';
import type { TrustedTime } from '../staff/time.ts';
import type { LockoutState } from '../store/guard.ts';
import type { Store } from '../store/store.ts';

type Head = 'entryId' | 'terminalId' | 'sequence' | 'signature' | 'kind';

/** Writes signed entries for the service into the outbox. */
export interface EntryRecorder {
  /** `lockout` is the count that results from this check, stored with the entry. */
  recordStaffCheck(check: Omit<StaffCheckEntry, Head | 'attemptedAt'>, lockout: LockoutState | null): void;
  recordTampering(report: Omit<TamperReportEntry, Head | 'detectedAt'>): void;
  /** Whether this terminal signed the entry unchanged. */
  isGenuine(entry: OutboxEntry): boolean;
}

/** Signs entries with the terminal's key and numbers them per enrolment. An entry is stored before the call returns. */
export function createEntryRecorder(options: {
  store: Store;
  time: TrustedTime;
  ids: Ids;
  deviceKey: () => KeyPair;
  /** Of the current enrolment. */
  terminalId: () => string;
}): EntryRecorder {
  const { store, time, ids, deviceKey } = options;

  function head() {
    const terminalId = options.terminalId();
    return { entryId: ids.next('out'), terminalId, sequence: store.lastOutboxSequence(terminalId) + 1 };
  }
  const signatureOf = (entry: SignedStaffCheck | SignedTamperReport) =>
    signText(deviceKey().privateKey, canonicalOutboxEntry(entry));
  const now = () => new Date(time.now()).toISOString();

  return {
    recordStaffCheck(check, lockout) {
      const entry = { ...head(), kind: 'staff_check' as const, ...check, attemptedAt: now() };
      store.recordEntry({ entry: { ...entry, signature: signatureOf(entry) }, lockout });
      time.keep();
    },
    recordTampering(report) {
      const entry = { ...head(), kind: 'tamper_report' as const, ...report, detectedAt: now() };
      store.recordEntry({ entry: { ...entry, signature: signatureOf(entry) }, lockout: null });
    },
    isGenuine: entry => verifyText(deviceKey().publicKey, canonicalOutboxEntry(entry), entry.signature),
  };
}
