import { Outlet, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { CallProblem } from '../api/problem.ts';
import { Mark } from '../components/icon.tsx';
import { Failed } from '../components/loaded.tsx';
import { MeContext, useReadMe } from '../session/session.ts';

/** Loaded beside the page, before which nothing is asked for. */
const Prompts = lazy(() => import('../session/prompts.tsx').then(prompts => ({ default: prompts.Prompts })));

/** Everything below is shown to a signed-in user; whoever is not goes to the sign-in first. */
export function SignedIn() {
  const me = useReadMe();
  if (me.data !== undefined)
    return (
      <MeContext value={me.data}>
        <Outlet />
        <Suspense fallback={null}>
          <Prompts />
        </Suspense>
      </MeContext>
    );
  if (me.error instanceof CallProblem && me.error.answer.status === 401) return <ToSignIn />;
  return (
    <main className="splash">
      {me.isError ? <Failed error={me.error} onRetry={() => void me.refetch()} /> : <Mark />}
    </main>
  );
}

/** Goes to the sign-in once, from the address that was wanted: it changes while it is left. */
function ToSignIn() {
  const router = useRouter();
  useEffect(() => {
    const { href: next } = router.state.location;
    void router.navigate({ to: '/sign-in', search: { next }, replace: true });
  }, [router]);
  return null;
}
