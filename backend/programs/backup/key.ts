import type { CopiedRow, CopiedTable, Snapshot } from '../../foundation/database/snapshot.ts';
import { systemRandom } from '../../foundation/platform/system.ts';
import type { SecretsKeys } from '../../foundation/secrets/keys.ts';
import { isPermanentKeyOf } from '../../foundation/secrets/permanent-key.ts';
import { headSeal } from '../../people/audit/seal.ts';

/**
 * Whether these are the keys of the records, as the stored permanent key tells, or before the first start the heads of
 * the audit logs. True where nothing is sealed yet.
 */
export async function areKeysOf(snapshot: Snapshot, keys: SecretsKeys): Promise<boolean> {
  const [permanent] = await allOf(snapshot, 'permanentKeys');
  if (permanent) {
    const row = { id: String(permanent.id), sealedKey: String(permanent.sealedKey) };
    return isPermanentKeyOf(row, { secretsKeys: () => keys, random: systemRandom });
  }
  const seal = headSeal(() => keys);
  const heads = await allOf(snapshot, 'auditChains');
  const states = heads.map(({ businessId, sequence, hash, seal: made }) =>
    seal.check({
      businessId: String(businessId),
      sequence: Number(sequence),
      hash: String(hash),
      seal: String(made),
    }),
  );
  return !states.includes('other_key');
}

async function allOf(snapshot: Snapshot, name: string): Promise<Readonly<Record<string, CopiedRow[number]>>[]> {
  const table: CopiedTable | undefined = snapshot.tables.find(one => one.name === name);
  const all = [];
  if (table)
    for await (const row of snapshot.rows(table))
      all.push(Object.fromEntries(table.columns.map((column, index) => [column, row[index] ?? null])));
  return all;
}
