import type { StaffLogEntry } from '@florin/shared/contracts/api-v1/staff-logs.ts';
import { Status } from '../../components/notice.tsx';
import { useTexts } from '../../words/texts.ts';
import { staffLogTexts } from './texts.ts';

/** How a password check ended, and why it was refused. */
export function Result({ entry }: { readonly entry: StaffLogEntry }) {
  const text = useTexts(staffLogTexts);
  const { status, reason, detail, offline } = entry;
  const why = detail ?? reason;
  const isAllowed = status === 'authorized';
  return (
    <span className="results">
      <Status tone={isAllowed ? 'done' : 'refused'}>
        {isAllowed || why === null ? text.statuses[status] : text.reasons[why]}
      </Status>
      {offline ? <Status tone="ended">{text.offline}</Status> : null}
    </span>
  );
}
