import type { StaffExceptionRecord } from '@florin/shared/contracts/api-v1/staff-logs.ts';
import { texts } from '../../words/texts.ts';

type Counts = Omit<StaffExceptionRecord, 'exceptions'>;
type Kinds = Record<StaffExceptionRecord['exceptions'][number], (counts: Counts) => string>;

const timesEn = (count: number) => (count === 1 ? 'once' : `${count} times`);

const en = {
  title: 'Exceptions',
  about: 'What stands out in refunds and voids at terminals: a reason to look, not a verdict.',
  period: 'Period',
  lastDays: (days: string) => `Last ${days} days`,
  staff: 'Staff',
  exceptions: 'What stands out',
  none: 'Nothing',
  refunded: 'Refunded',
  made: 'Refunds and voids',
  counts: (refunds: number, voids: number) =>
    `${refunds} ${refunds === 1 ? 'refund' : 'refunds'}, ${voids} ${voids === 1 ? 'void' : 'voids'}`,
  empty: 'Nobody refunded or voided in this period',
  emptyWhy: 'Everyone who confirms a refund or a void at a terminal appears here.',
  kinds: {
    locked_out: ({ lockedOutCount: times }) => `Tried ${timesEn(times)} while locked out`,
    wrong_passwords: ({ wrongPasswordCount }) => `${wrongPasswordCount} wrong passwords`,
    without_permission: ({ withoutPermissionCount: times }) => `Tried ${timesEn(times)} without permission`,
    over_limit: ({ overLimitCount: times }) => `Tried ${timesEn(times)} above the limit`,
    more_refunds_than_others: () => 'Far more refunds than others',
    more_voids_than_others: () => 'Far more voids than others',
  } as Kinds,
};

const de: typeof en = {
  title: 'Auffälliges',
  about: 'Was bei Erstattungen und Stornos am Terminal auffällt: ein Anlass hinzusehen, kein Urteil.',
  period: 'Zeitraum',
  lastDays: days => `Letzte ${days} Tage`,
  staff: 'Personal',
  exceptions: 'Was auffällt',
  none: 'Nichts',
  refunded: 'Erstattet',
  made: 'Erstattungen und Stornos',
  counts: (refunds, voids) =>
    `${refunds} ${refunds === 1 ? 'Erstattung' : 'Erstattungen'}, ${voids} ${voids === 1 ? 'Storno' : 'Stornos'}`,
  empty: 'In diesem Zeitraum hat niemand erstattet oder storniert',
  emptyWhy: 'Hier erscheinen alle, die eine Erstattung oder ein Storno am Terminal bestätigen.',
  kinds: {
    locked_out: ({ lockedOutCount: times }) => `${times}-mal trotz Sperre versucht`,
    wrong_passwords: ({ wrongPasswordCount }) => `${wrongPasswordCount} falsche Passwörter`,
    without_permission: ({ withoutPermissionCount: times }) => `${times}-mal ohne Berechtigung versucht`,
    over_limit: ({ overLimitCount: times }) => `${times}-mal über der Grenze versucht`,
    more_refunds_than_others: () => 'Weit mehr Erstattungen als andere',
    more_voids_than_others: () => 'Weit mehr Stornos als andere',
  },
};

export const exceptionTexts = texts({ en, de });
