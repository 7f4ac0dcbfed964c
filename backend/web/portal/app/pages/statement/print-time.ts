import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { clock } from '../../platform/time.ts';

/** When the page was printed last, or else first shown: what is printed says its own time. */
export function usePrintTime(): number {
  const [at, setAt] = useState(clock.now);
  useEffect(() => {
    const note = () => flushSync(() => setAt(clock.now()));
    addEventListener('beforeprint', note);
    return () => removeEventListener('beforeprint', note);
  }, []);
  return at;
}
