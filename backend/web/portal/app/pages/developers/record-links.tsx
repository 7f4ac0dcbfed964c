import { useMaySee } from '../../session/session.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { useTexts } from '../../words/texts.ts';
import { developersTexts } from './texts.ts';

const pages = {
  pay: 'payments',
  pl: 'links',
  chk: 'checkouts',
  tip: 'tips',
  wh: 'dev/webhooks',
  key: 'dev/keys',
} as const;

const recordIds = /\b(?:pay|pl|chk|tip|wh|key)_[0-9a-f]{32}\b/g;

/** The ways to the records that a path or a body names, where the user may see them. */
export function RecordLinks({ text }: { readonly text: string }) {
  const { records } = useTexts(developersTexts);
  const maySee = useMaySee();
  const found = [...new Set(text.match(recordIds))].map(id => {
    const kind = id.slice(0, id.indexOf('_')) as keyof typeof pages;
    return { kind, page: `${pages[kind]}/${id}` };
  });
  const shown = found.filter(({ page }) => maySee(page));
  if (shown.length === 0) return null;
  return (
    <div className="row-actions start">
      {shown.map(({ kind, page }) => (
        <PageLink key={page} to={page} className="button button-quiet">
          {records[kind]}
        </PageLink>
      ))}
    </div>
  );
}
