import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  Outlet,
} from '@tanstack/react-router';
import { SkeletonLines } from './components/loaded.tsx';
import { type PageEntry, pages } from './pages.ts';
import { AccountFrame, BusinessFrame } from './shell/business-frame.tsx';
import { PageFailed, PageNotFound } from './shell/failures.tsx';
import { FirstBusiness } from './shell/first-business.tsx';
import { SignedIn } from './shell/signed-in.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: () => <Navigate to="/" /> });
const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: SignedIn });
const home = createRoute({ getParentRoute: () => signedIn, path: '/', component: FirstBusiness });
const business = createRoute({
  getParentRoute: () => signedIn,
  path: '/$businessId',
  component: BusinessFrame,
  notFoundComponent: PageNotFound,
});

const account = createRoute({ getParentRoute: () => signedIn, id: 'account', component: AccountFrame });

const lazily = { pendingComponent: () => <SkeletonLines lines={8} />, errorComponent: PageFailed };

const me = createRoute({
  ...lazily,
  getParentRoute: () => account,
  path: '/me',
  component: lazyRouteComponent(() => import('./pages/account/page.tsx'), 'Page'),
});
const signIn = createRoute({
  ...lazily,
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./pages/sign-in/page.tsx'), 'Page'),
});
const invitation = createRoute({
  ...lazily,
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./pages/invitation/page.tsx'), 'Page'),
});
const passwordReset = createRoute({
  ...lazily,
  getParentRoute: () => root,
  path: '/password-reset',
  component: lazyRouteComponent(() => import('./pages/password-reset/page.tsx'), 'Page'),
});

const routeOf = ({ path, load }: PageEntry) =>
  createRoute({
    ...lazily,
    getParentRoute: () => business,
    path,
    component: lazyRouteComponent(load, 'Page'),
  });

/** The router: every page of `pages.ts` below its business. What an address says is text. */
export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    invitation,
    passwordReset,
    signedIn.addChildren([home, account.addChildren([me]), business.addChildren(pages.map(routeOf))]),
  ]),
  basepath: '/portal',
  defaultPreload: false,
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: PageFailed,
  scrollRestoration: true,
  parseSearch: text => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: search => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    return given.length === 0 ? '' : `?${new URLSearchParams(given as [string, string][])}`;
  },
});
