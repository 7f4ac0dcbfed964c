import { type ReactNode, useEffect, useRef } from 'react';
import { useBusinessIfAny, useMaySee } from '../session/session.ts';
import { PageLink } from '../shell/page-link.tsx';
import { tabs } from '../tabs.ts';
import { useWords } from '../words/words.ts';
import { Icon } from './icon.tsx';

/** Names the browser's tab. */
export function useTitle(title: string): void {
  const business = useBusinessIfAny();
  useEffect(() => {
    document.title = [title, business?.name, 'Florin'].filter(part => part !== undefined && part !== '').join(' · ');
  }, [title, business?.name]);
}

type HeadProps = {
  readonly title: string;
  /** Beside the title: its state. */
  readonly state?: ReactNode;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  /** Where it belongs: shown above the title. */
  readonly up?: { readonly page: string; readonly name: string };
};

/** The head of a page: its title, and what can be done there. */
export function PageHead({ title, state, about, actions, up }: HeadProps) {
  useTitle(title);
  return (
    <header className="page-head">
      <div className="page-title">
        {up === undefined ? null : (
          <PageLink to={up.page} className="up">
            <Icon name="back" />
            <span>{up.name}</span>
          </PageLink>
        )}
        <div className="page-title-line">
          <h1 tabIndex={-1}>{title}</h1>
          {state}
        </div>
        {about === undefined ? null : <p className="muted">{about}</p>}
      </div>
      {actions === undefined ? null : <div className="page-actions">{actions}</div>}
    </header>
  );
}

type CardProps = {
  readonly title?: string;
  readonly end?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
};

/** A part of a page. */
export function Card({ title, end, children, className = '' }: CardProps) {
  return (
    <section className={`card ${className}`}>
      {title === undefined ? null : (
        <header className="card-head">
          <h2>{title}</h2>
          {end}
        </header>
      )}
      {children}
    </section>
  );
}

type TabsProps = {
  readonly area: keyof typeof tabs;
  /** At the end of the row. */
  readonly end?: ReactNode;
};

/** The pages of an area that the user may see. */
export function Tabs({ area, end }: TabsProps) {
  const words = useWords();
  const maySee = useMaySee();
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    // Where there is little room, the row is scrolled to the page on screen.
    const current = row.current?.querySelector('[aria-current]');
    current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, []);
  return (
    <nav className="tabs" ref={row} aria-label={words.nav[area]}>
      {tabs[area].filter(maySee).map(page => (
        <PageLink key={page} to={page} isExact>
          {words.pages[page]}
        </PageLink>
      ))}
      {end === undefined ? null : <span className="tabs-end">{end}</span>}
    </nav>
  );
}
