import { type ErrorComponentProps, Navigate, useRouterState } from '@tanstack/react-router';
import { Button } from '../components/button.tsx';
import { Blank, ToOverview } from '../components/loaded.tsx';
import { useTitle } from '../components/page.tsx';
import { useBusinessIfAny } from '../session/session.ts';
import { useWords } from '../words/words.ts';
import { useAreas } from './areas.ts';

/** A page that has a fault. A new release may have replaced the files of the old one. */
export function PageFailed({ error }: ErrorComponentProps) {
  const words = useWords();
  return (
    <Blank icon="problems" title={words.states.broken}>
      <p>{words.states.brokenWhy}</p>
      <Button kind="primary" onClick={() => location.reload()}>
        {words.states.reload}
      </Button>
      <p className="muted small">
        <code>{error instanceof Error ? error.message : String(error)}</code>
      </p>
    </Blank>
  );
}

/** An address that no page has; that of an area, such as `settings`, leads to the first of its pages that the user may see. */
export function PageNotFound() {
  const words = useWords();
  const path = useRouterState({ select: state => state.location.pathname });
  const id = useBusinessIfAny()?.id ?? '';
  const [, area = ''] = path.split(`/${id}/`);
  const first = useAreas().find(({ page }) => area !== '' && page.startsWith(`${area.replace(/\/$/, '')}/`));
  useTitle(words.states.notFound);
  if (first !== undefined) return <Navigate to={`/${id}/${first.page}`} replace />;
  return (
    <Blank icon="search" title={words.states.notFound}>
      <p>
        <code>{path}</code>
      </p>
      <ToOverview />
    </Blank>
  );
}
