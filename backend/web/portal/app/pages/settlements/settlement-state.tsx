import type { SettlementRecord } from '@florin/shared/contracts/api-v1/settlements.ts';
import { Status, type Tone } from '../../components/notice.tsx';
import { useTexts } from '../../words/texts.ts';
import { settlementsTexts } from './texts.ts';

const tones: Readonly<Record<SettlementRecord['status'], Tone>> = {
  awaiting: 'doing',
  current: 'act',
  closed: 'done',
};

/** Whether the amount of a settlement can still change. */
export function SettlementState({ status }: Pick<SettlementRecord, 'status'>) {
  const text = useTexts(settlementsTexts);
  return <Status tone={tones[status]}>{text.statuses[status]}</Status>;
}
