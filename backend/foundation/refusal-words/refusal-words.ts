import type { AnyContract } from '@florin/shared/contracts/contract.ts';
import type { apiOperations, portalOperations } from '@florin/shared/contracts/operations.ts';

type Operations = typeof apiOperations & typeof portalOperations;
type ReasonsOf<Operation> = Operation extends AnyContract
  ? { [Status in keyof Operation['errors']]: Operation['errors'][Status] }[keyof Operation['errors']]
  : never;

/** Every reason that an operation of the portal declares. */
export type DeclaredReason = Extract<ReasonsOf<Operations[keyof Operations]>, readonly string[]>[number];

/** Reasons that every operation may answer with. */
export type CommonReason =
  | 'admins_only'
  | 'step_up_required'
  | 'database_unavailable'
  | 'commit_outcome_unknown'
  | 'idempotency_key_reused'
  | 'too_many_open_streams';

/** What users of the portal are told of refusals, in one language other than English. */
export type RefusalWords = {
  readonly reasons: Readonly<Record<DeclaredReason | CommonReason, string>>;
  /** Of refusals without a reason, by their status. */
  readonly statuses: Readonly<Partial<Record<number, string>>>;
  readonly missingPermissions: (codes: readonly string[]) => string;
  /**
   * What is wrong with a field, by the English words; `{}` stands for what varies. One whose words are not here is told as
   * `invalid`.
   */
  readonly issues: Readonly<Record<string, string>>;
  readonly invalid: string;
};
