import { approving } from './approving.ts';
import { authorising } from './authorising.ts';
import { delivering } from './delivering.ts';
import { disputing } from './disputing.ts';
import { driving } from './driving.ts';
import { enrolling } from './enrolling.ts';
import { linking } from './linking.ts';
import type { Mutant } from './mutant.ts';
import { payingOut } from './paying-out.ts';
import { receiving } from './receiving.ts';
import { repeating } from './repeating.ts';
import { reserving } from './reserving.ts';
import { sending } from './sending.ts';
import { settling } from './settling.ts';
import { tipping } from './tipping.ts';
import { totalling } from './totalling.ts';

/** The money bugs that the tests must find, by the rule they break. */
export const mutants: readonly Mutant[] = [
  ...reserving,
  ...sending,
  ...settling,
  ...authorising,
  ...approving,
  ...repeating,
  ...disputing,
  ...enrolling,
  ...driving,
  ...delivering,
  ...receiving,
  ...linking,
  ...payingOut,
  ...tipping,
  ...totalling,
];
