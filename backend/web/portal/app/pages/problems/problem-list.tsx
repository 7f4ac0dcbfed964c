import type { ProblemRecord } from '@florin/shared/contracts/api-v1/problems.ts';
import { Status } from '../../components/notice.tsx';
import { clock } from '../../platform/time.ts';
import { useMaySee } from '../../session/session.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { ProblemAction } from './problem-action.tsx';
import { problemsTexts } from './texts.ts';

/** Problems with what they mean, and the button that helps. */
export function ProblemList({ problems }: { readonly problems: readonly ProblemRecord[] }) {
  return (
    <ul className="problems">
      {problems.map(problem => (
        <Problem key={problem.id} problem={problem} />
      ))}
    </ul>
  );
}

function Problem({ problem }: { readonly problem: ProblemRecord }) {
  const text = useTexts(problemsTexts);
  const formats = useFormats();
  const { kind, severity, title, message, since, subject } = problem;
  return (
    <li className="problem">
      <div className="problem-words">
        <p className="problem-head">
          {severity === 'act' ? (
            <Status tone="attention">{text.toDo}</Status>
          ) : (
            <Status tone="doing">{text.watched}</Status>
          )}
          {since === null ? null : (
            <time className="small muted" dateTime={since} title={formats.exact(since)}>
              {text.since(isToday(since, formats.dayOf) ? formats.time(since) : formats.dateTime(since))}
            </time>
          )}
        </p>
        <p className="strong">{title}</p>
        <p className="muted">{message}</p>
        {kind === 'staff_locked' && subject.id !== null ? <FailedChecks staffId={subject.id} /> : null}
      </div>
      <ProblemAction problem={problem} />
    </li>
  );
}

const logs = ['staff/refund-log', 'staff/void-log'] as const;

/** The ways to the password checks that somebody failed, in the log of refunds and in that of voids. */
function FailedChecks({ staffId }: { readonly staffId: string }) {
  const { pages: names } = useWords();
  const maySee = useMaySee();
  return (
    <p className="small results">
      {logs.filter(maySee).map(log => (
        <PageLink key={log} to={log} search={{ staffId, status: 'failed' }}>
          {names[log]}
        </PageLink>
      ))}
    </p>
  );
}

function isToday(at: string, dayOf: (at: string | number) => string): boolean {
  return dayOf(at) === dayOf(clock.now());
}
