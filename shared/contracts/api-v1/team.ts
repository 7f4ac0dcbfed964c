import { z } from 'zod';
import { permissionCode } from '../../permissions.ts';
import { changesOf, contract, id, timestamp } from '../contract.ts';
import { listOf, pageQuery } from '../lists.ts';
import { emailAddress, roleId, roleReference } from '../portal/people.ts';
import { json } from '../responses.ts';
import { oneLine } from '../text.ts';
import { actorRecord } from './actors.ts';

const ofTeam = { authentication: ['apiKey'], tag: 'Team', origin: 'project' } as const;
const reads = { ...ofTeam, method: 'GET', permissions: ['team:read'] } as const;
const writes = { ...ofTeam, permissions: ['team:write'], stepUp: true } as const;

export const teamMember = z
  .object({
    id: id('usr'),
    email: z.string(),
    name: z.string(),
    role: roleReference,
    hasSecondFactor: z.boolean().meta({ description: 'Whether sign-in asks for more than the password' }),
    lastSeenAt: timestamp.nullable(),
    joinedAt: timestamp,
  })
  .meta({ id: 'TeamMember' });
export type TeamMember = z.infer<typeof teamMember>;

export const listTeam = contract({
  ...reads,
  name: 'listTeam',
  path: '/api/v1/team',
  summary: 'List the users of the portal who belong to the business, newest first',
  query: pageQuery('team'),
  responses: { 200: json(listOf(teamMember)) },
});

const memberParams = z.object({ id: id('usr') });

export const getTeamMember = contract({
  ...reads,
  name: 'getTeamMember',
  path: '/api/v1/team/{id}',
  summary: 'Read one member of the team',
  params: memberParams,
  responses: { 200: json(teamMember) },
  errors: { 404: ['team_member_not_found'] },
});

/** Nobody grants or takes away what they do not hold themselves, and the last owner stays. */
const memberRefusals = {
  403: ['beyond_own_permissions'],
  404: ['team_member_not_found', 'role_not_found'],
  409: ['last_owner'],
} as const;

export const changeTeamMember = contract({
  ...writes,
  name: 'changeTeamMember',
  method: 'PATCH',
  path: '/api/v1/team/{id}',
  summary: 'Give a member of the team another role',
  description: 'The caller must hold every permission of the old and of the new role. The last owner stays an owner.',
  params: memberParams,
  body: z.object({ roleId }),
  responses: { 200: json(teamMember) },
  errors: memberRefusals,
});

export const removeTeamMember = contract({
  ...writes,
  name: 'removeTeamMember',
  method: 'DELETE',
  path: '/api/v1/team/{id}',
  summary: 'Remove a member from the team',
  description: 'Takes effect with their next request. What they did stays recorded.',
  params: memberParams,
  responses: { 200: json(teamMember) },
  errors: { 403: memberRefusals[403], 404: ['team_member_not_found'], 409: memberRefusals[409] },
});

export const invitation = z
  .object({
    id: id('inv'),
    email: z.string(),
    role: roleReference,
    status: z.enum(['pending', 'expired']),
    invitedBy: actorRecord,
    createdAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({ id: 'Invitation' });

export const listInvitations = contract({
  ...reads,
  name: 'listInvitations',
  path: '/api/v1/team/invitations',
  summary: 'List open invitations, newest first',
  query: pageQuery('invitations'),
  responses: { 200: json(listOf(invitation)) },
});

export const inviteTeamMember = contract({
  ...writes,
  name: 'inviteTeamMember',
  method: 'POST',
  path: '/api/v1/team/invitations',
  summary: 'Invite somebody to the team by e-mail',
  description:
    'The link in the e-mail works once, for 72 hours, and for this address only. A new invitation replaces an open one.',
  body: z.object({ email: emailAddress, roleId }),
  responses: { 201: json(invitation) },
  errors: { 403: ['beyond_own_permissions'], 404: ['role_not_found'], 409: ['already_in_team'] },
  idempotent: true,
});

export const withdrawInvitation = contract({
  ...writes,
  name: 'withdrawInvitation',
  method: 'DELETE',
  path: '/api/v1/team/invitations/{id}',
  summary: 'Withdraw an invitation',
  params: z.object({ id: id('inv') }),
  responses: { 200: json(invitation) },
  errors: { 404: ['invitation_not_found'] },
});

export const role = z
  .object({
    id: roleId,
    name: z.string(),
    isBuiltIn: z.boolean().meta({ description: 'Every business has it, and nobody can change it' }),
    permissions: z.array(permissionCode),
    members: z.int().meta({ description: 'How many members have it' }),
  })
  .meta({ id: 'Role' });

export const listRoles = contract({
  ...reads,
  name: 'listRoles',
  path: '/api/v1/team/roles',
  summary: 'List the roles that members can have: the built-in ones, then those of the business',
  responses: { 200: json(z.object({ items: z.array(role) })) },
});

const roleFields = {
  name: oneLine(60).meta({ example: 'Bookkeeper' }),
  permissions: z
    .array(permissionCode)
    .min(1, { error: 'must have at least one permission' })
    .meta({ example: ['sales:read'] }),
};
/** Roles of which the caller lacks a permission are beyond them. */
const roleRefusals = { 403: ['beyond_own_permissions'], 409: ['role_name_taken', 'too_many_roles'] } as const;

export const createRole = contract({
  ...writes,
  name: 'createRole',
  method: 'POST',
  path: '/api/v1/team/roles',
  summary: 'Define a role',
  description: 'Of permissions that the caller holds.',
  body: z.object(roleFields),
  responses: { 201: json(role) },
  errors: roleRefusals,
  idempotent: true,
});

const roleParams = z.object({ id: id('role') });

export const changeRole = contract({
  ...writes,
  name: 'changeRole',
  method: 'PATCH',
  path: '/api/v1/team/roles/{id}',
  summary: 'Change a role of the business',
  description:
    'Takes effect for its members with their next request. The caller must hold its old and new permissions. Nobody changes the role that they have themselves.',
  params: roleParams,
  body: changesOf(roleFields),
  responses: { 200: json(role) },
  errors: { 403: [...roleRefusals[403], 'own_role'], 404: ['role_not_found'], 409: ['role_name_taken'] },
});

export const deleteRole = contract({
  ...writes,
  name: 'deleteRole',
  method: 'DELETE',
  path: '/api/v1/team/roles/{id}',
  summary: 'Delete a role that nobody has',
  params: roleParams,
  responses: { 200: json(role) },
  errors: { 403: roleRefusals[403], 404: ['role_not_found'], 409: ['role_in_use'] },
});
