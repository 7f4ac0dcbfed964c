import { StaffLog } from './staff-log.tsx';

/** The log of voids at terminals. */
export function Page() {
  return <StaffLog log="voids" />;
}
