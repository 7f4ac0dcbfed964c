import type { Notice } from '../../ipc/view.ts';
import type { CoreWords } from '../words.ts';
import type { BrokenLimit } from './offline.ts';

/** States the limit, so that the next attempt fits: another staff ID, or a smaller amount. */
export function limitNotice(
  broken: BrokenLimit,
  context: { words: CoreWords; staffName: string | null; money: (amountMinor: number) => string },
  /** A colleague can approve it now: their staff ID is asked for on the same screen. */
  { isApprovable } = { isApprovable: false },
): Notice {
  const { staffName, money } = context;
  const { limits } = context.words;
  const limit = money(broken.limitMinor);
  const next = isApprovable ? limits.colleagueApproves : limits.otherPerson;
  if (broken.reason === 'limit_exceeded') {
    return { message: limits.perTransaction.message, detail: limits.perTransaction.detail(staffName, limit, next) };
  }
  const left = money(Math.max(0, broken.limitMinor - broken.usedMinor));
  return { message: limits.daily.message, detail: limits.daily.detail(staffName, limit, left, next) };
}

/** `triesLeft` before a lockout; null if unknown. */
export function incorrectPassword(triesLeft: number | null, words: CoreWords): Notice {
  const { message, triesLeft: left } = words.incorrectPassword;
  return { message, detail: triesLeft === null ? words.noMoneyMoved : `${words.noMoneyMoved} ${left(triesLeft)}` };
}

type Lockout = { readonly words: CoreWords; readonly staffName: string | null };

/** For an authorisation sent during a lockout: its password was not checked. `until` is a formatted time, if known. */
export function tooManyAttempts(until: string | null, { words, staffName }: Lockout): Notice {
  return { message: words.lockouts.tooManyAttempts, detail: words.lockouts.staff(staffName, until) };
}

/** The terminal itself is locked: no staff member can authorise anything on it. */
export function terminalLockedOut(until: string | null, words: CoreWords): Notice {
  return { message: words.lockouts.tooManyAttempts, detail: words.lockouts.terminal(until) };
}

/** For a staff member locked out by the service or by this terminal's count. `until` is a formatted time, if known. */
export function lockedOut(until: string | null, { words, staffName }: Lockout): Notice {
  const { lockouts } = words;
  return {
    message: until ? lockouts.lockedOutUntil(until) : lockouts.lockedOut,
    detail: lockouts.staff(staffName, until),
  };
}

/** When the sale may be looked at again: a formatted time, within a minute, or not known. */
export type LookAgain = { readonly at: string } | 'inAMinute' | 'later';

/** A refusal because of the payment's state. The service's own message is meant for developers and is not shown. */
export function refusalNotice(reason: string | null, words: CoreWords, lookAgain: LookAgain = 'later'): Notice {
  const { refusals } = words;
  if (reason === null || !Object.hasOwn(refusals, reason)) return refusals.other;
  const refusal = refusals[reason as keyof typeof refusals];
  if (reason !== 'payment_settling') return refusal;
  const again = typeof lookAgain === 'object' ? words.lookAgain.at(lookAgain.at) : words.lookAgain[lookAgain];
  return { message: refusal.message, detail: `${refusal.detail} ${again}` };
}
