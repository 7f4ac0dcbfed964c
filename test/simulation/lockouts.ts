/** Lockouts computed a second time from the log entries alone, to compare with the stored state. */
const minuteMs = 60_000;
const lastsMs = [5, 30, 120, 720, 1_440].map(minutes => minutes * minuteMs);
const wrongPerRound = 5;

const lockoutsPerTerminal = 3;
const terminalWindowMs = 60 * minuteMs;

export type Lockout = { failed: number; round: number; until: number | null };
/** The lockouts a terminal caused since a window began. */
export type TerminalLockout = { caused: number; until: number };
export type CheckEntry = {
  readonly kind: string;
  readonly status: string | null;
  readonly reason: string | null;
  readonly staffId: string | null;
  readonly attemptedAt: number;
  readonly recordedAt: number;
  readonly detailJson: string;
};

export const unlocked: Lockout = { failed: 0, round: 0, until: null };
export const noLockout: TerminalLockout = { caused: 0, until: 0 };

export function isLocked(state: Lockout, now: number): boolean {
  return state.until !== null && now < state.until;
}

function isTerminalLocked({ caused, until }: TerminalLockout, now: number): boolean {
  return caused >= lockoutsPerTerminal && now < until;
}

type Detail = { change?: string; offline?: boolean; counted?: boolean; detail?: string };
type Lockouts = { readonly staff: Lockout; readonly terminal: TerminalLockout };

/** The lockouts after one more entry; a string says why that entry must not exist. */
export function after({ staff, terminal }: Lockouts, entry: CheckEntry): Lockouts | string {
  const detail = JSON.parse(entry.detailJson) as Detail;
  if (entry.kind === 'staff_changed' && entry.status === null)
    return { staff: detail.change === 'unlocked' || detail.change === 'password_reset' ? unlocked : staff, terminal };
  const locked = isLocked(staff, entry.recordedAt);
  const terminalLocked = isTerminalLocked(terminal, entry.recordedAt);
  if (entry.reason === 'invalid_signature') {
    if (detail.offline) {
      if (detail.counted === terminalLocked)
        return 'an offline check was counted although its terminal was locked out, or not';
      return terminalLocked ? { staff, terminal } : afterWrong({ staff, terminal }, entry);
    }
    if (locked) return 'a password was checked although the staff member was locked out';
    if (terminalLocked) return 'a password was checked although the terminal was locked out';
    return afterWrong({ staff, terminal }, entry);
  }
  if (detail.offline) return { staff, terminal };
  if (detail.detail === 'terminal_locked_out')
    return terminalLocked && !locked
      ? { staff, terminal }
      : 'a check was refused although the terminal was not locked out';
  if (locked)
    return entry.reason === 'permission_denied'
      ? { staff, terminal }
      : 'a password was accepted although the staff member was locked';
  if (terminalLocked) return 'a password was accepted although the terminal was locked out';
  return { staff: unlocked, terminal };
}

function afterWrong({ staff, terminal }: Lockouts, entry: CheckEntry): Lockouts {
  const failed = staff.failed + 1;
  if (failed < wrongPerRound) return { staff: { ...staff, failed }, terminal };
  // An attempt is never later than its entry: a process whose clock is behind records an earlier time than the terminal.
  const at = Math.min(entry.attemptedAt, entry.recordedAt);
  const until = at + (lastsMs[Math.min(staff.round, lastsMs.length - 1)] ?? 0);
  const isNewWindow = entry.recordedAt >= terminal.until;
  return {
    staff: { failed: 0, round: staff.round + 1, until: Math.max(until, staff.until ?? 0) },
    terminal: isNewWindow
      ? { caused: 1, until: entry.recordedAt + terminalWindowMs }
      : { ...terminal, caused: terminal.caused + 1 },
  };
}
