import type { ReadSettings } from '../../config/settings.ts';
import { schemaState } from '../../foundation/database/state.ts';
import { systemClock } from '../../foundation/platform/system.ts';
import { type Finding, fine, look, wrong } from './finding.ts';
import { databaseFindings, diskFinding, secretsKeyFinding } from './machine.ts';
import { clockFindings, mailFinding, publicUrlFindings } from './network.ts';
import { serviceFindings } from './services.ts';

/** Checks an installation from its settings to its gateways. It changes nothing and moves no money. */
export async function examine(read: ReadSettings): Promise<readonly Finding[]> {
  if (!read.ok) return read.problems.map(problem => wrong('settings', problem, 'See backend/README.md'));
  const { settings } = read;
  const key = secretsKeyFinding(settings);
  const database = await databaseFindings(settings);
  const now = database.state?.now ?? null;
  const clock = now === null ? undefined : { now, readAt: systemClock.now() };
  const findings = [
    fine('settings', 'All are valid; config print shows them'),
    key,
    ...database.findings,
    ...(await clockFindings(settings, clock)),
    diskFinding(settings),
    ...(await publicUrlFindings(settings)),
    await mailFinding(settings),
  ];
  // Opening an older schema would upgrade it, and without its key a new one would be made.
  const isReadable =
    database.state !== undefined &&
    schemaState(database.state.migrations) === 'current' &&
    [key, ...database.findings].every(({ state }) => state !== 'wrong');
  if (isReadable) return [...findings, ...(await serviceFindings(settings))];
  const says = 'Card gateway accounts and bitcoin nodes were not checked';
  return [...findings, look('card gateway', says, 'Put the database and key right first, then ask again')];
}
