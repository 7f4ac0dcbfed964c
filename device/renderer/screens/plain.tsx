import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { Frame } from '../components/frame.tsx';
import { AttentionIcon, Mark } from '../components/icons.tsx';
import { LateHint } from '../components/late-hint.tsx';
import { clock } from '../platform/time.ts';
import { useText } from '../words/words.ts';

/** Shown until the core has read its stored state; it accepts no input. */
export function StartingScreen() {
  const text = useText();
  return (
    <Frame
      name="starting"
      summary={
        <div className="message">
          <Mark />
          <h1 tabIndex={-1}>{text.starting.title}</h1>
          <p>{text.starting.detail}</p>
          <span className="spinner spinner-large" aria-hidden="true" />
        </div>
      }
    />
  );
}

/** Covers everything while the terminal is unreachable. */
export function ConnectingScreen() {
  const text = useText();
  const [since] = useState(() => clock.now());
  return (
    <Frame
      name="connecting"
      summary={
        <div className="message">
          <span className="spinner spinner-large" aria-hidden="true" />
          <h1 tabIndex={-1}>{text.connecting.title}</h1>
          <p>{text.connecting.detail}</p>
          <p className="message-note">{text.connecting.safe}</p>
          <LateHint since={since} hints={text.connecting.late} />
        </div>
      }
    />
  );
}

/** Shown in a browser whose address does not contain this terminal's token: connecting again cannot help. */
export function RefusedLinkScreen() {
  const text = useText();
  return (
    <Frame
      name="refused_link"
      tone="attention"
      summary={
        <div className="message">
          <AttentionIcon />
          <h1 tabIndex={-1}>{text.refusedLink.title}</h1>
          <p>{text.refusedLink.detail}</p>
          <p className="message-note">{text.refusedLink.safe}</p>
        </div>
      }
    />
  );
}

/** The screen and the core are incompatible, or the screen failed. */
export function UnreadableScreen() {
  const text = useText();
  return (
    <Frame
      name="unreadable"
      tone="attention"
      summary={
        <div className="message">
          <AttentionIcon />
          <h1 tabIndex={-1}>{text.unreadable.title}</h1>
          <p>{text.unreadable.detail}</p>
          <p className="message-note">{text.unreadable.safe}</p>
        </div>
      }
      actions={
        <Button look="primary" onPress={() => location.reload()}>
          {text.unreadable.again}
        </Button>
      }
    />
  );
}
