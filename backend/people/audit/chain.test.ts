import { expect, test } from 'vitest';
import { chainVerifier, genesisHash, hashOf } from './chain.ts';
import type { AuditEntryRow } from './rows.ts';
import { verifyAuditLines } from './service.ts';

function aChain(length: number): AuditEntryRow[] {
  const entries: AuditEntryRow[] = [];
  for (let sequence = 1; sequence <= length; sequence += 1) {
    const unhashed = {
      id: `aud_${sequence}`,
      businessId: 'biz_1',
      sequence,
      kind: 'refund_check' as const,
      status: 'authorized',
      reason: null,
      actorKind: 'staff' as const,
      actorId: 'staff_1',
      staffId: 'staff_1',
      terminalId: 'dev_1',
      paymentId: 'pay_1',
      refundId: null,
      amountMinor: 100 * sequence,
      detailJson: '{}',
      attemptedAt: sequence,
      recordedAt: sequence,
      previousHash: entries.at(-1)?.hash ?? genesisHash,
    };
    entries.push({ ...unhashed, hash: hashOf(unhashed) });
  }
  return entries;
}

function checkOf(entries: readonly AuditEntryRow[]) {
  const verifier = chainVerifier();
  for (const entry of entries) verifier.add(entry);
  return verifier.check();
}

function rehashed(entry: AuditEntryRow): AuditEntryRow {
  return { ...entry, hash: hashOf(entry) };
}

test('an unmodified chain is intact', () => {
  expect(checkOf(aChain(5))).toMatchObject({ kind: 'intact', entries: 5 });
  expect(checkOf([])).toEqual({ kind: 'intact', entries: 0, head: genesisHash });
});

test('a change to any column is detected at its entry', () => {
  const columns = Object.keys(aChain(1)[0] ?? {}).filter(column => column !== 'hash') as (keyof AuditEntryRow)[];
  for (const column of columns) {
    const forged = aChain(5).map(entry => (entry.sequence === 3 ? { ...entry, [column]: 'forged' } : entry));
    expect(checkOf(forged), column).toMatchObject({ kind: 'broken' });
  }
});

test('an entry changed and rehashed is detected at the next entry', () => {
  const forged = aChain(5).map(entry => (entry.sequence === 3 ? rehashed({ ...entry, amountMinor: 1 }) : entry));
  expect(checkOf(forged)).toMatchObject({ kind: 'broken', sequence: 4 });
});

test('removed, inserted and swapped entries are detected', () => {
  const chain = aChain(5);
  expect(checkOf(chain.filter(({ sequence }) => sequence !== 2))).toMatchObject({ kind: 'broken', sequence: 3 });
  expect(checkOf([...chain.slice(0, 2), ...chain.slice(1)])).toMatchObject({ kind: 'broken', sequence: 2 });
  expect(checkOf([...chain.slice(1, 2), ...chain.slice(0, 1)])).toMatchObject({ kind: 'broken', sequence: 2 });
});

test('verifying an exported file reports what is wrong with it', async () => {
  const entries = aChain(3);
  const header = JSON.stringify({ format: 'florin-audit-1', businessId: 'biz_1', exportedAt: 'now' });
  const footer = JSON.stringify({ entries: 3, head: entries[2]?.hash });
  const lines = [header, ...entries.map(entry => JSON.stringify(entry)), footer];
  expect(await verifyAuditLines(lines)).toMatchObject({ kind: 'intact', entries: 3 });
  const why = async (changed: string[]) => {
    const check = await verifyAuditLines(changed);
    return check.kind === 'broken' ? check.why : 'intact';
  };
  expect(await why(lines.slice(0, -1))).toBe('the end of the log is missing');
  expect(await why([header, ...lines.slice(1, 3), footer])).toBe('the last entries are missing');
  expect(await why(lines.slice(1))).toBe('this is no exported audit log');
  expect(await why([header, 'no json', footer])).toBe('line 2 is no entry');
  expect(await why([...lines, lines[1] ?? ''])).toBe('line 6 comes after the end of the log');
});
