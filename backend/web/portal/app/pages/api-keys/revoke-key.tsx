import { useCall } from '../../api/use-read.ts';
import { Confirm } from '../../components/confirm.tsx';
import { clock } from '../../platform/time.ts';
import { useMay } from '../../session/session.ts';
import { toast } from '../../shell/toasts.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import type { ApiKey } from './key-state.tsx';
import { apiKeysTexts } from './texts.ts';

/** Whether the user may revoke a key: nobody takes away permissions that they do not hold. */
export function useMayRevoke(): (key: ApiKey) => boolean {
  const may = useMay();
  return ({ status, permissions }) => status === 'active' && may('api-keys:write') && permissions.every(may);
}

/** Asks before a key is revoked, and says when it was last used. */
export function RevokeKey({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const text = useTexts(apiKeysTexts);
  const formats = useFormats();
  const call = useCall();
  const { id, name, lastUsedAt } = apiKey;
  return (
    <Confirm
      title={text.revokeTitle(name)}
      action={text.revokeNow}
      refusals={{ beyond_own_permissions: text.beyond_own_permissions }}
      send={() => call('revokeApiKey', { params: { id } })}
      onDone={() => toast(text.revoked(name))}
      onClose={onClose}
    >
      {text.revokeWhy(lastUsedAt === null ? undefined : formats.ago(lastUsedAt, clock.now()))}
    </Confirm>
  );
}
