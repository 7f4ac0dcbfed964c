import type { ReactNode } from 'react';
import { Mark } from '../components/icon.tsx';
import { UserMenu } from './user-menu.tsx';

/** The frame around what a signed-in user sees without a business. */
export function PlainFrame({ children }: { readonly children: ReactNode }) {
  return (
    <div className="plain">
      <header className="plain-head">
        <Mark />
        <UserMenu />
      </header>
      <main className="page">{children}</main>
    </div>
  );
}
