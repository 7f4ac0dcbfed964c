import type { Notice as NoticeView } from '../../ipc/view.ts';
import { AttentionIcon } from './icons.tsx';

/** A message of the core: a large title with its explanation below. */
export function Notice({ notice }: { notice: NoticeView | null }) {
  if (notice === null) return null;
  return (
    <div className="notice">
      <AttentionIcon />
      <div>
        <p className="notice-message">{notice.message}</p>
        {notice.detail === null ? null : <p className="notice-detail">{notice.detail}</p>}
      </div>
    </div>
  );
}
