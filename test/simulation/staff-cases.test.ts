import { createTerminalRefund } from '@florin/shared/contracts/device-v1/refunds.ts';
import { expect, test } from 'vitest';
import type { AuditEntryRow } from '../../backend/people/audit/rows.ts';
import { verifyAuditLines } from '../../backend/people/audit/service.ts';
import { argon2Derivation, defaultArgon2 } from '../../backend/people/staff/password.ts';
import type { StaffRow } from '../../backend/people/staff/rows.ts';
import { eachWorld } from './each-database.ts';
import type { StaffMember } from './refund-calls.ts';
import { gbp, outcomeOf, type World } from './world.ts';

/** The catalogue of staff authorisation faults, case by case. */
eachWorld('staff checks', newWorld => {
  const log = async (world: World) =>
    (await world.rows<AuditEntryRow>('auditEntries'))
      .sort((one, other) => one.sequence - other.sequence)
      .map(({ status, reason }) => (reason === null ? status : `${status}: ${reason}`));

  async function staffRow(world: World, { row }: StaffMember): Promise<StaffRow> {
    const found = (await world.rows<StaffRow>('staff')).find(({ id }) => id === row.id);
    if (!found) throw new Error('the staff member is missing');
    return found;
  }

  async function wrongPasswords(world: World, staff: StaffMember, times: number): Promise<string[]> {
    const payment = await world.settledCardPayment(gbp(1_000));
    const outcomes: string[] = [];
    for (let time = 0; time < times; time += 1)
      outcomes.push(outcomeOf(await world.staff.refunds(payment, gbp(1), { staff, password: 'wrong' })));
    return outcomes;
  }

  test('A1: after two rounds of wrong passwords the right one is refused for half an hour', async () => {
    const world = await newWorld({ seed: 201 });
    const staff = await world.aStaffMember();
    expect((await wrongPasswords(world, staff, 5)).at(-1)).toBe('staff_locked');
    await world.clock.advance({ minutes: 5, seconds: 1 });
    expect((await wrongPasswords(world, staff, 5)).at(-1)).toBe('staff_locked');
    const payment = await world.settledCardPayment(gbp(1_000));
    const eleventh = () => world.staff.refunds(payment, gbp(1), { staff });
    expect(outcomeOf(await eleventh())).toBe('staff_locked');
    await world.clock.advance({ minutes: 29 });
    expect(outcomeOf(await eleventh())).toBe('staff_locked');
    await world.clock.advance({ minutes: 1, seconds: 1 });
    expect(outcomeOf(await eleventh())).toBe('approved');
    expect(await staffRow(world, staff)).toMatchObject({ failedAttempts: 0, lockoutRound: 0, lockedUntil: null });
  });

  test('A2: five of 20 parallel wrong passwords on two terminals are checked, and all are logged', async () => {
    const world = await newWorld({ seed: 202 });
    const staff = await world.aStaffMember();
    const other = await world.aTerminal();
    const payment = await world.settledCardPayment(gbp(1_000));
    const all = <Value>(calls: readonly Promise<Value>[]) => world.drive(Promise.all(calls));
    const wrong = Array.from({ length: 20 }, (_, index) => {
      const terminalId = index % 2 === 0 ? world.terminal : other;
      return { kind: 'REFUND_SALE', amountMinor: 1, staff, password: 'wrong', terminalId } as const;
    });
    // All challenges are issued before any password check: after the lockout none is issued.
    const signed = await all(wrong.map(request => world.calls.signed(payment, request)));
    const outcomes = (
      await all(
        wrong.map(({ terminalId }, index) => {
          const authorisation = signed[index];
          if (!authorisation || 'refused' in authorisation) throw new Error('no challenge was issued');
          const request = world.calls.apiRequest(payment, { kind: 'REFUND_SALE', amount: gbp(1) });
          const by = { kind: 'terminal', terminalId } as const;
          return world.instance.call(({ refunds }) => refunds.requestCard({ ...request, by, authorisation }));
        }),
      )
    ).map(outcomeOf);
    expect(outcomes.filter(one => one === 'invalid_signature')).toHaveLength(4);
    expect(outcomes).toContain('staff_locked');
    const entries = await log(world);
    expect(entries.filter(entry => entry === 'failed: invalid_signature')).toHaveLength(5);
    expect(entries).toHaveLength(20);
    expect(await staffRow(world, staff)).toMatchObject({ failedAttempts: 0, lockoutRound: 1 });
  });

  test('A3: an unknown staff ID gets the specified message, and leaves no entry', async () => {
    const world = await newWorld({ seed: 203 });
    const challenge = await world.drive(
      world.instance.call(services =>
        services.staff.challenge({ businessId: world.business.id, terminalId: world.terminal, staffNumber: '999' }),
      ),
    );
    expect(challenge).toEqual({ ok: false, refusal: { kind: 'staff_unknown' } });
    expect(await log(world)).toEqual([]);
  });

  test('A4: every check of a password leaves exactly one entry', async () => {
    const world = await newWorld({ seed: 204 });
    const staff = await world.aStaffMember({ perTransactionLimitMinor: 500, dailyLimitMinor: 800 });
    const visitor = await world.aStaffMember({ mayRefundAndVoid: 0 });
    const payment = await world.settledCardPayment(gbp(2_000));
    await world.staff.refunds(payment, gbp(500), { staff });
    await world.staff.refunds(payment, gbp(501), { staff });
    await world.staff.refunds(payment, gbp(400), { staff });
    await world.staff.refunds(payment, gbp(100), { staff, password: 'wrong' });
    await world.staff.refunds(payment, gbp(100), { staff: visitor });
    // Refused before the password is checked.
    await world.staff.refunds(payment, gbp(3_000), { staff });
    expect(await log(world)).toEqual([
      'authorized',
      'limit_exceeded: limit_exceeded',
      'daily_limit_exceeded: daily_limit_exceeded',
      'failed: invalid_signature',
      'failed: permission_denied',
    ]);
  });

  test('A5: line breaks and control characters in names stay within one line of the exported log', async () => {
    const world = await newWorld({ seed: 205 });
    const staff = await world.aStaffMember({ name: '17\r\nOK\u001b[2J' });
    const payment = await world.settledCardPayment(gbp(1_000));
    await world.staff.refunds(payment, gbp(100), { staff });
    const lines: string[] = [];
    await world.drive(
      (async () => {
        for await (const line of world.instance.services.audit.export(world.business.id)) lines.push(line);
      })(),
    );
    expect(lines).toHaveLength(3);
    expect(Array.from(lines.join('')).every(character => character >= ' ')).toBe(true);
    expect(await verifyAuditLines(lines)).toMatchObject({ kind: 'intact', entries: 1 });
    const forged = lines.map(line => line.replace('authorized', 'failed'));
    expect(await verifyAuditLines(forged)).toMatchObject({ kind: 'broken', sequence: 1 });
  });

  test('A6: a restart with a clock an hour slow does not unlock', async () => {
    const world = await newWorld({ seed: 206 });
    const staff = await world.aStaffMember();
    await wrongPasswords(world, staff, 5);
    world.restart({ clockErrorMs: -3_600_000 });
    const payment = await world.settledCardPayment(gbp(1_000));
    expect(outcomeOf(await world.staff.refunds(payment, gbp(1), { staff }))).toBe('staff_locked');
  });

  test('A9: one of two refunds of 300 on two terminals is within a daily limit of 500, in the time zone furthest ahead', async () => {
    const world = await newWorld({
      seed: 209,
      business: { timeZone: 'Pacific/Kiritimati' },
      settings: { recoveryEveryMs: 3_600_000 },
    });
    const staff = await world.aStaffMember({ dailyLimitMinor: 500 });
    const other = await world.aTerminal();
    const payment = await world.settledCardPayment(gbp(1_000));
    const refund = (terminal: string) => world.calls.terminalRefund(payment, { amount: gbp(300), staff, terminal });
    const outcomes = (await world.drive(Promise.all([refund(world.terminal), refund(other)]))).map(outcomeOf);
    expect(outcomes.sort()).toEqual(['approved', 'daily_limit_exceeded']);
    // 12:00 UTC is 02:00 of the next day there: the limit is free again 22 hours later.
    await world.clock.advance({ hours: 21, minutes: 59 });
    expect(outcomeOf(await world.staff.refunds(payment, gbp(300), { staff }))).toBe('daily_limit_exceeded');
    await world.clock.advance({ minutes: 2 });
    expect(outcomeOf(await world.staff.refunds(payment, gbp(300), { staff }))).toBe('approved');
  });

  test('limits do not apply to voids', async () => {
    const world = await newWorld({ seed: 211 });
    const staff = await world.aStaffMember({ perTransactionLimitMinor: 1, dailyLimitMinor: 1 });
    const payment = await world.cardPayment(gbp(2_000));
    expect(outcomeOf(await world.staff.voids(payment, { staff }))).toBe('approved');
    expect(await world.rows('auditEntries')).toMatchObject([
      { kind: 'void_check', status: 'authorized', amountMinor: null, paymentId: payment.id },
    ]);
  });

  test('a nonce is valid once, for its terminal and staff member, for sixty seconds', async () => {
    const world = await newWorld({ seed: 212 });
    const staff = await world.aStaffMember();
    const payment = await world.settledCardPayment(gbp(2_000));
    const request = { kind: 'REFUND_SALE' as const, amountMinor: 100, staff, terminalId: world.terminal };
    const sign = async () => {
      const signed = await world.drive(world.calls.signed(payment, request));
      if ('refused' in signed) throw new Error('no challenge');
      return signed;
    };
    const use = (authorisation: Awaited<ReturnType<typeof sign>>, terminalId = world.terminal) =>
      world.drive(
        world.instance.call(services =>
          services.refunds.requestCard({
            businessId: payment.businessId,
            paymentId: payment.id,
            kind: 'REFUND_SALE',
            amountMinor: 100,
            by: { kind: 'terminal', terminalId },
            authorisation,
            reason: null,
            clientRequestId: null,
          }),
        ),
      );
    const once = await sign();
    expect(outcomeOf(await use(once))).toBe('approved');
    expect(outcomeOf(await use(once))).toBe('authorisation_expired');
    expect(outcomeOf(await use(await sign(), await world.aTerminal()))).toBe('authorisation_expired');
    const late = await sign();
    await world.clock.advance({ seconds: 60 });
    expect(outcomeOf(await use(late))).toBe('authorisation_expired');
    expect(await log(world)).toEqual(['authorized']);
  });

  test('a signature is valid for its exact request: another amount is a wrong password', async () => {
    const world = await newWorld({ seed: 213 });
    const staff = await world.aStaffMember();
    const payment = await world.settledCardPayment(gbp(2_000));
    const authorisation = await world.drive(
      world.calls.signed(payment, { kind: 'REFUND_SALE', amountMinor: 100, staff, terminalId: world.terminal }),
    );
    if ('refused' in authorisation) throw new Error('no challenge');
    const outcome = await world.drive(
      world.instance.call(services =>
        services.refunds.requestCard({
          businessId: payment.businessId,
          paymentId: payment.id,
          kind: 'REFUND_SALE',
          amountMinor: 1_000,
          by: { kind: 'terminal', terminalId: world.terminal },
          authorisation,
          reason: null,
          clientRequestId: null,
        }),
      ),
    );
    expect(outcomeOf(outcome)).toBe('invalid_signature');
  });

  test('with password protection off a refund proceeds at once, without a staff member or a log entry', async () => {
    const world = await newWorld({ seed: 215, business: { passwordProtectRefundsAndVoids: 0 } });
    const payment = await world.settledCardPayment(gbp(2_000));
    const outcome = await world.staff.refunds(payment, gbp(100), {});
    expect(outcome).toMatchObject({
      view: {
        staff: null,
        refund: { status: 'approved', actorKind: 'terminal', actorId: world.terminal, terminalId: world.terminal },
      },
    });
    expect(await log(world)).toEqual([]);
  });

  test('with password protection on no refund proceeds without a staff member', async () => {
    const world = await newWorld({ seed: 216 });
    const payment = await world.settledCardPayment(gbp(2_000));
    expect(outcomeOf(await world.staff.refunds(payment, gbp(100), {}))).toBe('authorisation_required');
  });
});

