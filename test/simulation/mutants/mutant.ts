import type { FlowName } from '../flows.ts';

type Bug = {
  readonly name: string;
  /** Source text that occurs exactly once in its file. */
  readonly find: string;
  readonly replace: string;
  /** The flow of the enumeration that finds it soonest; most bugs are found sooner by random seeds. */
  readonly flow?: FlowName;
};

/** A money bug, planted by replacing one piece of source text of a file. */
export type Mutant = Bug & { readonly file: string };

/** The bugs of each of these files. */
export function bugsIn(files: Readonly<Record<string, readonly Bug[]>>): readonly Mutant[] {
  return Object.entries(files).flatMap(([file, bugs]) => bugs.map(bug => ({ ...bug, file })));
}
