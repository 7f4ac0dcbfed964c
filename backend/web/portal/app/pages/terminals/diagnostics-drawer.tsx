import { CallProblem } from '../../api/problem.ts';
import { useRead } from '../../api/use-read.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Loaded, SkeletonLines } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { CopyButton, Fact, Facts, Time } from '../../components/values.tsx';
import { useTexts } from '../../words/texts.ts';
import type { Terminal } from './terminal-state.tsx';
import { terminalsTexts } from './texts.ts';

type DrawerProps = { readonly terminal: Terminal; readonly onClose: () => void };

/** The end of a terminal's log, as it sent it when somebody last opened its status page. */
export function DiagnosticsDrawer({ terminal, onClose }: DrawerProps) {
  const text = useTexts(terminalsTexts).diagnostics;
  const read = useRead('getDeviceDiagnostics', { params: { id: terminal.id } }, { refetchMs: 5_000 });
  const { error } = read;
  const isMissing = error instanceof CallProblem && error.answer.reason === 'diagnostics_not_received';
  return (
    <Dialog shape="drawer" className="wide" title={text.title(terminal.name)} onClose={onClose}>
      {isMissing ? (
        <Notice tone="doing" title={text.missing}>
          {text.how}
        </Notice>
      ) : (
        <Loaded read={read} skeleton={<SkeletonLines lines={8} />}>
          {({ launchCode, receivedAt, appVersion, platform, log }) => (
            <>
              <Facts>
                <Fact name={text.code}>
                  <code>{launchCode}</code>
                </Fact>
                <Fact name={text.received}>
                  <Time at={receivedAt} />
                </Fact>
                <Fact name={text.program}>
                  {appVersion}
                  <p className="muted small">{platform}</p>
                </Fact>
              </Facts>
              <h3>{text.log}</h3>
              <p className="muted small">{text.logWhy}</p>
              <CopyButton text={log.join('\n')} label={text.copy} />
              <pre className="code">{log.join('\n')}</pre>
              <p className="muted small">{text.how}</p>
            </>
          )}
        </Loaded>
      )}
    </Dialog>
  );
}
