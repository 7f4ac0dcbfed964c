import type { FlowName } from '../flows.ts';

/** A money bug, planted by replacing one piece of source text. */
export type Mutant = {
  readonly name: string;
  readonly file: string;
  /** Matches exactly once. */
  readonly find: string;
  readonly replace: string;
  /** What the bug would do to somebody. */
  readonly why: string;
  /** The flow that meets it soonest; sweeping finds most of them sooner than anything else. */
  readonly flow?: FlowName;
};
