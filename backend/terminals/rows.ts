import type { Instant } from '@florin/shared/ports.ts';

export type TerminalRow = {
  id: string;
  businessId: string;
  /**
   * The terminal as which its machine was first enrolled in this business, known by its key. It names the requests of the
   * machine, so that one enrolled anew repeats or withdraws a request and never makes a second one.
   */
  machineId: string;
  name: string;
  mode: 'staff' | 'kiosk';
  serial: string | null;
  /** The terminal's own Ed25519 key (SPKI, base64): it signs what it recorded while offline. */
  publicKey: string | null;
  tokenHash: string | null;
  enrolmentCodeHash: string | null;
  enrolmentCodeExpiresAt: Instant | null;
  enrolledAt: Instant | null;
  removedAt: Instant | null;
  lastSeenAt: Instant | null;
  createdAt: Instant;
};

/** Outbox entries of terminals, taken once each; `terminalId` is the enrolment they were recorded under. */
export type DeviceEntryRow = {
  terminalId: string;
  entryId: string;
  sequence: number;
  outcome: string;
  takenAt: Instant;
};

/** Each key a terminal was ever enrolled with, and since when: what it recorded is verified with it. */
export type EnrolmentRow = { terminalId: string; publicKey: string; businessId: string; enrolledAt: Instant };

/** Something about a terminal that a person should look at. */
export type TerminalAlertRow = {
  id: string;
  businessId: string;
  terminalId: string;
  kind: 'entry_refused' | 'entries_missing' | 'tamper_report';
  reason: string;
  message: string;
  /** What the terminal reported, as it came. */
  entryJson: string;
  /** Of kind, reason and entry: the same report is kept once. */
  digest: string;
  createdAt: Instant;
};
