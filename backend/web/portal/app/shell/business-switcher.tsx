import { Icon, Mark } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { useBusiness, useMe } from '../session/session.ts';
import { useRoleNames } from '../words/roles.ts';
import { useWords } from '../words/words.ts';
import { PageLink } from './page-link.tsx';

/** The business on screen, and the user's others. */
export function BusinessSwitcher({ onChoose }: { readonly onChoose?: () => void }) {
  const words = useWords();
  const { businesses } = useMe();
  const current = useBusiness();
  const roleNameOf = useRoleNames();
  const shown = (
    <>
      <Mark />
      <span className="switcher-words">
        <strong>{current.name}</strong>
        <small>{roleNameOf(current.role)}</small>
      </span>
    </>
  );
  if (businesses.length < 2) return <div className="switcher">{shown}</div>;
  return (
    <Menu
      label={words.business.switch}
      className="switcher-menu"
      button={
        <span className="switcher">
          {shown}
          <Icon name="down" />
        </span>
      }
    >
      {close => (
        <ul className="choices" aria-label={words.business.switch}>
          {businesses.map(({ id, name, role }) => (
            <li key={id}>
              <PageLink
                path={`/${id}`}
                className="choice"
                onClick={() => {
                  close();
                  onChoose?.();
                }}
              >
                <span className="switcher-words">
                  <strong>{name}</strong>
                  <small>{roleNameOf(role)}</small>
                </span>
                {id === current.id ? <Icon name="check" /> : null}
              </PageLink>
            </li>
          ))}
        </ul>
      )}
    </Menu>
  );
}
