import type { ViewedList } from '@florin/shared/contracts/api-v1/saved-views.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../../foundation/database/flag.ts';

/** Filters of a list that somebody has given a name. */
export type SavedViewRow = {
  id: string;
  businessId: string;
  /** The portal user or API key that created it. */
  ownerId: string;
  list: ViewedList;
  name: string;
  filtersJson: string;
  isShared: Flag;
  createdAt: Instant;
};
