/** The lockout as the log tells it: a second reckoning from the entries alone, to hold the stored state against. */
const minuteMs = 60_000;
const lastsMs = [5, 30, 120, 720, 1_440].map(minutes => minutes * minuteMs);
const wrongPerRound = 5;

export type Lockout = { failed: number; round: number; until: number | null };
export type CheckEntry = {
  readonly kind: string;
  readonly status: string | null;
  readonly reason: string | null;
  readonly staffId: string | null;
  readonly recordedAt: number;
  readonly detailJson: string;
};

export const unlocked: Lockout = { failed: 0, round: 0, until: null };

export function isLocked(state: Lockout, now: number): boolean {
  return state.until !== null && now < state.until;
}

/** What one more entry makes of it; a string says why that entry should not exist. */
export function after(state: Lockout, entry: CheckEntry): Lockout | string {
  const detail = JSON.parse(entry.detailJson) as { change?: string; offline?: boolean };
  if (entry.kind === 'staff_changed' && entry.status === null)
    return detail.change === 'unlocked' || detail.change === 'password_reset' ? unlocked : state;
  const locked = isLocked(state, entry.recordedAt);
  if (entry.reason === 'invalid_signature') {
    if (locked && !detail.offline) return 'a password was checked although the staff member was locked out';
    const failed = state.failed + 1;
    if (failed < wrongPerRound) return { ...state, failed };
    const until = entry.recordedAt + (lastsMs[Math.min(state.round, lastsMs.length - 1)] ?? 0);
    return { failed: 0, round: state.round + 1, until: Math.max(until, state.until ?? 0) };
  }
  if (detail.offline) return state;
  if (locked)
    return entry.reason === 'permission_denied'
      ? state
      : 'a password was accepted although the staff member was locked';
  return unlocked;
}
