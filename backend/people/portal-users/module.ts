import type { Me } from '@florin/shared/contracts/portal/people.ts';
import type { Clock, Ids, Log, Random } from '@florin/shared/ports.ts';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import type { SendLetter } from '../../foundation/mail.ts';
import type { Module } from '../../foundation/module.ts';
import type { Sealing } from '../../foundation/secrets/service.ts';
import type { ChangeLog } from '../businesses/change-log.ts';
import type { DerivePassword } from '../staff/password.ts';
import { sessionCookie } from './cookie.ts';
import { portalFactors } from './factors.ts';
import type { WorkPlace } from './letters.ts';
import { ownFactors } from './own-factors.ts';
import { portalPasswords } from './password.ts';
import { permissionRefusals } from './refusals.ts';
import { portalAuthenticators, portalUserRoutes } from './routes.ts';
import { type PortalUserService, portalUserService } from './service.ts';
import { portalSessions } from './sessions.ts';
import { sessionById } from './store.ts';
import { attemptThrottle } from './throttle.ts';

export type PortalUserPorts = {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly log: Log;
  readonly changes: ChangeLog;
  readonly derivePassword: DerivePassword;
  readonly secrets: Sealing;
  readonly sendLetter: SendLetter;
  readonly businessesOf: (portalUserId: string) => Promise<Me['businesses']>;
  readonly placesOf: (tx: Transaction, portalUserId: string) => Promise<readonly WorkPlace[]>;
  readonly publicUrl: string;
  readonly brand: string;
};

const pruneEveryMs = 10 * 60_000;

/** The users of the portal and their sessions; authenticates the schemes of the portal for all modules. */
export function portalUsersModule(
  ports: PortalUserPorts,
): Module<PortalUserService & { readonly recordRefusal: ReturnType<typeof permissionRefusals> }> {
  const { database, brand, publicUrl } = ports;
  const prefix = `${brand}_session_`;
  const sessions = portalSessions({ ...ports, prefix });
  const secrets = ports.secrets.box({
    purpose: 'portal user',
    table: 'portalUsers',
    owner: 'id',
    columns: ['totpSealed'],
  });
  const factors = portalFactors({ ...ports, secrets, issuer: 'Florin' });
  const throttle = attemptThrottle(ports);
  const passwords = portalPasswords(ports);
  const linkPrefix = `${brand}_link_`;
  const users = portalUserService({ ...ports, sessions, factors, throttle, passwords, prefix: linkPrefix });
  const own = ownFactors({ ...ports, factors, users });
  const cookie = sessionCookie({ brand, publicUrl });
  const options = { ...ports, users, sessions, factors, own, cookie };
  return {
    service: { ...users, recordRefusal: permissionRefusals(ports) },
    routes: portalUserRoutes({ ...options, sessionById: id => database.first(sessionById, { id }) }),
    jobs: [{ name: 'portal-prune', everyMs: pruneEveryMs, run: () => users.prune() }],
    authenticators: portalAuthenticators(sessions, cookie),
    credentialPrefix: prefix,
  };
}
