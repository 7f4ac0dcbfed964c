import { type ReactNode, useState } from 'react';
import { clock, timers } from '../platform/time.ts';
import { useFormats } from '../words/formats.ts';
import { useWords } from '../words/words.ts';
import { Icon } from './icon.tsx';

/** An amount of money: every digit as wide as the others, and never broken over two lines. */
export function Money({ minor, currency }: { readonly minor: number; readonly currency: string }) {
  const formats = useFormats();
  return (
    <data className="money" value={minor}>
      {formats.money(minor, currency)}
    </data>
  );
}

/** A time in the business's zone; pointing at it shows it in full. */
export function Time({
  at,
  as = 'dateTime',
}: {
  readonly at: string;
  readonly as?: 'dateTime' | 'time' | 'date' | 'toTheSecond' | 'ago';
}) {
  const formats = useFormats();
  return (
    <time dateTime={at} title={formats.exact(at)}>
      {as === 'ago' ? formats.ago(at, clock.now()) : formats[as](at)}
    </time>
  );
}

/** Copies a text, and says so where it was pressed. */
export function CopyButton({
  text,
  label,
  kind = 'quiet',
}: {
  readonly text: string;
  readonly label?: string;
  readonly kind?: 'quiet' | 'primary' | 'bare';
}) {
  const words = useWords();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    timers.after(2_000, () => setCopied(false));
  };
  return (
    <button type="button" className={`button button-${kind} copy`} onClick={() => void copy()}>
      <Icon name={isCopied ? 'check' : 'copy'} />
      <span aria-live="polite">{isCopied ? words.actions.copied : (label ?? words.actions.copy)}</span>
    </button>
  );
}

/** Facts about one thing, each with its name: below each other, or beside each other where there is room. */
export function Facts({ isAcross = false, children }: { readonly isAcross?: boolean; readonly children: ReactNode }) {
  return <dl className={isAcross ? 'facts facts-across' : 'facts'}>{children}</dl>;
}

/** One of the facts. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
