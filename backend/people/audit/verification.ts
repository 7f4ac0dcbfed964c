import type { AuditVerificationRecord } from '@florin/shared/contracts/api-v1/audit.ts';
import type { Language } from '@florin/shared/languages.ts';
import type { Clock, Instant, Timers } from '@florin/shared/ports.ts';
import { wait } from '@florin/shared/ports.ts';
import type { AuditCheck, AuditService } from './service.ts';
import { auditWords } from './words/words.ts';

type Checked = { readonly at: Instant; readonly check: AuditCheck };
type Known = { readonly startedAt: Instant; readonly checking: Promise<Checked>; isRunning: boolean };

/** A log is read from its start for each check: the result is used again for this long. */
const usedForMs = 60_000;
/** How long a caller waits for a long log. */
const waitMs = 3_000;

/** Checks a business's log on request, in this process at most once at a time and once a minute. */
export function auditVerification(ports: {
  readonly audit: Pick<AuditService, 'verify'>;
  readonly clock: Clock;
  readonly timers: Timers;
}): (businessId: string, language: Language) => Promise<AuditVerificationRecord> {
  const { audit, clock, timers } = ports;
  const known = new Map<string, Known>();

  function begin(businessId: string): Known {
    const startedAt = clock.now();
    const checking = audit.verify(businessId).then(check => ({ at: startedAt, check }));
    const begun: Known = { startedAt, checking, isRunning: true };
    checking.then(
      () => {
        begun.isRunning = false;
      },
      // A check that could not be made is made again with the next request.
      () => known.delete(businessId),
    );
    known.set(businessId, begun);
    return begun;
  }

  return async (businessId, language) => {
    const last = known.get(businessId);
    const isUsed = last && (last.isRunning || Math.abs(clock.now() - last.startedAt) < usedForMs);
    const { checking } = isUsed ? last : begin(businessId);
    const over = new AbortController();
    const checked = await Promise.race([checking, wait(timers, waitMs, over.signal)]);
    over.abort();
    return recordOf(checked ?? undefined, language);
  };
}

function recordOf(checked: Checked | undefined, language: Language): AuditVerificationRecord {
  if (!checked) return { result: 'checking', length: null, head: null, problem: null, checkedAt: null };
  const { check, at } = checked;
  const checkedAt = new Date(at).toISOString();
  if (check.kind === 'intact')
    return { result: 'intact', length: check.entries, head: check.head, problem: null, checkedAt };
  const { fault, why } = check;
  const message = fault ? auditWords[language].faults[fault.kind](fault.subject) : why;
  const problem = { sequence: check.sequence, message };
  return { result: 'broken', length: null, head: null, problem, checkedAt };
}
