import { readSettings as read, type Settings } from '@florin/backend/config/settings.ts';
import { shortTimes } from './process.ts';

/** The settings of a backend process with this environment. */
export function readSettings(env: Readonly<Record<string, string>>): Settings {
  const settings = read({ PORT: '0', ...shortTimes, ...env });
  if (!settings.ok) throw new Error(settings.problems.join('\n'));
  return settings.settings;
}
