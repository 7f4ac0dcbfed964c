import type { Notice as NoticeView } from '../../ipc/view.ts';
import { AttentionIcon, CheckIcon } from './icons.tsx';

/** A message of the core: a large title with its explanation below. */
export function Notice({ notice, isGood = false }: { notice: NoticeView | null; isGood?: boolean }) {
  if (notice === null) return null;
  return (
    <div className={isGood ? 'notice notice-good' : 'notice'}>
      {isGood ? <CheckIcon /> : <AttentionIcon />}
      <div>
        <p className="notice-message">{notice.message}</p>
        {notice.detail === null ? null : <p className="notice-detail">{notice.detail}</p>}
      </div>
    </div>
  );
}
