import { useRead } from '../api/use-read.ts';
import { useFormats } from '../words/formats.ts';
import { texts, useTexts } from '../words/texts.ts';
import { Button } from './button.tsx';
import { Loaded, SkeletonLines } from './loaded.tsx';
import { Notice } from './notice.tsx';
import { CopyButton } from './values.tsx';

const chainTexts = texts({
  en: {
    intact: (length: string) => `Nothing was changed in the log: ${length} entries, each linked to the one before`,
    checked: (time: string) =>
      `Checked at ${time}. Note the last hash elsewhere: it proves later that nothing before it was changed.`,
    head: 'Copy the last hash',
    broken: 'The log was changed outside the service',
    at: (sequence: number) => `Entry ${sequence}:`,
    brokenWhy: 'Keep a copy of the database as it is, and find out who had access to it.',
    checking: 'The log is being checked',
    unchecked: 'The log could not be checked',
    again: 'Check again',
  },
  de: {
    intact: length => `Am Protokoll wurde nichts geändert: ${length} Einträge, lückenlos verkettet`,
    checked: time =>
      `Geprüft um ${time}. Notieren Sie den letzten Hash anderswo: Er beweist später, dass vor ihm nichts geändert wurde.`,
    head: 'Letzten Hash kopieren',
    broken: 'Das Protokoll wurde außerhalb des Dienstes geändert',
    at: sequence => `Eintrag ${sequence}:`,
    brokenWhy: 'Bewahren Sie eine Kopie der Datenbank auf, wie sie ist, und klären Sie, wer Zugriff hatte.',
    checking: 'Das Protokoll wird geprüft',
    unchecked: 'Das Protokoll konnte nicht geprüft werden',
    again: 'Erneut prüfen',
  },
});

/** Whether the log that proves what was done is as it was written. */
export function ChainCheck() {
  const text = useTexts(chainTexts);
  const formats = useFormats();
  const read = useRead('verifyAudit', {}, { refetchMs: body => (body?.result === 'checking' ? 3_000 : false) });
  const again = <Button onClick={() => void read.refetch()}>{text.again}</Button>;
  if (read.data === undefined && read.isError)
    return (
      <div className="chain-check">
        <Notice tone="attention" title={text.unchecked} action={again} />
      </div>
    );
  return (
    <div className="chain-check">
      <Loaded read={read} skeleton={<SkeletonLines lines={2} />}>
        {({ result, length, head, problem, checkedAt }) => {
          if (result === 'checking') return <Notice tone="doing" title={text.checking} />;
          if (result === 'broken')
            return (
              <Notice tone="refused" title={text.broken} action={again}>
                {problem === null ? null : (
                  <p>
                    {problem.sequence === null ? null : text.at(problem.sequence)} {problem.message}
                  </p>
                )}
                <p>{text.brokenWhy}</p>
              </Notice>
            );
          return (
            <Notice
              tone="done"
              title={text.intact(formats.number(length ?? 0))}
              action={head === null ? again : <CopyButton text={head} label={text.head} />}
            >
              {checkedAt === null ? null : text.checked(formats.time(checkedAt))}
            </Notice>
          );
        }}
      </Loaded>
    </div>
  );
}
