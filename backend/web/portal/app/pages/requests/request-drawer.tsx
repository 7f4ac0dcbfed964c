import type { ApiRequestRecord } from '@florin/shared/contracts/api-v1/api-requests.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { CopyButton, Fact, Facts } from '../../components/values.tsx';
import { PageLink } from '../../shell/page-link.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { RecordLinks } from '../developers/record-links.tsx';
import { requestsTexts } from './texts.ts';

/** One request: what it was answered, what that means, and what to quote. */
export function RequestDrawer({
  request,
  onClose,
}: {
  readonly request: ApiRequestRecord;
  readonly onClose: () => void;
}) {
  const text = useTexts(requestsTexts);
  const formats = useFormats();
  const { id, createdAt, method, route, path, status, outcome, reason, durationMs, idempotencyKey } = request;
  return (
    <Dialog shape="drawer" className="wide" title={`${status} ${text.outcomes[outcome]}`} onClose={onClose}>
      <pre className="code">
        {method} {path}
      </pre>
      <Answer request={request} />
      {status === 404 ? null : <RecordLinks text={path} />}
      <section className="stack-tight">
        <h3>{text.requestId}</h3>
        <div className="copy-line">
          <code>{id}</code>
          <CopyButton text={id} />
        </div>
      </section>
      <Facts>
        {reason === null ? null : (
          <Fact name={text.code}>
            <code>{reason}</code>
          </Fact>
        )}
        <Fact name={text.operation}>
          <code>
            {method} {route}
          </code>
        </Fact>
        <Fact name={text.key}>
          <PageLink to={`dev/keys/${request.apiKeyId}`}>{request.apiKeyName}</PageLink>
        </Fact>
        <Fact name={text.time}>
          <time dateTime={createdAt}>{formats.exact(createdAt)}</time>
        </Fact>
        <Fact name={text.duration}>{text.ms(formats.number(durationMs))}</Fact>
        {idempotencyKey === null ? null : (
          <Fact name={text.idempotencyKey}>
            <code>{idempotencyKey}</code>
          </Fact>
        )}
      </Facts>
      <p className="small muted">{text.kept}</p>
    </Dialog>
  );
}

function Answer({ request }: { readonly request: ApiRequestRecord }) {
  const text = useTexts(requestsTexts);
  const { outcome, message, issues, isReplay } = request;
  const advice = useAdvice(request);
  if (isReplay)
    return (
      <Notice tone="act" title={text.replayed}>
        {text.replayedWhy}
      </Notice>
    );
  if (outcome === 'ok') return null;
  return (
    <Notice tone={outcome === 'failed' ? 'attention' : 'refused'} title={message}>
      {advice}
      {issues.length < 2 ? null : (
        <ul>
          {issues.map(issue => (
            <li key={`${issue.path} ${issue.message}`}>
              <code>{issue.path}</code> {issue.message}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

/** What to do about a refusal: by its code where the status alone says too little. */
function useAdvice({ outcome, status, reason, issues }: ApiRequestRecord): string {
  const text = useTexts(requestsTexts);
  if (outcome === 'failed') return text.failed;
  // A path that can name no record is refused like one that names none.
  if (status === 404 && issues.length > 0) return text.malformedId;
  return (reason === null ? undefined : text.reasons[reason]) ?? text.meanings[status] ?? text.refused;
}
