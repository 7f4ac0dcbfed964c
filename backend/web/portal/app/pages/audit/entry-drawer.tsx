import type { AuditEntryRecord } from '@florin/shared/contracts/api-v1/audit.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Fact, Facts, Time } from '../../components/values.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { staffLogTexts } from '../staff-logs/texts.ts';
import { auditTexts } from './texts.ts';

/** Everything that an entry says, with the hashes that tie it to the one before. */
export function EntryDrawer({ entry, onClose }: { readonly entry: AuditEntryRecord; readonly onClose: () => void }) {
  const text = useTexts(auditTexts);
  const outcomes = useTexts(staffLogTexts);
  const words = useWords();
  const formats = useFormats();
  const { sequence, kind, actor, sentence, status, reason, details, attemptedAt, recordedAt } = entry;
  return (
    <Dialog shape="drawer" className="wide" title={text.entry(formats.number(sequence))} onClose={onClose}>
      <p className="strong">{sentence}</p>
      <Facts>
        <Fact name={text.kind}>{text.kinds[kind]}</Fact>
        <Fact name={text.who}>
          {[actor.name, text.actors[actor.kind]].filter(part => part !== null).join(' · ')}
          {actor.id === null ? null : (
            <p>
              <code className="small">{actor.id}</code>
            </p>
          )}
        </Fact>
        {status === null ? null : (
          <Fact name={text.status}>
            <Word of={outcomes.statuses} code={status} />
          </Fact>
        )}
        {reason === null ? null : (
          <Fact name={text.reason}>
            <Word of={outcomes.reasons} code={reason} />
          </Fact>
        )}
        <Fact name={text.happened}>
          <Time at={attemptedAt} />
        </Fact>
        <Fact name={text.recorded}>
          <Time at={recordedAt} />
        </Fact>
        <Fact name={text.id}>
          <code>{entry.id}</code>
        </Fact>
        <Fact name={text.previousHash}>
          <code>{entry.previousHash}</code>
        </Fact>
        <Fact name={text.hash}>
          <code>{entry.hash}</code>
        </Fact>
      </Facts>
      <details className="small">
        <summary>{words.actions.details}</summary>
        <pre className="code">{JSON.stringify(details, undefined, 2)}</pre>
      </details>
    </Dialog>
  );
}

/** What a code is called, or the code where it has no words. */
function Word({ of, code }: { readonly of: Readonly<Record<string, string>>; readonly code: string }) {
  const known = Object.hasOwn(of, code) ? of[code] : undefined;
  return known ?? <code>{code}</code>;
}
