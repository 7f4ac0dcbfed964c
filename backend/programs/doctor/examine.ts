import { distance } from 'fastest-levenshtein';
import { environment, type ReadSettings } from '../../config/settings.ts';
import { schemaState } from '../../foundation/database/state.ts';
import { systemClock } from '../../foundation/platform/system.ts';
import { type Finding, fine, look, wrong } from './finding.ts';
import { databaseFindings, diskFinding, restoreFindings, secretsKeyFinding } from './machine.ts';
import { clockFindings, mailFinding, publicUrlFindings } from './network.ts';
import { gatewayFinding, serviceFindings } from './services.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Checks an installation from its settings to its gateways. It changes nothing and moves no money. */
export async function examine(read: ReadSettings, env: Environment): Promise<readonly Finding[]> {
  const misspelt = misspeltSettings(env);
  if (!read.ok)
    return [...read.problems.map(problem => wrong('settings', problem, 'See backend/README.md')), ...misspelt];
  const { settings } = read;
  const key = secretsKeyFinding(settings);
  const database = await databaseFindings(settings);
  const now = database.state?.now ?? null;
  const clock = now === null ? undefined : { now, readAt: systemClock.now() };
  const findings = [
    fine('settings', 'All are valid; config print shows them'),
    ...misspelt,
    key,
    ...database.findings,
    ...(await clockFindings(settings, clock)),
    diskFinding(settings),
    ...restoreFindings(settings),
    ...(await publicUrlFindings(settings)),
    await mailFinding(settings),
  ];
  // Opening an older schema would upgrade it, and without its key a new one would be made.
  const isReadable =
    database.state !== undefined &&
    schemaState(database.state.migrations) === 'current' &&
    [key, ...database.findings].every(({ state }) => state !== 'wrong');
  if (isReadable) {
    const ofService = await serviceFindings(settings);
    // A file that is in order says nothing where it holds another key.
    const isOtherKey = ofService.some(({ check, state }) => check === key.check && state === 'wrong');
    return [...findings.filter(one => one !== key || !isOtherKey), ...ofService];
  }
  const says = 'The accounts and bitcoin nodes of businesses were not checked';
  return [
    ...findings,
    await gatewayFinding(settings),
    look('card gateway', says, 'Put the database and key right first, then ask again'),
  ];
}

/** Of shorter names, such as PORT, another program's variable is too often a letter away. */
const leastLength = 8;
const mostTypos = 2;

/** Variables of the environment that are no setting, but almost one: their value has no effect. */
function misspeltSettings(env: Environment): readonly Finding[] {
  const names = Object.keys(environment.shape);
  const isSetting = new Set(names);
  return Object.keys(env).flatMap(name => {
    if (name.length < leastLength || isSetting.has(name)) return [];
    const meant = names.find(setting => distance(name.toUpperCase(), setting) <= mostTypos);
    if (meant === undefined) return [];
    return [
      look('settings', `${name} is set, and is not a setting: it has no effect`, `If ${meant} is meant, rename it`),
    ];
  });
}
