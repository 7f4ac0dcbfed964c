import { actorColumns } from '@florin/shared/actor.ts';
import * as contracts from '@florin/shared/contracts/api-v1/team.ts';
import { acceptInvitation, readInvitation } from '@florin/shared/contracts/portal/sign-in.ts';
import type { Clock, Instant } from '@florin/shared/ports.ts';
import { isBuiltInRole } from '@florin/shared/roles.ts';
import { addressGroup } from '../../foundation/http/address.ts';
import { actorOf, type MerchantCaller } from '../../foundation/http/callers.ts';
import { pageBefore, pageOf } from '../../foundation/http/pages.ts';
import { errorBy, type ProblemTable } from '../../foundation/http/problems.ts';
import { fail, type Route, respond, route } from '../../foundation/http/route.ts';
import { guessable, linkNotValid, signInProblems } from '../portal-users/routes.ts';
import type { InvitationRow } from './rows.ts';
import {
  type ChangeRoleRefusal,
  type Changer,
  type DeleteRoleRefusal,
  type InviteRefusal,
  type MemberRefusal,
  type NewRoleRefusal,
  type Role,
  roleName,
  type TeamService,
} from './service.ts';
import type { MemberRow } from './store.ts';

export type TeamRoutesOptions = {
  readonly team: TeamService;
  readonly clock: Clock;
  /** The display name of who invited. */
  readonly nameOf: (row: Pick<InvitationRow, 'businessId' | 'actorKind' | 'actorId'>) => Promise<string | null>;
};

const problems = {
  team_member_not_found: { status: 404, message: 'There is no such member of the team' },
  role_not_found: { status: 404, message: 'There is no such role' },
  beyond_own_permissions: {
    status: 403,
    message: 'Nobody can give or take away permissions that they do not hold themselves',
  },
  own_role: {
    status: 403,
    message: 'You have this role yourself: ask an owner, or a member with another role, to change it',
  },
  last_owner: { status: 409, message: 'This is the last owner: make somebody else an owner first' },
  already_in_team: { status: 409, message: 'This person belongs to the team already: change their role instead' },
  role_name_taken: { status: 409, message: 'There is a role with this name' },
  too_many_roles: { status: 409, message: 'A business can define at most 50 roles' },
  role_in_use: { status: 409, message: 'Members have this role: give them another one first' },
} as const satisfies ProblemTable<
  (MemberRefusal | InviteRefusal | NewRoleRefusal | ChangeRoleRefusal | DeleteRoleRefusal)['kind']
>;

const iso = (instant: Instant) => new Date(instant).toISOString();

function memberRecord(row: MemberRow) {
  return {
    id: row.portalUserId,
    email: row.email,
    name: row.name,
    role: { id: row.roleId, name: roleName(row) },
    hasSecondFactor: row.totpConfirmedAt !== null || Number(row.passkeys) > 0,
    lastSeenAt: row.lastSeenAt === null ? null : iso(Number(row.lastSeenAt)),
    joinedAt: iso(row.createdAt),
  };
}

function roleRecord(role: Role, members: number) {
  return { ...role, permissions: [...role.permissions], isBuiltIn: isBuiltInRole(role.id), members };
}

function changerOf(caller: MerchantCaller): Changer {
  return { businessId: caller.businessId, by: actorOf(caller), held: caller.permissions };
}

/** The operations on the team of a business, for keys and portal. */
export function teamRoutes(options: TeamRoutesOptions): Route[] {
  return [...memberRoutes(options), ...invitationRoutes(options), ...roleRoutes(options)];
}

function memberRoutes({ team }: TeamRoutesOptions): Route[] {
  return [
    route(contracts.listTeam, async ({ caller, query }) => {
      const rows = await team.members(caller.businessId, pageBefore(query));
      const { items, nextCursor } = pageOf(rows, query, ({ portalUserId }) => portalUserId);
      return respond(200, { items: items.map(memberRecord), nextCursor });
    }),

    route(contracts.getTeamMember, async ({ caller, params }) => {
      const row = await team.member(caller.businessId, params.id);
      return row ? respond(200, memberRecord(row)) : errorBy(problems, { kind: 'team_member_not_found' });
    }),

    route(contracts.changeTeamMember, async ({ caller, params, body }) => {
      const changed = await team.changeRoleOf(changerOf(caller), params.id, body.roleId);
      return changed.ok ? respond(200, memberRecord(changed.value)) : errorBy(problems, changed.refusal);
    }),

    route(contracts.removeTeamMember, async ({ caller, params }) => {
      const removed = await team.remove(changerOf(caller), params.id);
      return removed.ok ? respond(200, memberRecord(removed.value)) : errorBy(problems, removed.refusal);
    }),
  ];
}

