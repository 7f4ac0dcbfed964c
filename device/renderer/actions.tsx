import {
  createContext,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ActionResult, TerminalBridge, UserAction } from '../ipc/user-action.ts';
import { isDigitOfAmount, pressKey } from './platform/keys.ts';
import { timers, useHeldFor } from './platform/time.ts';
import type { StaffText } from './words/en.ts';
import { useText } from './words/words.ts';

/** How long further actions are blocked after an accepted action if the screen does not change. */
const unlockAfterMs = 1500;
const toastMs = 6000;

interface Actions {
  /**
   * Sends one action. Until it is answered and the screen has changed, further actions are dropped, so that a double
   * tap sends one. True if it was sent and accepted.
   */
  readonly send: (action: UserAction) => Promise<boolean>;
  /** The action has been in progress long enough to show an indicator. */
  slow: boolean;
  /** Why the last action was refused, until the screen changes. */
  toast: string | null;
  /** False while the terminal is disconnected and must not accept input. */
  active: boolean;
}

const Context = createContext<Actions>({ send: async () => false, slow: false, toast: null, active: false });

/** The nearest ActionProvider's; outside one `send` does nothing and returns false. */
export function useActions(): Actions {
  return useContext(Context);
}

interface ProviderProps {
  readonly bridge: TerminalBridge;
  /** Changes whenever the screen's content changes. */
  readonly screenKey: string;
  readonly active: boolean;
  readonly children: ReactNode;
}

interface Lock {
  answered: boolean;
  screenChanged: boolean;
}

/**
 * Keeps the digits typed between an action and the screen that follows it: a cashier who goes on typing after "New sale" must not
 * lose the first digit of the amount. Returns what empties it.
 */
function useTypedAhead(lock: RefObject<Lock | null>): () => readonly string[] {
  const typed = useRef<readonly string[]>([]);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isKept = lock.current !== null && !lock.current.screenChanged && isDigitOfAmount(event);
      // The screen that is still shown took it.
      if (isKept && !event.defaultPrevented) typed.current = [...typed.current, event.key];
    };
    // After the screen, which listens at the window, and before the buttons, which keep keys to themselves.
    document.addEventListener('keydown', listen, { capture: true });
    return () => document.removeEventListener('keydown', listen, { capture: true });
  }, [lock]);
  return useCallback(() => {
    const taken = typed.current;
    typed.current = [];
    return taken;
  }, []);
}

/** Sends the actions of its screens one at a time. A refusal is shown until the screen changes, at most six seconds. */
export function ActionProvider({ bridge, screenKey, active, children }: ProviderProps) {
  const text = useText();
  const [outstanding, setOutstanding] = useState(false);
  const [toast, setToast] = useState<string | null>(null);
  /** True from the tap until it is answered and the screen has changed. */
  const lock = useRef<Lock | null>(null);
  const release = useCallback(() => {
    lock.current = null;
    setOutstanding(false);
  }, []);

  const takeTypedAhead = useTypedAhead(lock);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs because the screen changed
  useEffect(() => {
    setToast(null);
    if (lock.current === null) return;
    lock.current.screenChanged = true;
    // The effects of the new screen ran before: it takes keys.
    for (const key of takeTypedAhead()) pressKey(key);
    if (lock.current.answered) release();
  }, [screenKey, release, takeTypedAhead]);

  useEffect(() => (toast === null ? undefined : timers.after(toastMs, () => setToast(null))), [toast]);

  const send = useCallback(
    async (action: UserAction) => {
      if (lock.current !== null || !active) return false;
      const held = { answered: false, screenChanged: false };
      lock.current = held;
      takeTypedAhead();
      setOutstanding(true);
      setToast(null);
      // A host that fails to answer counts as a refusal: the View shows the current state.
      const answer = await bridge.send(action).catch(() => ({ kind: 'not_now' }) as const);
      held.answered = true;
      if (answer.kind !== 'accepted') {
        setToast(refusalOf(answer, text));
        release();
        return false;
      }
      if (held.screenChanged) release();
      else timers.after(unlockAfterMs, () => lock.current === held && release());
      return true;
    },
    [bridge, active, release, text, takeTypedAhead],
  );

  const slow = useHeldFor(outstanding, 300);
  const value = useMemo(() => ({ send, slow, toast, active }), [send, slow, toast, active]);
  return <Context value={value}>{children}</Context>;
}

function refusalOf(answer: Exclude<ActionResult, { kind: 'accepted' }>, text: StaffText): string {
  switch (answer.kind) {
    case 'not_now':
      return text.notNow;
    case 'sale_starting':
      return text.saleStarting(answer.requestedBy);
    case 'invalid':
      return answer.message;
  }
}
