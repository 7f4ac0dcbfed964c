import type { Module } from '../../foundation/module.ts';
import { type TeamRoutesOptions, teamRoutes } from './routes.ts';
import { type TeamOptions, type TeamService, teamService } from './service.ts';

/** Who belongs to a business: members, roles and invitations. */
export function teamModule(ports: TeamOptions & Pick<TeamRoutesOptions, 'nameOf'>): Module<TeamService> {
  const service = teamService(ports);
  return { service, routes: teamRoutes({ ...ports, team: service }), jobs: [] };
}
