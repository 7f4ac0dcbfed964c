import type { BodyFor } from '../../api/call.ts';
import { Status } from '../../components/notice.tsx';
import { clock } from '../../platform/time.ts';
import { useTexts } from '../../words/texts.ts';
import { apiKeysTexts } from './texts.ts';

export type ApiKey = BodyFor<'getApiKey'>;

const dayMs = 86_400_000;
/** Early enough to replace the key without haste. */
const warnedDays = 7;

/** Whether a key works, and that it will soon stop. */
export function KeyState({ apiKey: { status, expiresAt } }: { readonly apiKey: ApiKey }) {
  const text = useTexts(apiKeysTexts);
  if (status !== 'active') return <Status tone="ended">{text.statuses[status]}</Status>;
  const daysLeft = expiresAt === null ? undefined : Math.ceil((Date.parse(expiresAt) - clock.now()) / dayMs);
  if (daysLeft !== undefined && daysLeft <= warnedDays)
    return <Status tone="attention">{text.expiresIn(daysLeft)}</Status>;
  return <Status tone="done">{text.statuses.active}</Status>;
}
