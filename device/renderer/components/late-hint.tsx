import type { Instant } from '@florin/shared/ports.ts';
import { countdown } from '../formats.tsx';
import { useNow } from '../platform/time.ts';
import { useText } from '../words/words.ts';
import { ClockIcon } from './icons.tsx';

interface LateHintProps {
  readonly since: Instant;
  readonly hints: readonly { afterSeconds: number; words: string }[];
  /** The start of the wait across all of its steps. */
  readonly timedSince?: Instant | undefined;
}

/** A message for a wait that has become long. */
export function LateHint({ since, hints, timedSince }: LateHintProps) {
  const text = useText();
  const now = useNow(1000);
  const elapsedMs = now - since;
  const words = hints.filter(hint => elapsedMs >= hint.afterSeconds * 1000).at(-1)?.words;
  return (
    <div className="late">
      {timedSince !== undefined ? (
        <p className="elapsed" role="timer" aria-label={text.elapsed}>
          <ClockIcon />
          {countdown(Math.max(0, now - timedSince))}
        </p>
      ) : null}
      <p className="late-words" role="status">
        {words}
      </p>
    </div>
  );
}
