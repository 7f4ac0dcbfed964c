import type { DiscrepancyKind } from '@florin/shared/contracts/api-v1/discrepancies.ts';

/** What each kind of discrepancy means and what to do about it, in one language. */
export type Meanings = Readonly<Record<DiscrepancyKind, string>>;
