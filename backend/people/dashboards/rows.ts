import type { Instant } from '@florin/shared/ports.ts';

/** The layout of a portal user's start page, or the business's own. */
export type DashboardRow = {
  businessId: string;
  /** The portal user's id; of the business's own layout the business's id. */
  ownerId: string;
  cardsJson: string;
  changedAt: Instant;
};
