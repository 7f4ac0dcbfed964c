import { unlockDevice } from '@florin/shared/contracts/api-v1/devices.ts';
import {
  createStaff,
  getStaff,
  listStaff,
  resetStaffPassword,
  type StaffRecord,
  unlockStaff,
  updateStaff,
} from '@florin/shared/contracts/api-v1/staff.ts';
import { listStaffExceptions } from '@florin/shared/contracts/api-v1/staff-logs.ts';
import { changeStaffPassword, createStaffChallenge } from '@florin/shared/contracts/device-v1/refunds.ts';
import type { Clock } from '@florin/shared/ports.ts';
import { actorOf } from '../../foundation/http/callers.ts';
import { pageBefore, pageOf } from '../../foundation/http/pages.ts';
import { fail, type Route, respond, route } from '../../foundation/http/route.ts';
import type { staffExceptionReader } from './exceptions.ts';
import { staffError } from './problems.ts';
import { argon2Of, type StaffService } from './service.ts';
import type { StaffWithTotal } from './store.ts';

/** The HTTP operations on staff, of terminals and of API keys. A temporary password is in the first response only. */
export function staffRoutes(options: {
  staff: StaffService;
  clock: Clock;
  readExceptions: ReturnType<typeof staffExceptionReader>;
}): Route[] {
  return [
    ...terminalRoutes(options),
    ...managementRoutes(options.staff),
    route(listStaffExceptions, async ({ caller, query }) => {
      const { since, items } = await options.readExceptions(caller.businessId, query.days);
      return respond(200, { since: iso(since), items });
    }),
  ];
}

function terminalRoutes({ staff, clock }: { staff: StaffService; clock: Clock }): Route[] {
  return [
    route(createStaffChallenge, async ({ caller, body }) => {
      const challenge = await staff.challenge({ ...caller, staffNumber: body.staffNumber });
      if (!challenge.ok) return staffError(challenge.refusal, clock);
      const { staff: member, nonce, issuedAt, expiresAt } = challenge.value;
      return respond(201, {
        staffId: member.id,
        name: member.name,
        salt: member.salt,
        argon2: argon2Of(member),
        passwordIsTemporary: member.passwordIsTemporary === 1,
        nonce,
        expiresAt: iso(expiresAt),
        serverTime: iso(issuedAt),
      });
    }),

    route(changeStaffPassword, async ({ caller, params, body }) => {
      const { businessId, terminalId } = caller;
      const changed = await staff.changePassword({ businessId, terminalId, staffId: params.staffId, ...body });
      if (changed.ok) return respond(200, { changed: true });
      return changed.refusal.kind === 'password_unchanged'
        ? fail(409, 'password_unchanged', 'Choose a password other than the present one')
        : staffError(changed.refusal, clock);
    }),
  ];
}

function managementRoutes(staff: StaffService): Route[] {
  const unknown = () => fail(404, 'staff_not_found', 'There is no such staff member');

  return [
    route(listStaff, async ({ caller, query }) => {
      const rows = await staff.list({ businessId: caller.businessId, ...pageBefore(query) });
      const { items, nextCursor } = pageOf(rows, query, ({ id }) => id);
      return respond(200, { items: items.map(staffRecordOf), nextCursor });
    }),

    route(getStaff, async ({ caller, params }) => {
      const member = await staff.byId(caller.businessId, params.id);
      return member ? respond(200, staffRecordOf(member)) : unknown();
    }),

    route(createStaff, async ({ caller, body, call }) => {
      const { perTransactionLimitInCents, dailyLimitInCents, ...given } = body;
      const input = {
        ...given,
        businessId: caller.businessId,
        perTransactionLimitMinor: perTransactionLimitInCents,
        dailyLimitMinor: dailyLimitInCents,
        by: actorOf(caller),
      };
      const withoutPassword = (member: StaffWithTotal) =>
        respond(201, { staff: staffRecordOf(member), temporaryPassword: null });
      const created = await staff.create(input, call.storing(withoutPassword));
      if (!created.ok) return fail(409, created.refusal.kind, 'This staff number is taken');
      const { temporaryPassword } = created.value;
      return respond(201, { staff: staffRecordOf(created.value.staff), temporaryPassword });
    }),

    route(updateStaff, async ({ caller, params, body }) => {
      const { perTransactionLimitInCents, dailyLimitInCents, ...given } = body;
      const change = {
        ...given,
        perTransactionLimitMinor: perTransactionLimitInCents,
        dailyLimitMinor: dailyLimitInCents,
      };
      const changed = await staff.change(caller.businessId, params.id, change, actorOf(caller));
      return changed ? respond(200, staffRecordOf(changed)) : unknown();
    }),

    route(unlockStaff, async ({ caller, params, call }) => {
      const { businessId } = caller;
      const record = (member: StaffWithTotal) => respond(200, staffRecordOf(member));
      const unlocked = await staff.unlock(businessId, params.id, actorOf(caller), call.storing(record));
      return unlocked ? record(unlocked) : unknown();
    }),

    route(unlockDevice, async ({ caller, params, call }) => {
      const write = call.storing((unlocked: { readonly unlocked: true }) => respond(200, unlocked));
      const unlocked = await staff.unlockTerminal(caller.businessId, params.id, actorOf(caller), write);
      return unlocked ? respond(200, unlocked) : fail(404, 'device_not_found', 'There is no such terminal');
    }),

    route(resetStaffPassword, async ({ caller, params, call }) => {
      const { businessId } = caller;
      const record = (member: StaffWithTotal, temporaryPassword: string | null) =>
        respond(200, { staff: staffRecordOf(member), temporaryPassword });
      const write = call.storing((member: StaffWithTotal) => record(member, null));
      const reset = await staff.resetPassword(businessId, params.id, actorOf(caller), write);
      return reset ? record(reset.staff, reset.temporaryPassword) : unknown();
    }),
  ];
}

function staffRecordOf(member: StaffWithTotal): StaffRecord {
  return {
    id: member.id,
    staffNumber: member.staffNumber,
    name: member.name,
    mayRefundAndVoid: member.mayRefundAndVoid === 1,
    mayManageTerminals: member.mayManageTerminals === 1,
    perTransactionLimitInCents: member.perTransactionLimitMinor,
    dailyLimitInCents: member.dailyLimitMinor,
    refundedTodayInCents: member.refundedMinor,
    passwordIsTemporary: member.passwordIsTemporary === 1,
    failedAttempts: member.failedAttempts,
    lockedUntil: member.lockedUntil === null ? null : iso(member.lockedUntil),
    disabled: member.disabledAt !== null,
    createdAt: iso(member.createdAt),
  };
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}
