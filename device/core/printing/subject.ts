import type { Screen } from '../../ipc/view.ts';

/** The receipt of what is on the screen. */
export type Subject = {
  readonly url: string;
  /** It is looked up later: whatever is printed then is a copy. */
  readonly isReprint: boolean;
};

/** Undefined where the screen shows nothing that has a receipt. */
export function subjectOf(screen: Screen): Subject | undefined {
  const url = urlOf(screen);
  return url === undefined ? undefined : { url, isReprint: screen.name === 'sale_detail' };
}

function urlOf(screen: Screen): string | undefined {
  if (screen.name === 'sale_result') return screen.outcome === 'approved' ? screen.sale?.receipt?.url : undefined;
  if (screen.name === 'sale_detail') return screen.receipt.length > 0 ? screen.sale.receipt?.url : undefined;
  if (screen.name !== 'return_result' || screen.outcome !== 'approved') return undefined;
  return screen.sale.returns.findLast(({ status }) => status === 'approved')?.receipt?.url;
}
