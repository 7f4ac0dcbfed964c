import { StaffLog } from './staff-log.tsx';

/** The log of refunds at terminals. */
export function Page() {
  return <StaffLog log="refunds" />;
}
