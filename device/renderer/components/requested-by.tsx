import type { Screen } from '../../ipc/view.ts';
import { text } from '../text.ts';

type Requester = Extract<Screen, { name: 'sale' }>['requestedBy'];

/** Who started the sale over the API, and its reference. */
export function RequestedBy({ requestedBy }: { requestedBy: Requester }) {
  if (!requestedBy) return null;
  return (
    <p className="requested-by">
      <span>{text.sale.requestedBy(requestedBy.name)}</span>
      {requestedBy.reference === null ? null : <span className="requested-reference">{requestedBy.reference}</span>}
    </p>
  );
}
