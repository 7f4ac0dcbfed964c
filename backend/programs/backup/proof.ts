import type { Backend } from '../../backend.ts';
import { consumerPastEvents, paymentWithWrongSums, refundWithoutPayment } from './store.ts';

/** One thing that was checked; `problem` says what is wrong. */
export type Check = { readonly name: string; readonly problem: string | null };

/** A head that a business's audit log had when the backup was made. */
export type AuditHead = { readonly businessId: string; readonly sequence: number; readonly hash: string };

/**
 * Checks that the records of a restored database agree with each other, with the heads of the audit logs when the backup
 * was made, and with the key that sealed them. `isKeyHere`: without the key the seals cannot be checked.
 */
export async function checksOf(
  backend: Pick<Backend, 'database' | 'services'>,
  heads: readonly AuditHead[],
  isKeyHere: boolean,
): Promise<readonly Check[]> {
  const { database, services } = backend;
  const found = async (name: string, query: typeof refundWithoutPayment, words: string): Promise<Check> => {
    const row = await database.first(query, {});
    return { name, problem: row ? `${row.id}: ${words}` : null };
  };
  const checks: Check[] = [
    await found('sums', paymentWithWrongSums, 'what it returned and holds is not the sum of its refunds'),
    await found('refunds', refundWithoutPayment, 'its payment is missing'),
    await found('positions', consumerPastEvents, 'it is past the last event'),
  ];
  for (const { id } of await services.businesses.list()) {
    const head = heads.find(({ businessId }) => businessId === id);
    const check = await services.audit.verify(id, head);
    const isOnlySealed = check.kind === 'broken' && !isKeyHere && check.fault?.kind === 'other_key';
    checks.push({ name: `audit log of ${id}`, problem: check.kind === 'intact' || isOnlySealed ? null : check.why });
  }
  if (isKeyHere) checks.push(await secretsCheck(services));
  return checks;
}

/** A backup that was made while the secrets key was being replaced may need both keys. */
async function secretsCheck({ secrets }: Backend['services']): Promise<Check> {
  const [first] = (await secrets.survey()).unreadable;
  const why =
    first?.problem === 'altered' ? 'it was altered' : 'it needs another secrets key: set SECRETS_KEY_ACCEPTED to it';
  return { name: 'secrets', problem: first ? `${first.table}.${first.column} of ${first.id}: ${why}` : null };
}
