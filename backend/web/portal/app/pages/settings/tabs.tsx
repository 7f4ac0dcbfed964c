import { Tabs } from '../../components/page.tsx';

/** The pages of the business's settings. */
export function SettingsTabs() {
  return (
    <Tabs
      area="settings"
      pages={[
        'settings/business',
        'settings/methods',
        'settings/bitcoin',
        'settings/withdrawals',
        'settings/team',
        'settings/roles',
        'settings/notifications',
        'settings/audit',
      ]}
    />
  );
}
