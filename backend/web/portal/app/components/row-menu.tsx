import { Icon, type IconName } from './icon.tsx';
import { Menu } from './menu.tsx';

/** Something that can be done with a row. */
export type RowChoice = readonly [icon: IconName, label: string, act: () => void];

/** What can be done with a row, behind its three dots. */
export function RowMenu({ label, choices }: { readonly label: string; readonly choices: readonly RowChoice[] }) {
  if (choices.length === 0) return null;
  return (
    <Menu
      label={label}
      className="row-menu"
      button={
        <span className="icon-button">
          <Icon name="more" />
        </span>
      }
    >
      {close =>
        choices.map(([icon, name, act]) => (
          <button
            key={name}
            type="button"
            className="choice"
            onClick={() => {
              close();
              act();
            }}
          >
            <Icon name={icon} />
            <span>{name}</span>
          </button>
        ))
      }
    </Menu>
  );
}
