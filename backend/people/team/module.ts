import { type PruningPorts, pruningJob } from '../../foundation/jobs/pruning.ts';
import type { Module } from '../../foundation/module.ts';
import { type TeamRoutesOptions, teamRoutes } from './routes.ts';
import { type TeamOptions, type TeamService, teamService } from './service.ts';
import { deleteExpiredInvitations } from './store.ts';

/** Who belongs to a business: members, roles and invitations. */
export function teamModule(
  ports: TeamOptions & Pick<TeamRoutesOptions, 'nameOf'> & Pick<PruningPorts, 'retentionMs'>,
): Module<TeamService> {
  const service = teamService(ports);
  return {
    service,
    routes: teamRoutes({ ...ports, team: service }),
    // Until then the portal shows that they expired.
    jobs: [pruningJob('invitation-pruning', ports, (tx, options) => tx.run(deleteExpiredInvitations, options))],
  };
}
