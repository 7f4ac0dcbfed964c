import type { Screen } from '../../ipc/view.ts';

/** The receipt of what is on the screen. */
export type Subject = {
  readonly url: string;
  /** By which the service knows it. */
  readonly token: string;
  /** It is looked up later: without a record of its prints, whatever is printed then is a copy. */
  readonly isReprint: boolean;
};

/** Undefined where the screen shows nothing that has a receipt. */
export function subjectOf(screen: Screen): Subject | undefined {
  const url = urlOf(screen);
  if (url === undefined) return undefined;
  const token = new URL(url).pathname.split('/').at(-1) ?? '';
  return { url, token, isReprint: screen.name === 'sale_detail' || screen.name === 'return_receipt' };
}

function urlOf(screen: Screen): string | undefined {
  if (screen.name === 'sale_result') return screen.outcome === 'approved' ? screen.sale?.receipt?.url : undefined;
  if (screen.name === 'sale_detail') return screen.receipt.length > 0 ? screen.sale.receipt?.url : undefined;
  if (screen.name === 'return_receipt') return screen.of.receipt?.url;
  if (screen.name !== 'return_result' || screen.outcome !== 'approved') return undefined;
  return screen.sale.returns.findLast(({ status }) => status === 'approved')?.receipt?.url;
}
