import type { AuditEntryRecord } from '@florin/shared/contracts/api-v1/audit.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Fact, Facts, Time } from '../../components/values.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { auditTexts } from './texts.ts';

/** Everything that an entry says, with the hashes that tie it to the one before. */
export function EntryDrawer({ entry, onClose }: { readonly entry: AuditEntryRecord; readonly onClose: () => void }) {
  const text = useTexts(auditTexts);
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
            <code>{status}</code>
          </Fact>
        )}
        {reason === null ? null : (
          <Fact name={text.reason}>
            <code>{reason}</code>
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
      <section className="stack-tight">
        <h3>{text.details}</h3>
        <pre className="code">{JSON.stringify(details, undefined, 2)}</pre>
      </section>
    </Dialog>
  );
}
