import { operator } from '@florin/shared/actor.ts';
import { emailAddress, newPassword, personName, roleId } from '@florin/shared/contracts/portal/people.ts';
import { permissionCodes } from '@florin/shared/permissions.ts';
import { z } from 'zod';
import { businessFlag, command, done, failed, noBusiness, theBusiness } from './command.ts';

export const portalUserCreate = command({
  summary: 'Create a user of the portal, or give an existing one a role in another business',
  flags: {
    business: businessFlag,
    email: { about: 'E-mail address, with which they sign in' },
    name: { about: 'Name' },
    role: { about: 'owner, admin, manager, cashier, developer or the id of a role (default owner)' },
    password: {
      about: 'Password, at least 12 characters; not needed for a user who exists',
      env: 'PORTAL_USER_PASSWORD',
    },
  },
  input: z.object({
    business: z.string().optional(),
    email: emailAddress,
    name: personName.optional(),
    role: roleId.default('owner'),
    password: newPassword.optional(),
  }),
  async run(input, backend) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    const { portalUsers, team } = backend.services;
    const { email, name = email, role, password } = input;
    const known = await portalUsers.byEmail(email);
    if (!known && password === undefined)
      return failed(
        'A new user needs a password: PORTAL_USER_PASSWORD, or --password, which others on this machine can see',
      );
    if (!known && password !== undefined && (await portalUsers.isGuessable(password, { email, name })))
      return failed('This password is too easy to guess');
    const passwordJson = known ? '' : await portalUsers.hashPassword(password ?? '');
    const changer = { businessId, by: operator, held: new Set(permissionCodes) };
    const joined = await backend.database.write(async tx => {
      const user = known ?? (await portalUsers.create(tx, { email, name, passwordJson }));
      return user && (await team.join(tx, changer, user.id, role)) ? user : undefined;
    });
    if (!joined) return failed(`${email} belongs to this business already, or there is no such role`);
    return done({ portalUser: { id: joined.id, email, name: joined.name, role } }, [
      `Portal user ${joined.name}: ${joined.id}, ${role}`,
    ]);
  },
});
