import type { Instant } from '@florin/shared/ports.ts';
import { countdown } from '../formats.tsx';
import { useNow } from '../platform/time.ts';
import { text } from '../text.ts';
import { ClockIcon } from './icons.tsx';

interface LateHintProps {
  readonly since: Instant;
  readonly hints: readonly { afterSeconds: number; words: string }[];
  /** Says how long it has been, from the start. */
  readonly timed?: boolean;
}

/** A message for a wait that has become long. */
export function LateHint({ since, hints, timed = false }: LateHintProps) {
  const elapsedMs = useNow(1000) - since;
  const words = hints.filter(hint => elapsedMs >= hint.afterSeconds * 1000).at(-1)?.words;
  return (
    <div className="late">
      {timed ? (
        <p className="elapsed" role="timer" aria-label={text.elapsed}>
          <ClockIcon />
          {countdown(Math.max(0, elapsedMs))}
        </p>
      ) : null}
      <p className="late-words" role="status">
        {words}
      </p>
    </div>
  );
}
