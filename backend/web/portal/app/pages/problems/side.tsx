import type { ReactNode } from 'react';
import { Fact, Facts, Money, Time } from '../../components/values.tsx';
import { useBusiness } from '../../session/session.ts';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { sideTexts, wordOf } from './side-texts.ts';

type Recorded = Readonly<Record<string, unknown>>;
type SideProps = { readonly side: 'recorded' | 'gateway'; readonly facts: Recorded };

/** What one side says, for whoever compares it with the gateway's own pages. */
export function Side({ side, facts }: SideProps) {
  const text = useTexts(sideTexts);
  const { currency: own } = useBusiness();
  const currency = typeof facts.currency === 'string' ? facts.currency : own;
  const shown = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined);
  return (
    <section className="stack-tight">
      <h3>{text[side]}</h3>
      {shown.length === 0 ? <p className="muted">{text.nothing}</p> : null}
      <Facts>
        {shown.map(([name, value]) => (
          <Fact key={name} name={text.names[name] ?? text.other}>
            <Value name={name} value={value} currency={currency} />
          </Fact>
        ))}
      </Facts>
    </section>
  );
}

type ValueProps = { readonly name: string; readonly value: unknown; readonly currency: string };

function Value({ name, value, currency }: ValueProps): ReactNode {
  const text = useTexts(sideTexts);
  const formats = useFormats();
  const word = wordOf(text, name, value);
  if (word !== undefined) return word;
  if (typeof value === 'number') {
    if (name.endsWith('Minor')) return <Money minor={value} currency={currency} />;
    return name.endsWith('Sats') ? formats.sats(value) : formats.number(value);
  }
  if (typeof value === 'string') {
    if (name.endsWith('At')) return <Time at={value} />;
    return name === 'message' || name === 'currency' ? value : <code>{value}</code>;
  }
  if (Array.isArray(value)) return value.map(each => <code key={String(each)}>{String(each)}</code>);
  return <Composed value={value as Recorded} />;
}

/** An amount with its currency, or a card. */
function Composed({ value: { amountMinor, currency, scheme, lastFour } }: { readonly value: Recorded }): ReactNode {
  if (typeof amountMinor === 'number') return <Money minor={amountMinor} currency={String(currency)} />;
  return [scheme, lastFour].filter(part => typeof part === 'string').join(' \u2022\u2022\u2022\u2022\u00a0');
}
