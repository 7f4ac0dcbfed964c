import { type Actor, actorColumns } from '@florin/shared/actor.ts';
import type { Me } from '@florin/shared/contracts/portal/people.ts';
import { type Permission, permissionCode } from '@florin/shared/permissions.ts';
import { type Clock, type Ids, idPrefixes, type Random } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { roleNameIn } from '@florin/shared/role-names.ts';
import { builtInRoles, isBuiltInRole } from '@florin/shared/roles.ts';
import { afterEveryId, type Database, type Transaction } from '../../foundation/database/database.ts';
import type { DurableWrite } from '../../foundation/idempotency/call.ts';
import { chosenLanguage, languageOf } from '../../foundation/language.ts';
import type { SendLetter } from '../../foundation/mail.ts';
import { newSecret, secretHash } from '../../foundation/secret.ts';
import type { ChangeLog } from '../businesses/change-log.ts';
import type { Business, BusinessService } from '../businesses/service.ts';
import type { WorkPlace } from '../portal-users/letters.ts';
import type { PortalUserService, SignInRefusal } from '../portal-users/service.ts';
import { accountWords } from '../portal-users/words/words.ts';
import type { InvitationRow, RoleRow } from './rows.ts';
import {
  changeMembership,
  changeRoleRow,
  deleteInvitation,
  deleteInvitationOf,
  deleteMembership,
  deleteRoleRow,
  insertInvitation,
  insertMembership,
  insertRole,
  invitationByToken,
  invitationPage,
  type MemberRow,
  memberPage,
  membershipsOf,
  ownersForUpdate,
  roleForUpdate,
  roleNamed,
  rolesOfBusiness,
  roleUses,
} from './store.ts';

const invitationMs = 72 * 60 * 60_000;
const maxRoles = 50;

/** A role with what it allows. */
export type Role = { readonly id: string; readonly name: string; readonly permissions: readonly Permission[] };

/** Who changes the team, and what they may do themselves. */
export type Changer = { readonly businessId: string; readonly by: Actor; readonly held: ReadonlySet<Permission> };

type Refusal<Kind extends string> = { readonly kind: Kind };
export type RemoveRefusal = Refusal<'team_member_not_found' | 'beyond_own_permissions' | 'last_owner'>;
export type MemberRefusal = RemoveRefusal | Refusal<'role_not_found'>;
export type InviteRefusal = Refusal<'role_not_found' | 'beyond_own_permissions' | 'already_in_team'>;
export type NewRoleRefusal = Refusal<'beyond_own_permissions' | 'role_name_taken' | 'too_many_roles'>;
export type ChangeRoleRefusal = Refusal<'role_not_found' | 'own_role' | 'beyond_own_permissions' | 'role_name_taken'>;
export type DeleteRoleRefusal = Refusal<'role_not_found' | 'beyond_own_permissions' | 'role_in_use'>;
export type AcceptRefusal = Refusal<'link_not_valid'> | Refusal<'password_guessable'> | SignInRefusal;

export type TeamOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly changes: ChangeLog;
  readonly users: () => PortalUserService;
  readonly sendLetter: SendLetter;
  readonly businesses: Pick<BusinessService, 'find'>;
  readonly publicUrl: string;
  readonly brand: string;
};

/**
 * Who belongs to a business, with which role. Nobody grants or takes away what they do not hold themselves, and the last
 * owner stays. decisions: People, the portal.
 */
