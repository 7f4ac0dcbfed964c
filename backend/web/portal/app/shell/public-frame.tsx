import type { ReactNode } from 'react';
import { Mark } from '../components/icon.tsx';
import { useTitle } from '../components/page.tsx';
import { useWords } from '../words/words.ts';
import { LanguageChoice } from './user-menu.tsx';

/** The frame around pages for whoever is not signed in. */
export function PublicFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const words = useWords();
  useTitle(title);
  return (
    <div className="sign-in">
      <header className="sign-in-brand">
        <Mark />
        <p>{words.product}</p>
      </header>
      <main className="card sign-in-card">
        <h1>{title}</h1>
        {children}
      </main>
      <footer>
        <LanguageChoice />
      </footer>
    </div>
  );
}
