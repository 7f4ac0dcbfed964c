import { Icon } from '../../components/icon.tsx';
import { Tabs } from '../../components/page.tsx';
import { useTexts } from '../../words/texts.ts';
import { developersTexts } from './texts.ts';

/** The pages about software that uses this business, and the way to the reference. */
export function DeveloperTabs() {
  const text = useTexts(developersTexts);
  return (
    <Tabs
      area="developers"
      end={
        <a href="/api/v1/docs" target="_blank" rel="noreferrer" className="with-icon">
          <span>{text.reference}</span>
          <Icon name="external" />
        </a>
      }
    />
  );
}
