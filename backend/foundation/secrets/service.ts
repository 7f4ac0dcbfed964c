import type { Random } from '@florin/shared/ports.ts';
import type { Database, Tables } from '../database/database.ts';
import type { SecretsKeys } from './keys.ts';
import { keepPermanentKey, openPermanentKey } from './permanent-key.ts';
import { type SecretsRotation, secretsRotation } from './rotation.ts';
import type { ColumnName, SealedColumn, SealedColumnOf } from './sealed-column.ts';
import { type SecretBox, type SecretPurpose, secretBox } from './secret-box.ts';

/** The only way for a module to seal what it stores: what is sealed is also known to the rotation of keys. */
export type Sealing = {
  /** Encrypts the values of these columns, each for the row's owner. */
  box<Table extends keyof Tables>(
    sealed: Pick<SealedColumnOf<Table>, 'table' | 'owner'> & {
      readonly purpose: SecretPurpose;
      readonly columns: readonly ColumnName<Table>[];
    },
  ): SecretBox;
  /** A column that its module seals in another way. */
  add<Table extends keyof Tables>(column: SealedColumnOf<Table>): void;
};

export type Secrets = Sealing &
  SecretsRotation & {
    /** Every sealed column of the service. */
    columns(): readonly SealedColumn[];
    /** Run at start, once the key is known to be right: stores the permanent key, or opens it. @throws SecretsKeyMismatch */
    prepare(): Promise<void>;
  };

export type SecretsPorts = {
  readonly database: Database;
  readonly random: Random;
  readonly secretsKeys: () => SecretsKeys;
};

/** What is stored sealed with SECRETS_KEY, and the rotation of that key. */
export function secretsService(ports: SecretsPorts): Secrets {
  const columns: SealedColumn[] = [];
  const box: Sealing['box'] = ({ table, owner, columns: names, purpose }) => {
    const made = secretBox({ ...ports, purpose });
    for (const column of names)
      columns.push({
        table,
        owner,
        column,
        keyOf: (value, row) => made.keyOf(value, String(row[owner])),
        reseal(value, row) {
          const id = String(row[owner]);
          return made.seal(made.open(value, id), id);
        },
      });
    return made;
  };
  const permanent = box({
    purpose: 'permanent key',
    table: 'permanentKeys',
    owner: 'id',
    columns: ['sealedKey'],
  });
  const rotation = secretsRotation({ ...ports, columns: () => columns });
  return {
    box,
    add: column => void columns.push(column),
    columns: () => columns,
    isAnythingSealed: rotation.isAnythingSealed,
    survey: rotation.survey,
    async rotate() {
      await keepPermanentKey({ ...ports, box: permanent });
      return rotation.rotate();
    },
    async prepare() {
      await keepPermanentKey({ ...ports, box: permanent });
      await openPermanentKey({ ...ports, box: permanent });
    },
  };
}
