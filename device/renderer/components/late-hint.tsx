import type { Instant } from '@florin/shared/ports.ts';
import { useNow } from '../platform/time.ts';

/** Words for a wait that has become long, so that nobody stands before a silent screen. */
export function LateHint(props: { since: Instant; hints: readonly { afterSeconds: number; words: string }[] }) {
  const elapsedSeconds = (useNow(1000) - props.since) / 1000;
  const words = props.hints.filter(hint => elapsedSeconds >= hint.afterSeconds).at(-1)?.words;
  return (
    <p className="late" role="status">
      {words === undefined ? null : <span>{words}</span>}
    </p>
  );
}
