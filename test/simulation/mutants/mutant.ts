import type { FlowName } from '../flows.ts';

/** A money bug, planted by replacing one piece of source text. */
export type Mutant = {
  readonly name: string;
  readonly file: string;
  /** Source text that occurs exactly once. */
  readonly find: string;
  readonly replace: string;
  /** The consequence of the bug. */
  readonly why: string;
  /** The flow of the enumeration that finds it soonest; most bugs are found sooner by random seeds. */
  readonly flow?: FlowName;
};
