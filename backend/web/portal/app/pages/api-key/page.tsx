import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../api/use-read.ts';
import { Button } from '../../components/button.tsx';
import { Loaded, SkeletonLines } from '../../components/loaded.tsx';
import { Card, PageHead } from '../../components/page.tsx';
import { GrantedPermissions } from '../../components/permission-fields.tsx';
import { Fact, Facts, Time } from '../../components/values.tsx';
import { PageLink } from '../../shell/page-link.tsx';
import { useTexts } from '../../words/texts.ts';
import { type ApiKey, KeyState } from '../api-keys/key-state.tsx';
import { RevokeKey, useMayRevoke } from '../api-keys/revoke-key.tsx';
import { apiKeysTexts } from '../api-keys/texts.ts';

/** One API key: what it may do. */
export function Page() {
  const { id } = useParams({ strict: false }) as { readonly id: string };
  const read = useRead('getApiKey', { params: { id } });
  return (
    <Loaded read={read} skeleton={<SkeletonLines lines={12} />}>
      {apiKey => <Key apiKey={apiKey} />}
    </Loaded>
  );
}

function Key({ apiKey }: { readonly apiKey: ApiKey }) {
  const text = useTexts(apiKeysTexts);
  const mayRevoke = useMayRevoke();
  const [isRevoking, setRevoking] = useState(false);
  const revoke = (
    <Button kind="danger" icon="trash" onClick={() => setRevoking(true)}>
      {text.revoke}
    </Button>
  );
  return (
    <>
      <PageHead
        up={{ page: 'dev/keys', name: text.up }}
        title={apiKey.name}
        state={<KeyState apiKey={apiKey} />}
        about={apiKey.status === 'active' && !mayRevoke(apiKey) ? text.revokedByOthers : undefined}
        actions={mayRevoke(apiKey) ? revoke : undefined}
      />
      <div className="columns">
        <Card title={text.permissions}>
          <GrantedPermissions permissions={apiKey.permissions} />
        </Card>
        <KeyFacts apiKey={apiKey} />
      </div>
      {isRevoking ? <RevokeKey apiKey={apiKey} onClose={() => setRevoking(false)} /> : null}
    </>
  );
}

function KeyFacts({ apiKey }: { readonly apiKey: ApiKey }) {
  const text = useTexts(apiKeysTexts);
  const { lastFour, preset, lastUsedAt, expiresAt, createdAt, revokedAt, id } = apiKey;
  return (
    <Card
      title={text.facts}
      end={
        <PageLink to="dev/requests" search={{ apiKeyId: id }}>
          {text.requests}
        </PageLink>
      }
    >
      <Facts>
        <Fact name={text.key}>
          <code>…{lastFour}</code>
        </Fact>
        <Fact name={text.form.purpose}>{text.presets[preset]}</Fact>
        <Fact name={text.used}>{lastUsedAt === null ? text.never : <Time at={lastUsedAt} />}</Fact>
        <Fact name={text.expires}>{expiresAt === null ? text.noExpiry : <Time at={expiresAt} />}</Fact>
        <Fact name={text.created}>
          <Time at={createdAt} />
        </Fact>
        {revokedAt === null ? null : (
          <Fact name={text.statuses.revoked}>
            <Time at={revokedAt} />
          </Fact>
        )}
        <Fact name={text.id}>
          <code>{id}</code>
        </Fact>
      </Facts>
    </Card>
  );
}