test('A7: no password reaches the service, because a request accepts a signature and nothing longer', () => {
  const body = (signature: string) => ({
    requestId: 'request-1',
    paymentId: 'pay_00000001',
    kind: 'REFUND_SALE',
    amountInCents: 1,
    authorisation: { staffId: 'staff_000001', nonce: 'n', issuedAt: '2026-11-21T09:30:00.000Z', signature },
  });
  expect(createTerminalRefund.body.safeParse(body('A'.repeat(1024 * 1024))).success).toBe(false);
  expect(createTerminalRefund.body.safeParse(body(`${'A'.repeat(86)}==`)).success).toBe(true);
});

test('A7: 64 Unicode characters derive a key, and every one is significant', async () => {
  const derive = argon2Derivation();
  const salt = Buffer.alloc(16, 1);
  const password = `${'pässwörd🔑'.repeat(7)} `;
  const keys = await Promise.all([password, password.trim(), password].map(text => derive(text, salt, defaultArgon2)));
  const [first, trimmed, again] = keys.map(key => Buffer.from(key).toString('hex'));
  expect(first).toBe(again);
  expect(first).not.toBe(trimmed);
});

test('A8: forty password derivations at once do not block the event loop', async () => {
  const derive = argon2Derivation();
  const [ofThread, ofAll] = [process.threadCpuUsage(), process.cpuUsage()];
  await Promise.all(
    Array.from({ length: 40 }, (_, index) => derive(`password ${index}`, Buffer.alloc(16, index), defaultArgon2)),
  );
  const [thread, all] = [process.threadCpuUsage(ofThread), process.cpuUsage(ofAll)];
  // The event loop's share of the CPU time, which unlike its gaps is the same on a busy machine.
  expect(thread.user + thread.system).toBeLessThan((all.user + all.system) / 4);
});
