import type { Screen } from '../../ipc/view.ts';
import { useText } from '../words/words.ts';

type Requester = Extract<Screen, { name: 'sale' }>['requestedBy'];

/** Who started the sale over the API, and its reference. */
export function RequestedBy({ requestedBy }: { requestedBy: Requester }) {
  const text = useText();
  if (!requestedBy) return null;
  return (
    <p className="requested-by">
      <span>{text.sale.requestedBy(requestedBy.name)}</span>
      {requestedBy.reference === null ? null : <span className="requested-reference">{requestedBy.reference}</span>}
    </p>
  );
}