function invitationRoutes({ team, clock, nameOf }: TeamRoutesOptions): Route[] {
  const withNames = (row: InvitationRow, names: { readonly role: string; readonly by: string | null }) => ({
    id: row.id,
    email: row.email,
    role: { id: row.roleId, name: names.role },
    status: row.expiresAt > clock.now() ? ('pending' as const) : ('expired' as const),
    invitedBy: { kind: row.actorKind, id: row.actorId, name: names.by },
    createdAt: iso(row.createdAt),
    expiresAt: iso(row.expiresAt),
  });
  async function namesOf(row: Parameters<typeof nameOf>[0] & Pick<InvitationRow, 'roleId'>) {
    const [role, by] = await Promise.all([team.nameOfRole(row.businessId, row.roleId), nameOf(row)]);
    return { role, by };
  }
  const recordOf = async (row: InvitationRow) => withNames(row, await namesOf(row));
  return [
    route(contracts.listInvitations, async ({ caller, query }) => {
      const rows = await team.invitations(caller.businessId, pageBefore(query));
      const { items, nextCursor } = pageOf(rows, query, ({ id }) => id);
      return respond(200, { items: await Promise.all(items.map(recordOf)), nextCursor });
    }),

    route(contracts.inviteTeamMember, async ({ caller, body, call, languages }) => {
      const { businessId } = caller;
      const names = await namesOf({ businessId, roleId: body.roleId, ...actorColumns(actorOf(caller)) });
      const record = (row: InvitationRow) => respond(201, withNames(row, names));
      const invited = await team.invite(changerOf(caller), { ...body, languages: languages() }, call.storing(record));
      return invited.ok ? record(invited.value) : errorBy(problems, invited.refusal);
    }),

    route(contracts.withdrawInvitation, async ({ caller, params }) => {
      const row = await team.withdraw(changerOf(caller), params.id);
      return row ? respond(200, await recordOf(row)) : fail(404, 'invitation_not_found', 'There is no such invitation');
    }),

    route(readInvitation, async ({ body }) => {
      const found = await team.readInvitation(body.token);
      return found ? respond(200, found) : linkNotValid();
    }),

    route(acceptInvitation, async request => {
      const accepted = await team.accept(request.body, {
        address: addressGroup(request.remoteAddress()),
        languages: request.languages(),
      });
      if (accepted.ok) return respond(200, accepted.value);
      if (accepted.refusal.kind === 'link_not_valid') return linkNotValid();
      return accepted.refusal.kind === 'password_guessable' ? guessable() : errorBy(signInProblems, accepted.refusal);
    }),
  ];
}

function roleRoutes({ team }: TeamRoutesOptions): Route[] {
  return [
    route(contracts.listRoles, async ({ caller }) => {
      const roles = await team.roles(caller.businessId);
      return respond(200, { items: roles.map(role => roleRecord(role, role.members)) });
    }),

    route(contracts.createRole, async ({ caller, body, call }) => {
      const record = (role: Role) => respond(201, roleRecord(role, 0));
      const made = await team.createRole(changerOf(caller), body, call.storing(record));
      return made.ok ? record(made.value) : errorBy(problems, made.refusal);
    }),

    route(contracts.changeRole, async ({ caller, params, body }) => {
      const changed = await team.changeRole(changerOf(caller), params.id, body);
      if (!changed.ok) return errorBy(problems, changed.refusal);
      const now = (await team.roles(caller.businessId)).find(({ id }) => id === params.id);
      return respond(200, roleRecord(changed.value, now?.members ?? 0));
    }),

    route(contracts.deleteRole, async ({ caller, params }) => {
      const deleted = await team.deleteRole(changerOf(caller), params.id);
      return deleted.ok ? respond(200, roleRecord(deleted.value, 0)) : errorBy(problems, deleted.refusal);
    }),
  ];
}
