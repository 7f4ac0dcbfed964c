import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings, type Settings } from '@florin/backend/config/settings.ts';
import { secretsKeySetting } from '../support/gateway-account.ts';

/** A folder for the time `work` runs. It must lie on a real disk: on one in memory a commit costs nothing. */
export async function inFolder<Value>(work: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Settings as a merchant's backend has them, but for what `env` says. */
export function settingsFor(env: Readonly<Record<string, string>>): Settings {
  const read = readSettings({ SECRETS_KEY: secretsKeySetting, ...env });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  return read.settings;
}
