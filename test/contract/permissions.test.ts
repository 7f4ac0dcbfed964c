import { operations } from '@florin/shared/contracts/operations.ts';
import { permissionCodes } from '@florin/shared/permissions.ts';
import { expect, test } from 'vitest';
import { validBodies } from '../support/samples.ts';

/** What an operation requires for any body that it accepts; a choice of several permissions guards by none of them alone. */
function requiredBy(contract: (typeof operations)[number]): string[] {
  const forBodies = validBodies(contract).flatMap(
    body => contract.permissionsFor?.of(contract.body.parse(body) as never) ?? [],
  );
  return [...contract.permissions, ...forBodies].filter(rule => typeof rule === 'string');
}

test('every permission that a key can hold guards an operation', () => {
  const guarded = new Set(operations.flatMap(requiredBy));
  expect(permissionCodes).toHaveLength(23);
  expect(permissionCodes.filter(code => !guarded.has(code))).toEqual([]);
});
