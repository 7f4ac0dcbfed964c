import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useProblems } from '../api/use-problems.ts';
import { Dialog } from '../components/dialog.tsx';
import { Icon, Mark } from '../components/icon.tsx';
import type { Area } from '../pages.ts';
import { isApple } from '../platform/browser.ts';
import { useBusiness } from '../session/session.ts';
import { useWords } from '../words/words.ts';
import { useAreas } from './areas.ts';
import { BusinessSwitcher } from './business-switcher.tsx';
import { PageLink } from './page-link.tsx';
import { UserMenu, UserSettings } from './user-menu.tsx';

function AreaLink({ area, onClick }: { readonly area: Area; readonly onClick?: () => void }) {
  const words = useWords();
  const { toDo } = useProblems();
  const { id } = useBusiness();
  const { pathname } = useLocation();
  const current = `${pathname.split(`/${id}/`)[1] ?? ''}/`;
  const isCurrent = area.also?.some(page => current.startsWith(`${page}/`));
  return (
    <PageLink
      to={area.page}
      isExact={area.page === ''}
      isCurrent={isCurrent}
      className="nav-link"
      {...(onClick ? { onClick } : {})}
    >
      <Icon name={area.icon} />
      <span>{words.nav[area.name]}</span>
      {area.isOccasional && toDo > 0 ? <Badge count={toDo} /> : null}
    </PageLink>
  );
}

/** How many things need a person. */
function Badge({ count }: { readonly count: number }) {
  const words = useWords();
  return (
    <span className="badge">
      <span aria-hidden="true">{count}</span>
      <span className="visually-hidden">{words.nav.toDo(count)}</span>
    </span>
  );
}

/** The navigation at the side. */
export function SideBar({ onFind, onKeys }: { readonly onFind: () => void; readonly onKeys: () => void }) {
  const words = useWords();
  const shown = useAreas();
  return (
    <div className="side">
      <div className="side-head">
        <BusinessSwitcher />
        <button type="button" className="find" onClick={onFind}>
          <Icon name="search" />
          <span>{words.actions.find}</span>
          <kbd>{isApple ? '⌘K' : `${words.control} K`}</kbd>
        </button>
      </div>
      <nav aria-label={words.nav.label}>
        <ul>
          {shown.map(area => (
            <li key={area.page}>
              <AreaLink area={area} />
            </li>
          ))}
        </ul>
      </nav>
      <UserMenu onKeys={onKeys} />
    </div>
  );
}

/** The business and the search, at the top of a narrow screen. */
export function TopBar({ onFind }: { readonly onFind: () => void }) {
  const words = useWords();
  const { name } = useBusiness();
  return (
    <header className="top">
      <Mark />
      <p className="top-name">{name}</p>
      <button type="button" className="icon-button" aria-label={words.actions.find} onClick={onFind}>
        <Icon name="search" />
      </button>
    </header>
  );
}

const atTheBottom = 4;

/** The navigation of a narrow screen: the first pages, and a drawer with the rest. */
export function BottomBar({ onKeys }: { readonly onKeys: () => void }) {
  const words = useWords();
  const shown = useAreas();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <nav className="bottom" aria-label={words.nav.label}>
        {shown.slice(0, atTheBottom).map(area => (
          <AreaLink key={area.page} area={area} />
        ))}
        <button type="button" className="nav-link" onClick={() => setOpen(true)}>
          <Icon name="more" />
          <span>{words.nav.more}</span>
        </button>
      </nav>
      {isOpen ? (
        <Dialog title={words.nav.moreLabel} onClose={close} shape="drawer" className="more">
          <BusinessSwitcher onChoose={close} />
          <ul className="more-areas">
            {shown.slice(atTheBottom).map(area => (
              <li key={area.page}>
                <AreaLink area={area} onClick={close} />
              </li>
            ))}
          </ul>
          <UserSettings
            onLeave={close}
            onKeys={() => {
              close();
              onKeys();
            }}
          />
        </Dialog>
      ) : null}
    </>
  );
}
