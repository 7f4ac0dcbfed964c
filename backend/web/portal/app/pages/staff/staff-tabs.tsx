import { Tabs } from '../../components/page.tsx';

/** The pages about staff. */
export function StaffTabs() {
  return <Tabs area="staff" pages={['staff', 'staff/refund-log', 'staff/void-log', 'staff/exceptions']} />;
}
