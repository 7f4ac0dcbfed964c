import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

export type Tone = 'doing' | 'act' | 'done' | 'attention' | 'refused' | 'ended' | 'returned';

const icons: Readonly<Record<Tone, IconName>> = {
  doing: 'clock',
  act: 'info',
  done: 'check',
  attention: 'problems',
  refused: 'cross',
  ended: 'ended',
  returned: 'returned',
};

/** A state: a colour with one meaning, its icon and its word. */
export function Status({
  tone,
  icon,
  children,
}: {
  readonly tone: Tone;
  readonly icon?: IconName;
  readonly children: ReactNode;
}) {
  return (
    <span className={`status tone-${tone}`}>
      <Icon name={icon ?? icons[tone]} />
      <span>{children}</span>
    </span>
  );
}

type NoticeProps = {
  readonly tone: Tone;
  readonly title?: ReactNode;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  /** `alert` is read out at once. */
  readonly role?: 'alert' | 'status';
};

/** Something to know about what is on the page. */
export function Notice({ tone, title, children, action, role }: NoticeProps) {
  return (
    <div className={`notice tone-${tone}`} role={role}>
      <Icon name={icons[tone]} />
      <div className="notice-words">
        {title === undefined ? null : <p className="notice-title">{title}</p>}
        {children === undefined ? null : <div>{children}</div>}
      </div>
      {action}
    </div>
  );
}