export function teamService(options: TeamOptions) {
  const { database, clock, ids, random, changes, sendLetter } = options;

  /** Locked until the transaction ends, if it is the business's own. */
  async function roleOf(tx: Transaction, businessId: string, id: string): Promise<Role | undefined> {
    if (isBuiltInRole(id)) return { id, ...builtInRoles[id] };
    const row = await tx.first(roleForUpdate, { businessId, id });
    return row && ownRole(row);
  }
  const isBeyond = (role: Pick<Role, 'permissions'>, held: ReadonlySet<Permission>) =>
    role.permissions.some(permission => !held.has(permission));

  /** Whether a user of the portal would change their own role. Owners have a built-in one, which nobody changes. */
  async function isOwnRole(tx: Transaction, { businessId, by }: Changer, roleId: string): Promise<boolean> {
    if (by.kind !== 'portal_user') return false;
    const memberships = await tx.all(membershipsOf, { portalUserId: by.portalUserId });
    return memberships.some(membership => membership.businessId === businessId && membership.roleId === roleId);
  }

  const record = (tx: Transaction, { businessId, by }: Changer, detail: Readonly<Record<string, unknown>>) =>
    changes.append(tx, { businessId, kind: 'team_changed', by, detail });

  async function member(businessId: string, id: string): Promise<MemberRow | undefined> {
    return database.first(memberPage, { businessId, id, before: afterEveryId, limit: 1 });
  }

  /** Judges a change of a member by the roles they have and get, and by whether an owner remains. */
  async function judge(
    tx: Transaction,
    { businessId, held }: Changer,
    from: Role,
    to: Role | undefined,
  ): Promise<RemoveRefusal | undefined> {
    if (isBeyond(from, held) || (to && isBeyond(to, held))) return { kind: 'beyond_own_permissions' };
    const stopsOwning = from.id === 'owner' && to?.id !== 'owner';
    const owners = stopsOwning ? await tx.all(ownersForUpdate, { businessId }) : [];
    return stopsOwning && owners.length <= 1 ? { kind: 'last_owner' } : undefined;
  }

  return {
    member,
    members: (businessId: string, page: { readonly before: string; readonly limit: number }) =>
      database.all(memberPage, { businessId, id: null, ...page }),

    /** The businesses of a user, with their role and permissions there. */
    async businessesOf(portalUserId: string): Promise<Me['businesses']> {
      const rows = await database.all(membershipsOf, { portalUserId });
      return rows.map(row => ({
        id: row.businessId,
        name: row.businessName,
        addressLines: JSON.parse(row.addressLinesJson) as string[],
        currency: row.currency,
        locale: row.locale,
        timeZone: row.timeZone,
        role: { id: row.roleId, name: roleName(row) },
        permissions: [...permissionsOf(row)],
      }));
    },
    /** The businesses of a user, with their regions and time zones. */
    placesOf: (tx: Transaction, portalUserId: string): Promise<WorkPlace[]> => tx.all(membershipsOf, { portalUserId }),

    /** Makes somebody a member; false if they are one already, or there is no such role. */
    async join(tx: Transaction, changer: Changer, portalUserId: string, role: string): Promise<boolean> {
      const { businessId } = changer;
      if (!(await roleOf(tx, businessId, role))) return false;
      const joined = await tx.run(insertMembership, { businessId, portalUserId, roleId: role, createdAt: clock.now() });
      if (joined > 0) await record(tx, changer, { change: 'member_joined', portalUserId, roleId: role });
      return joined > 0;
    },

    async changeRoleOf(changer: Changer, id: string, roleId: string): Promise<Result<MemberRow, MemberRefusal>> {
      const { businessId } = changer;
      const now = await member(businessId, id);
      if (!now) return err({ kind: 'team_member_not_found' });
      const refusal = await database.write(async (tx): Promise<MemberRefusal | undefined> => {
        const [from, to] = [await roleOf(tx, businessId, now.roleId), await roleOf(tx, businessId, roleId)];
        if (!to) return { kind: 'role_not_found' };
        const refused = await judge(tx, changer, from ?? nothing, to);
        if (refused) return refused;
        const change = { businessId, portalUserId: id, from: now.roleId, roleId };
        if ((await tx.run(changeMembership, change)) === 0) return { kind: 'team_member_not_found' };
        await record(tx, changer, { change: 'role_given', portalUserId: id, name: now.name, from: now.roleId, roleId });
        return undefined;
      });
      return refusal ? err(refusal) : ok((await member(businessId, id)) ?? now);
    },

    async remove(changer: Changer, id: string): Promise<Result<MemberRow, RemoveRefusal>> {
      const { businessId } = changer;
      const now = await member(businessId, id);
      if (!now) return err({ kind: 'team_member_not_found' });
      const refusal = await database.write(async (tx): Promise<RemoveRefusal | undefined> => {
        const refused = await judge(tx, changer, (await roleOf(tx, businessId, now.roleId)) ?? nothing, undefined);
        if (refused) return refused;
        const gone = await tx.run(deleteMembership, { businessId, portalUserId: id, from: now.roleId });
        if (gone === 0) return { kind: 'team_member_not_found' };
        await record(tx, changer, { change: 'member_removed', portalUserId: id, name: now.name, roleId: now.roleId });
        return undefined;
      });
      return refusal ? err(refusal) : ok(now);
    },

    ...invitations(),
    ...roles(),
  };

  function invitations() {
    /** An invitation that is still good, by the token of its link. */
    const byToken = (token: string) =>
      database.first(invitationByToken, { tokenHash: secretHash(token), now: clock.now() });

    return {
      invitations: (businessId: string, page: { readonly before: string; readonly limit: number }) =>
        database.all(invitationPage, { businessId, ...page }),

      /** A new invitation replaces an open one for the same address. */
      async invite(
        changer: Changer,
        given: { readonly email: string; readonly roleId: string; readonly languages: readonly string[] },
        write: DurableWrite<InvitationRow>,
      ): Promise<Result<InvitationRow, InviteRefusal>> {
        const { businessId, held, by } = changer;
        const { email, roleId, languages } = given;
        const emailKey = email.toLowerCase();
        const known = await options.users().byEmail(email);
        if (known && (await member(businessId, known.id))) return err({ kind: 'already_in_team' });
        const { name, locale } = await businessOf(businessId);
        const accepted = known?.language ? [known.language] : languages;
        const { language } = chosenLanguage(accepted, locale);
        return database.write(async tx => {
          await write.begin(tx);
          const role = await roleOf(tx, businessId, roleId);
          if (!role) return err({ kind: 'role_not_found' });
          if (isBeyond(role, held)) return err({ kind: 'beyond_own_permissions' });
          const now = clock.now();
          const token = newSecret(`${options.brand}_link_`, random);
          const { actorKind, actorId } = actorColumns(by);
          const row: InvitationRow = {
            id: ids.next(idPrefixes.invitation),
            businessId,
            email,
            emailKey,
            roleId,
            tokenHash: secretHash(token),
            actorKind,
            actorId,
            expiresAt: now + invitationMs,
            createdAt: now,
          };
          await tx.run(deleteInvitationOf, { businessId, emailKey });
          await tx.run(insertInvitation, row);
          await write.finish(tx, row);
          const facts = { business: name, role: roleNameIn(language, role), url: urlOf(token) };
          const letter = { language, ...accountWords[language].invitation(facts) };
          sendLetter(tx, { businessId, recipient: email, letter });
          await record(tx, changer, { change: 'member_invited', email, roleId });
          return ok(row);
        });
      },

      withdraw: (changer: Changer, id: string): Promise<InvitationRow | undefined> =>
        database.write(async tx => {
          const row = await tx.first(deleteInvitation, { businessId: changer.businessId, id });
          if (row) await record(tx, changer, { change: 'invitation_withdrawn', email: row.email, roleId: row.roleId });
          return row;
        }),

      /** What the page of the link shows; undefined if it is not good any more. */
      async readInvitation(token: string) {
        const row = await byToken(token);
        if (!row) return undefined;
        const [{ name: businessName }, roleName] = await Promise.all([
          businessOf(row.businessId),
          nameOfRole(row.businessId, row.roleId),
        ]);
        const isKnown = (await options.users().byEmail(row.email)) !== undefined;
        return { email: row.email, businessName, role: { id: row.roleId, name: roleName }, isKnown };
      },

      /** A new user chooses name and password; a known one gives theirs. The invitation ends with it. */
      async accept(
        given: { readonly token: string; readonly name?: string | undefined; readonly password: string },
        { address, languages }: { readonly address: string; readonly languages: readonly string[] },
      ): Promise<Result<{ email: string }, AcceptRefusal>> {
        const row = await byToken(given.token);
        if (!row) return err({ kind: 'link_not_valid' });
        const users = options.users();
        const { email, businessId, roleId } = row;
        const known = await users.byEmail(email);
        const name = given.name ?? email;
        if (known) {
          const checked = await users.checkPassword(known, given.password, address);
          if (!checked.ok) return checked;
        } else if (given.password.length < 12 || (await users.isGuessable(given.password, { email, name }))) {
          return err({ kind: 'password_guessable' });
        }
        const passwordJson = known ? '' : await users.hashPassword(given.password);
        return database.write(async tx => {
          if (!(await tx.first(deleteInvitation, { businessId, id: row.id }))) return err({ kind: 'link_not_valid' });
          if (!(await roleOf(tx, businessId, roleId))) return err({ kind: 'link_not_valid' });
          const user =
            known ?? (await users.create(tx, { email, name, passwordJson, language: languageOf(languages) }));
          // The address became a user's since it was looked up: they accept it as themselves.
          if (!user) throw new Error('an invited address became a user at the same time');
          await tx.run(insertMembership, { businessId, portalUserId: user.id, roleId, createdAt: clock.now() });
          const by = { kind: 'portal_user', portalUserId: user.id } as const;
          await record(tx, { businessId, by, held: new Set() }, { change: 'invitation_accepted', email, roleId });
          return ok({ email });
        });
      },
    };
  }

  async function businessOf(id: string): Promise<Business> {
    const business = await options.businesses.find(id);
    if (!business) throw new Error(`business ${id} is missing`);
    return business;
  }

  function urlOf(token: string): string {
    return `${options.publicUrl}/portal/invitation#${token}`;
  }

  async function nameOfRole(businessId: string, id: string): Promise<string> {
    if (isBuiltInRole(id)) return builtInRoles[id].name;
    return (await database.all(rolesOfBusiness, { businessId })).find(role => role.id === id)?.name ?? '';
  }

  function roles() {
    return {
      nameOfRole,

      /** The built-in roles, then those of the business, with how many members have each. */
      async roles(businessId: string): Promise<(Role & { readonly members: number })[]> {
        const [own, uses] = await Promise.all([
          database.all(rolesOfBusiness, { businessId }),
          database.all(roleUses, { businessId }),
        ]);
        const builtIn = Object.entries(builtInRoles).map(([id, role]) => ({ id, ...role }));
        const members = new Map(uses.map(use => [use.roleId, Number(use.members)]));
        return [...builtIn, ...own.map(ownRole)].map(role => ({ ...role, members: members.get(role.id) ?? 0 }));
      },

      async createRole(
        changer: Changer,
        input: { readonly name: string; readonly permissions: readonly Permission[] },
        write: DurableWrite<Role>,
      ): Promise<Result<Role, NewRoleRefusal>> {
        const { businessId, held } = changer;
        if (isBeyond(input, held)) return err({ kind: 'beyond_own_permissions' });
        return database.write(async tx => {
          await write.begin(tx);
          if ((await tx.all(rolesOfBusiness, { businessId })).length >= maxRoles)
            return err({ kind: 'too_many_roles' });
          const row: RoleRow = {
            id: ids.next(idPrefixes.role),
            businessId,
            name: input.name,
            permissionsJson: JSON.stringify([...new Set(input.permissions)].sort()),
            createdAt: clock.now(),
          };
          if ((await tx.run(insertRole, row)) === 0) return err({ kind: 'role_name_taken' });
          const role = ownRole(row);
          await write.finish(tx, role);
          await record(tx, changer, { change: 'role_defined', ...role });
          return ok(role);
        });
      },

      changeRole: (
        changer: Changer,
        id: string,
        input: { readonly name?: string | undefined; readonly permissions?: readonly Permission[] | undefined },
      ): Promise<Result<Role, ChangeRoleRefusal>> =>
        database.write(async tx => {
          const { businessId, held } = changer;
          const row = await tx.first(roleForUpdate, { businessId, id });
          if (!row) return err({ kind: 'role_not_found' });
          if (await isOwnRole(tx, changer, id)) return err({ kind: 'own_role' });
          const { name = row.name, permissions = ownRole(row).permissions } = input;
          if (isBeyond(ownRole(row), held) || isBeyond({ permissions }, held))
            return err({ kind: 'beyond_own_permissions' });
          const named = await tx.first(roleNamed, { businessId, name });
          if (named && named.id !== id) return err({ kind: 'role_name_taken' });
          const permissionsJson = JSON.stringify([...new Set(permissions)].sort());
          await tx.run(changeRoleRow, { id, businessId, name, permissionsJson });
          const role = ownRole({ ...row, name, permissionsJson });
          await record(tx, changer, { change: 'role_changed', ...role });
          return ok(role);
        }),

      deleteRole: (changer: Changer, id: string): Promise<Result<Role, DeleteRoleRefusal>> =>
        database.write(async tx => {
          const { businessId, held } = changer;
          const row = await tx.first(roleForUpdate, { businessId, id });
          if (!row) return err({ kind: 'role_not_found' });
          if (isBeyond(ownRole(row), held)) return err({ kind: 'beyond_own_permissions' });
          const uses = await tx.all(roleUses, { businessId });
          if (uses.some(({ roleId }) => roleId === id)) return err({ kind: 'role_in_use' });
          await tx.run(deleteRoleRow, { businessId, id });
          await record(tx, changer, { change: 'role_deleted', ...ownRole(row) });
          return ok(ownRole(row));
        }),
    };
  }
}
export type TeamService = ReturnType<typeof teamService>;

/** What is left of a role that no longer exists. */
const nothing: Role = { id: '', name: '', permissions: [] };

function ownRole({ id, name, permissionsJson }: Pick<RoleRow, 'id' | 'name' | 'permissionsJson'>): Role {
  return { id, name, permissions: permissionCode.array().parse(JSON.parse(permissionsJson)) };
}

type WithRole = { readonly roleId: string; readonly roleName: string | null; readonly permissionsJson: string | null };

/** The name of a member's role. */
export function roleName({ roleId, roleName: own }: Pick<WithRole, 'roleId' | 'roleName'>): string {
  return isBuiltInRole(roleId) ? builtInRoles[roleId].name : (own ?? '');
}

function permissionsOf({ roleId, permissionsJson }: WithRole): readonly Permission[] {
  if (isBuiltInRole(roleId)) return builtInRoles[roleId].permissions;
  return permissionsJson === null ? [] : permissionCode.array().parse(JSON.parse(permissionsJson));
}
