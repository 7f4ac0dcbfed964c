import type { Screen } from '../../ipc/view.ts';

/** The receipt of what is on the screen. */
export type Subject = {
  readonly url: string;
  /** It is looked up later: whatever is printed then is a copy. */
  readonly isReprint: boolean;
};

/** Undefined where the screen shows nothing that has a receipt. */
export function subjectOf(screen: Screen): Subject | undefined {
  switch (screen.name) {
    case 'sale_result': {
      const url = screen.outcome === 'approved' ? screen.sale?.receipt?.url : undefined;
      return url === undefined ? undefined : { url, isReprint: false };
    }
    case 'return_result': {
      const { outcome, sale } = screen;
      const returned = sale.returns.findLast(({ status }) => status === 'approved');
      const url = outcome === 'approved' ? returned?.receipt?.url : undefined;
      return url === undefined ? undefined : { url, isReprint: false };
    }
    case 'sale_detail': {
      const url = screen.receipt.length > 0 ? screen.sale.receipt?.url : undefined;
      return url === undefined ? undefined : { url, isReprint: true };
    }
    default:
      return undefined;
  }
}
