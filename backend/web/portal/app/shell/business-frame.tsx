import { Outlet, useLocation, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { LiveContext, useLivePayments } from '../api/live.ts';
import { Icon } from '../components/icon.tsx';
import { Blank, Forbidden } from '../components/loaded.tsx';
import { useTitle } from '../components/page.tsx';
import { maySee, type PageEntry, pageAt } from '../pages.ts';
import { keepChoice, readChoice, useIsNarrow, useIsOnline } from '../platform/browser.ts';
import { timers } from '../platform/time.ts';
import { BusinessContext, MaySeeContext, type Membership, useMe } from '../session/session.ts';
import { useWords } from '../words/words.ts';
import { BottomBar, SideBar, TopBar } from './navigation.tsx';
import { PageLink } from './page-link.tsx';
import { PlainFrame } from './plain-frame.tsx';
import { type Overlay, useShortcuts } from './shortcuts.ts';

const lastBusiness = 'business';

const loadPalette = () => import('./palette.tsx').then(({ Palette }) => ({ default: Palette }));
const Palette = lazy(loadPalette);
const KeysDialog = lazy(() => import('./keys-dialog.tsx').then(dialog => ({ default: dialog.KeysDialog })));

/** By then the page is on screen, and nobody has pressed the palette's keys yet. */
const loadPaletteAfterMs = 1_000;

/** The business that was used last in this browser, or else the user's first; undefined if they belong to none. */
export function useLastBusiness(): Membership | undefined {
  const { businesses } = useMe();
  const last = readChoice(lastBusiness);
  return businesses.find(({ id }) => id === last) ?? businesses[0];
}

/** The frame around every page of a business: navigation, banners, palette. */
export function BusinessFrame() {
  const { businessId } = useParams({ strict: false }) as { readonly businessId: string };
  const words = useWords();
  const { businesses } = useMe();
  const business = businesses.find(({ id }) => id === businessId);
  useEffect(() => {
    if (business) keepChoice(lastBusiness, business.id);
  }, [business]);
  if (business === undefined)
    return (
      <PlainFrame>
        <Blank icon="shop" title={words.states.noBusiness}>
          <PageLink path="/" className="button button-primary">
            {words.states.overview}
          </PageLink>
        </Blank>
      </PlainFrame>
    );
  return <LiveFrame business={business} />;
}

/** Keeps what is on screen current while the pages of the business are open. */
function LiveFrame({ business }: { readonly business: Membership }) {
  const live = useLivePayments(business.id, maySee(business, 'payments'));
  return (
    <LiveContext value={live}>
      <Frame business={business} />
    </LiveContext>
  );
}

/** The frame around the pages of the user, which belong to no business: that of the business used last. */
export function AccountFrame() {
  const business = useLastBusiness();
  if (business === undefined)
    return (
      <PlainFrame>
        <Outlet />
      </PlainFrame>
    );
  return <Frame business={business} />;
}

/** The business on screen, with what the user may see of it. */
function Frame({ business }: { readonly business: Membership }) {
  return (
    <BusinessContext value={business}>
      <MaySeeContext value={page => maySee(business, page)}>
        <FramedPage business={business} />
      </MaySeeContext>
    </BusinessContext>
  );
}

function FramedPage({ business }: { readonly business: Membership }) {
  const words = useWords();
  const isNarrow = useIsNarrow();
  const isOnline = useIsOnline();
  const [overlay, setOverlay] = useState<Overlay>();
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useShortcuts(setOverlay);
  // Offline it stays unloaded until it is opened.
  useEffect(() => timers.after(loadPaletteAfterMs, () => void loadPalette().catch(() => undefined)), []);
  useFocusOnNewPage(main, pathname);
  // The account has no page of a business, and an address that no page has says so itself.
  const page = pageAt(pathname.split(`/${business.id}`)[1] ?? '/me');
  const isAllowed = page === undefined || maySee(business, page.path);
  const open = (what: Overlay) => () => setOverlay(what);
  return (
    <div className="frame">
      <a className="skip" href="#content">
        {words.skip}
      </a>
      {isNarrow ? <TopBar onFind={open('palette')} /> : <SideBar onFind={open('palette')} onKeys={open('keys')} />}
      <main id="content" ref={main} tabIndex={-1}>
        {isOnline ? null : (
          <p className="banner" role="status">
            <Icon name="problems" />
            <span>{words.states.offline}</span>
          </p>
        )}
        <div className="page">{isAllowed ? <Outlet /> : <ForbiddenPage page={page} />}</div>
      </main>
      {isNarrow ? <BottomBar onKeys={open('keys')} /> : null}
      <Suspense fallback={null}>
        {overlay === 'palette' ? <Palette onClose={() => setOverlay(undefined)} onKeys={open('keys')} /> : null}
        {overlay === 'keys' ? <KeysDialog onClose={() => setOverlay(undefined)} /> : null}
      </Suspense>
    </div>
  );
}

function ForbiddenPage({ page: { anyOf, adminsOnly } }: { readonly page: PageEntry }) {
  useTitle(useWords().states.forbidden);
  return <Forbidden permissions={anyOf} isForAdmins={adminsOnly} />;
}

/** A new page is announced: the focus goes to its heading, as it would with a new document. */
function useFocusOnNewPage(main: { readonly current: HTMLElement | null }, pathname: string): void {
  const seen = useRef(pathname);
  useEffect(() => {
    if (seen.current === pathname) return;
    seen.current = pathname;
    const heading = main.current?.querySelector<HTMLElement>('h1');
    (heading ?? main.current)?.focus({ preventScroll: true });
  }, [main, pathname]);
}
