import { Tabs } from '../../components/page.tsx';

/** The pages about what customers open to pay. */
export function LinkTabs() {
  return <Tabs area="links" pages={['links', 'checkouts', 'tips', 'returns']} />;
}
