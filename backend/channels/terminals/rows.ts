import type { Instant } from '@florin/shared/ports.ts';

export type TerminalRow = {
  id: string;
  businessId: string;
  /**
   * The terminal id of this machine's first enrolment in this business, identified by its key. It scopes the machine's
   * request ids, so that after another enrolment it repeats or withdraws a request instead of making a second one.
   */
  machineId: string;
  name: string;
  mode: 'staff' | 'kiosk';
  serial: string | null;
  /** The terminal's own Ed25519 key (SPKI, base64), which signs its offline records. */
  publicKey: string | null;
  tokenHash: string | null;
  enrolmentCodeHash: string | null;
  enrolmentCodeExpiresAt: Instant | null;
  enrolledAt: Instant | null;
  removedAt: Instant | null;
  lastSeenAt: Instant | null;
  createdAt: Instant;
};

/** Outbox entries of terminals, accepted once each; `terminalId` is the enrolment that recorded them. */
export type DeviceEntryRow = {
  terminalId: string;
  entryId: string;
  sequence: number;
  outcome: string;
  takenAt: Instant;
};

/** Every key a terminal was enrolled with, and since when: its records are verified with it. */
export type EnrolmentRow = { terminalId: string; publicKey: string; businessId: string; enrolledAt: Instant };

/** A report about a terminal that needs manual review. */
export type TerminalAlertRow = {
  id: string;
  businessId: string;
  terminalId: string;
  kind: 'entry_refused' | 'entries_missing' | 'tamper_report';
  reason: string;
  message: string;
  /** The reported entry, unchanged. */
  entryJson: string;
  /** Hash of kind, reason and entry: an identical report is stored once. */
  digest: string;
  createdAt: Instant;
};

/** The end of a terminal's log, as it last sent it. */
export type TerminalDiagnosticsRow = {
  terminalId: string;
  launchCode: string;
  appVersion: string;
  platform: string;
  logJson: string;
  receivedAt: Instant;
};
