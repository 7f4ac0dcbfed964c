import { useState } from 'react';
import { useCall } from '../../api/use-read.ts';
import { Confirm } from '../../components/confirm.tsx';
import { type RowChoice, RowMenu } from '../../components/row-menu.tsx';
import { complain, toast } from '../../shell/toasts.tsx';
import { useTexts } from '../../words/texts.ts';
import { DiagnosticsDrawer } from './diagnostics-drawer.tsx';
import { CodeDrawer, type Enrolment } from './enrol.tsx';
import type { Terminal } from './terminal-state.tsx';
import { terminalsTexts } from './texts.ts';

/** What can be done with a terminal. */
export function TerminalActions({ terminal }: { readonly terminal: Terminal }) {
  const text = useTexts(terminalsTexts);
  const call = useCall();
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [isRemoving, setRemoving] = useState(false);
  const [showsDiagnostics, setShowsDiagnostics] = useState(false);
  const { id, name, mode } = terminal;
  const renew = async () => {
    const answer = await call('renewEnrolmentCode', { params: { id } });
    if (answer.ok) setEnrolment({ terminal, code: answer.body.code, expiresAt: answer.body.expiresAt });
    else complain(answer.message);
  };
  const switchTo = async (to: Terminal['mode'], isUndo = false) => {
    const answer = await call('updateDevice', { params: { id }, body: { mode: to } });
    if (!answer.ok) complain(answer.message);
    else if (!isUndo) toast(text.switched(name, text.modes[to]), () => void switchTo(mode, true));
  };
  const choices: readonly RowChoice[] = [
    ['lock', text.newCode, () => void renew()],
    mode === 'staff'
      ? ['user', text.toKiosk, () => void switchTo('kiosk')]
      : ['staff', text.toStaff, () => void switchTo('staff')],
    ['info', text.diagnostics.open, () => setShowsDiagnostics(true)],
    ['trash', text.remove, () => setRemoving(true)],
  ];
  return (
    <>
      <RowMenu label={text.menu(name)} choices={choices} />
      {enrolment === undefined ? null : <CodeDrawer enrolment={enrolment} onClose={() => setEnrolment(undefined)} />}
      {showsDiagnostics ? <DiagnosticsDrawer terminal={terminal} onClose={() => setShowsDiagnostics(false)} /> : null}
      {isRemoving ? <RemoveTerminal terminal={terminal} onClose={() => setRemoving(false)} /> : null}
    </>
  );
}

function RemoveTerminal({ terminal, onClose }: { readonly terminal: Terminal; readonly onClose: () => void }) {
  const text = useTexts(terminalsTexts);
  const call = useCall();
  return (
    <Confirm
      title={text.removeTitle(terminal.name)}
      action={text.removeNow}
      send={() => call('removeDevice', { params: { id: terminal.id } })}
      onDone={() => toast(text.removed(terminal.name))}
      onClose={onClose}
    >
      {text.removeWhy}
    </Confirm>
  );
}
