import { Tabs } from '../../components/page.tsx';

/** The pages about money that arrives. */
export function SettlementTabs() {
  return <Tabs area="settlements" pages={['settlements', 'settlements/statements', 'settlements/discrepancies']} />;
}
