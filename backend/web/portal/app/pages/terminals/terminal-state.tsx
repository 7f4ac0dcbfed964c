import type { BodyFor } from '../../api/call.ts';
import { Status } from '../../components/notice.tsx';
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
