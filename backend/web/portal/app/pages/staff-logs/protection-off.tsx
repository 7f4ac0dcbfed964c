import { useRead } from '../../api/use-read.ts';
import { Notice } from '../../components/notice.tsx';
import { useMaySee } from '../../session/session.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { useTexts } from '../../words/texts.ts';
import { staffLogTexts } from './texts.ts';

const settings = 'settings/business';

/** Says to whoever can change it that nothing is logged. */
export function ProtectionOff() {
  const text = useTexts(staffLogTexts);
  const maySee = useMaySee();
  const read = useRead('getBusiness', {}, { enabled: maySee(settings) });
  if (read.data === undefined || read.data.passwordProtectRefundsAndVoids) return null;
  return (
    <Notice
      tone="attention"
      title={text.protectionOff}
      action={
        <PageLink to={settings} className="button button-quiet">
          {text.settings}
        </PageLink>
      }
    >
      {text.protectionOffWhy}
    </Notice>
  );
}
