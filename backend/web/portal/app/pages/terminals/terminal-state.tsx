import type { BodyFor } from '../../api/call.ts';
import { Status } from '../../components/notice.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { terminalsTexts } from './texts.ts';

export type Terminal = BodyFor<'listDevices'>['items'][number];

/** Whether a terminal can take a sale, and what to check if it cannot. */
export function TerminalState({ terminal }: { readonly terminal: Terminal }) {
  const text = useTexts(terminalsTexts);
  const { whyNot } = terminal;
  if (whyNot === null) return <Status tone="done">{text.ready}</Status>;
  if (whyNot === 'terminal_busy') return <Status tone="doing">{text.inUse}</Status>;
  return (
    <span title={text.check[whyNot]}>
      <Status tone={whyNot === 'not_enrolled' ? 'act' : 'attention'}>{text.why[whyNot]}</Status>
    </span>
  );
}

/** The service refuses what staff do at a terminal whose clock differs by more. */
const clockIsWrongFromMs = 120_000;
/** Fewer are on their way while a terminal sells. */
const manyReports = 5;

/** What a person should look after at a terminal, whether or not it can take a sale. */
export function TerminalNotes({ terminal }: { readonly terminal: Terminal }) {
  const text = useTexts(terminalsTexts);
  const { number } = useFormats();
  const { whyNot, reader, health } = terminal;
  const stop = (whyNot === null ? undefined : text.check[whyNot]) || reader?.attention;
  const notes = stop ? [stop] : [];
  if (health) {
    const { printer, configuration, clockAheadMs, waitingReports, problems } = health;
    if (printer in text.health.printer) notes.push(text.health.printer[printer as keyof typeof text.health.printer]);
    if (Math.abs(clockAheadMs ?? 0) >= clockIsWrongFromMs) notes.push(text.health.clock);
    notes.push(...problems.map(problem => text.health.problems[problem]));
    if (waitingReports >= manyReports) notes.push(text.health.waiting(number(waitingReports)));
    if (configuration === 'outdated') notes.push(text.health.outdated);
  }
  return <span className="muted">{notes.join(' ')}</span>;
}
