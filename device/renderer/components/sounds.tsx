import { use, useEffect, useRef } from 'react';
import type { Screen } from '../../ipc/view.ts';
import { HeaderContext } from '../formats.tsx';
import { type Beep, play } from '../platform/sound.ts';
import { useNow } from '../platform/time.ts';
import { DisplayContext } from './frame.tsx';

export type Sound = 'approved' | 'refused' | 'take_card';

const beeps: Readonly<Record<Sound, readonly Beep[]>> = {
  approved: [
    { hertz: 660, afterMs: 0, lastsMs: 130 },
    { hertz: 990, afterMs: 140, lastsMs: 220 },
  ],
  refused: [
    { hertz: 240, afterMs: 0, lastsMs: 180 },
    { hertz: 240, afterMs: 260, lastsMs: 300 },
  ],
  take_card: [{ hertz: 1400, afterMs: 0, lastsMs: 110 }],
};

/** While a card stays in the reader after a sale. */
const reminderEveryMs = 3_000;

/** The sounds of a sale, where the business wants them: its result, and a card that stays in the reader. */
export function Sounds({ screen }: { readonly screen: Screen }) {
  const { counter, isCardLeft } = use(HeaderContext);
  const isSilent = use(DisplayContext) || !counter.playsSounds;
  const result = resultOf(screen);
  const shown = useRef(result);
  useEffect(() => {
    if (shown.current === result) return;
    shown.current = result;
    if (!isSilent && result !== undefined) play(beeps[result]);
  }, [result, isSilent]);
  return isSilent || !isCardLeft || result === undefined ? null : <Reminder />;
}

function Reminder() {
  const turn = Math.floor(useNow(reminderEveryMs) / reminderEveryMs);
  // biome-ignore lint/correctness/useExhaustiveDependencies: sounds at each turn
  useEffect(() => play(beeps.take_card), [turn]);
  return null;
}

function resultOf(screen: Screen): Exclude<Sound, 'take_card'> | undefined {
  if (screen.name !== 'sale_result') return undefined;
  return screen.outcome === 'approved' ? 'approved' : 'refused';
}
