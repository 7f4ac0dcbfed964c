import {
  createStaff,
  getStaff,
  listStaff,
  resetStaffPassword,
  type StaffRecord,
  unlockStaff,
  updateStaff,
} from '@florin/shared/contracts/api-v1/staff.ts';
import { changeStaffPassword, createStaffChallenge } from '@florin/shared/contracts/device-v1/refunds.ts';
import type { Clock } from '@florin/shared/ports.ts';
import type { StaffRow } from '../database/schema.ts';
import { pageBefore, pageOf } from '../http/pages.ts';
import { actorOf, answer, type Route, refused, route } from '../http/route.ts';
import { staffProblem } from './problems.ts';
import { argon2Of, type StaffService } from './service.ts';

export function staffRoutes(options: { staff: StaffService; clock: Clock }): Route[] {
  return [...terminalRoutes(options), ...managementRoutes(options.staff)];
}

function terminalRoutes({ staff, clock }: { staff: StaffService; clock: Clock }): Route[] {
  return [
    route(createStaffChallenge, async ({ caller, body }) => {
      const challenge = await staff.challenge({ ...caller, staffNumber: body.staffNumber });
      if (!challenge.ok) return { refused: staffProblem(challenge.refusal, clock) };
      const { staff: member, nonce, issuedAt, expiresAt } = challenge.value;
      return answer(201, {
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
      if (changed.ok) return answer(200, { changed: true });
      return changed.refusal.kind === 'password_unchanged'
        ? refused(409, 'Choose a password other than the present one', { reason: 'password_unchanged' })
        : { refused: staffProblem(changed.refusal, clock) };
    }),
  ];
}

function managementRoutes(staff: StaffService): Route[] {
  const unknown = () => refused(404, 'There is no such staff member');

  const todayOf = async (businessId: string, id: string) => (await staff.refundedToday(businessId, [id])).get(id) ?? 0;

  return [
    route(listStaff, async ({ caller, query }) => {
      const { businessId } = caller;
      const { items, nextCursor } = pageOf(
        await staff.list({ businessId, ...pageBefore(query) }),
        query.limit,
        ({ id }) => id,
      );
      const today = await staff.refundedToday(
        businessId,
        items.map(({ id }) => id),
      );
      return answer(200, { items: items.map(member => staffRecordOf(member, today.get(member.id) ?? 0)), nextCursor });
    }),

    route(getStaff, async ({ caller, params }) => {
      const member = await staff.byId(caller.businessId, params.id);
      return member ? answer(200, staffRecordOf(member, await todayOf(member.businessId, member.id))) : unknown();
    }),

    route(
      createStaff,
      async ({ caller, body, once }) => {
        const { perTransactionLimitInCents, dailyLimitInCents, ...given } = body;
        const wanted = {
          ...given,
          businessId: caller.businessId,
          perTransactionLimitMinor: perTransactionLimitInCents,
          dailyLimitMinor: dailyLimitInCents,
          by: actorOf(caller),
        };
        const answerOf = (member: StaffRow) =>
          answer(201, { staff: staffRecordOf(member, 0), temporaryPassword: null });
        const created = await staff.create(wanted, once && { call: once, answerOf });
        if (!created.ok) return refused(409, 'The staff number is taken', { reason: created.refusal.kind });
        const { temporaryPassword } = created.value;
        return answer(201, { staff: staffRecordOf(created.value.staff, 0), temporaryPassword });
      },
      { flowKeepsOnce: true },
    ),

    route(updateStaff, async ({ caller, params, body }) => {
      const { perTransactionLimitInCents, dailyLimitInCents, ...given } = body;
      const change = {
        ...given,
        perTransactionLimitMinor: perTransactionLimitInCents,
        dailyLimitMinor: dailyLimitInCents,
      };
      const changed = await staff.change(caller.businessId, params.id, change, actorOf(caller));
      return changed ? answer(200, staffRecordOf(changed, await todayOf(changed.businessId, changed.id))) : unknown();
    }),

    route(
      unlockStaff,
      async ({ caller, params, once }) => {
        const { businessId } = caller;
        const today = await todayOf(businessId, params.id);
        const answerOf = (member: StaffRow) => answer(200, staffRecordOf(member, today));
        const unlocked = await staff.unlock(businessId, params.id, actorOf(caller), once && { call: once, answerOf });
        return unlocked ? answerOf(unlocked) : unknown();
      },
      { flowKeepsOnce: true },
    ),

    route(
      resetStaffPassword,
      async ({ caller, params, once }) => {
        const { businessId } = caller;
        const today = await todayOf(businessId, params.id);
        const record = (member: StaffRow) => staffRecordOf(member, today);
        const answerOf = (member: StaffRow) => answer(200, { staff: record(member), temporaryPassword: null });
        const reset = await staff.resetPassword(
          businessId,
          params.id,
          actorOf(caller),
          once && { call: once, answerOf },
        );
        if (!reset) return unknown();
        return answer(200, { staff: record(reset.staff), temporaryPassword: reset.temporaryPassword });
      },
      { flowKeepsOnce: true },
    ),
  ];
}

function staffRecordOf(member: StaffRow, refundedTodayInCents: number): StaffRecord {
  return {
    id: member.id,
    staffNumber: member.staffNumber,
    name: member.name,
    mayRefundAndVoid: member.mayRefundAndVoid === 1,
    perTransactionLimitInCents: member.perTransactionLimitMinor,
    dailyLimitInCents: member.dailyLimitMinor,
    refundedTodayInCents,
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
