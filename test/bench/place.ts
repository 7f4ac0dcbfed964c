import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings, type Settings } from '@florin/backend/config/settings.ts';
import { secretsKeySetting } from '../support/gateway-account.ts';

/** Runs `work` with a temporary folder. It must be on a real disk: in memory a commit costs nothing. */
export async function inFolder<Value>(work: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Production settings, overridden by `env`. */
export function settingsFor(env: Readonly<Record<string, string>>): Settings {
  const read = readSettings({ SECRETS_KEY: secretsKeySetting, ...env });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  return read.settings;
}
