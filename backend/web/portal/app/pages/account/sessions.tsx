import { useState } from 'react';
import type { BodyFor } from '../../api/call.ts';
import { useOwnCall, useSessions } from '../../api/use-own.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Icon } from '../../components/icon.tsx';
import { Loaded, SkeletonLines } from '../../components/loaded.tsx';
import { Status } from '../../components/notice.tsx';
import { Card } from '../../components/page.tsx';
import { clock } from '../../platform/time.ts';
import { toast } from '../../shell/toasts.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { accountTexts } from './texts.ts';

type Session = BodyFor<'listSessions'>['items'][number];

/** The browsers that the user is signed in with; each of the others can be signed out. */
export function Sessions() {
  const { sessions: text } = useTexts(accountTexts);
  const read = useSessions();
  const others = (read.data?.items ?? []).filter(({ isCurrent }) => !isCurrent);
  return (
    <Card title={text.title} end={others.length > 1 ? <EndOthers others={others} /> : undefined}>
      <Loaded read={read} skeleton={<SkeletonLines lines={3} />}>
        {({ items }) => (
          <ul>
            {items.map(session => (
              <OneSession key={session.id} session={session} />
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}

function OneSession({ session }: { readonly session: Session }) {
  const { sessions: text } = useTexts(accountTexts);
  const formats = useFormats();
  const call = useOwnCall();
  const [isEnding, setEnding] = useState(false);
  const { id, browser, address, isCurrent, isShared, lastSeenAt } = session;
  const facts = text.facts(address, formats.ago(lastSeenAt, clock.now()));
  return (
    <li className="setting">
      <Icon name="screen" />
      <div>
        <p className="strong">{browser}</p>
        <p className="muted">{isShared ? `${facts} · ${text.shared}` : facts}</p>
      </div>
      {isCurrent ? (
        <Status tone="done">{text.current}</Status>
      ) : (
        <Button aria-label={text.endOf(browser)} onClick={() => setEnding(true)}>
          {text.end}
        </Button>
      )}
      {isEnding ? (
        <Confirm
          title={text.endTitle(browser)}
          action={text.end}
          send={() => call('endSession', { params: { id } })}
          onDone={() => toast(text.ended(browser))}
          onClose={() => setEnding(false)}
        >
          {facts}. {text.endWhy}
        </Confirm>
      ) : null}
    </li>
  );
}

function EndOthers({ others }: { readonly others: readonly Session[] }) {
  const { sessions: text } = useTexts(accountTexts);
  const call = useOwnCall();
  const [isEnding, setEnding] = useState(false);
  const endAll = async () => {
    const answers = await Promise.all(others.map(({ id }) => call('endSession', { params: { id } })));
    // One that ended by itself meanwhile is as good.
    const failed = answers.find(answer => !answer.ok && answer.reason !== 'session_not_found');
    return failed ?? call('listSessions', {});
  };
  return (
    <>
      <Button onClick={() => setEnding(true)}>{text.endOthers}</Button>
      {isEnding ? (
        <Confirm<unknown>
          title={text.endOthersTitle}
          action={text.endOthers}
          send={endAll}
          onDone={() => toast(text.endedOthers)}
          onClose={() => setEnding(false)}
        >
          {text.endWhy}
        </Confirm>
      ) : null}
    </>
  );
}
