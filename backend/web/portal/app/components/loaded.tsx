import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CallProblem } from '../api/problem.ts';
import { PageLink } from '../shell/page-link.tsx';
import { useFormats } from '../words/formats.ts';
import { usePermissionNames } from '../words/permissions.ts';
import { useWords } from '../words/words.ts';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import { Notice } from './notice.tsx';

/** A page or a part of one that has nothing to show, and why. */
export function Blank({
  icon,
  title,
  children,
}: {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className="blank">
      <span className="blank-icon">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** The way back from where there is nothing to see. */
export function ToOverview() {
  const words = useWords();
  return <PageLink className="button button-primary">{words.states.overview}</PageLink>;
}

type ForbiddenProps = { readonly permissions: readonly string[]; readonly isForAdmins?: boolean | undefined };

/** What the user lacks to see a page, and who can grant it. */
export function Forbidden({ permissions, isForAdmins = false }: ForbiddenProps) {
  const words = useWords();
  const nameOf = usePermissionNames();
  const names = permissions.map(nameOf).join(', ');
  if (isForAdmins)
    return (
      <Blank icon="lock" title={words.states.forbidden}>
        <p>{words.states.adminsOnly}</p>
        <ToOverview />
      </Blank>
    );
  return (
    <Blank icon="lock" title={words.states.forbidden}>
      {names === '' ? null : <p>{words.states.forbiddenWhy(names)}</p>}
      <p>{words.states.forbiddenWho}</p>
      <ToOverview />
    </Blank>
  );
}

/** Why something could not be loaded, in words, with the id of the request. */
export function Failed({ error, onRetry }: { readonly error: Error; readonly onRetry?: () => void }) {
  const words = useWords();
  const problem = error instanceof CallProblem ? error : undefined;
  if (problem?.answer.status === 403) return <Forbidden permissions={problem.missingPermissions} />;
  if (problem?.answer.status === 404)
    return (
      <Blank icon="search" title={words.states.notFound}>
        <p>{words.states.notFoundWhy}</p>
        <ToOverview />
      </Blank>
    );
  return (
    <Blank icon="problems" title={words.states.failed}>
      <p>{words.states.failedWhy}</p>
      {onRetry ? <Button onClick={onRetry}>{words.actions.again}</Button> : null}
      {problem?.requestId === undefined ? null : (
        <p className="muted small">
          {words.states.request} <code>{problem.requestId}</code>
        </p>
      )}
    </Blank>
  );
}

type LoadedProps<Body> = {
  readonly read: UseQueryResult<Body, Error>;
  /** What stands there until it is loaded, of the same size. */
  readonly skeleton: ReactNode;
  readonly children: (body: Body) => ReactNode;
};

/** Something that is read: its place while it loads, why it could not be, or what was read last with its age. */
export function Loaded<Body>({ read, skeleton, children }: LoadedProps<Body>) {
  const words = useWords();
  const formats = useFormats();
  const retry = () => void read.refetch();
  if (read.data === undefined)
    return read.isError ? (
      <Failed error={read.error} onRetry={retry} />
    ) : (
      <div aria-busy="true">
        <p className="visually-hidden" role="status">
          {words.list.loading}
        </p>
        {skeleton}
      </div>
    );
  return (
    <>
      {read.isRefetchError ? (
        <Notice
          tone="attention"
          title={words.states.stale(formats.time(read.dataUpdatedAt))}
          action={<Button onClick={retry}>{words.actions.again}</Button>}
        >
          {read.error instanceof CallProblem && read.error.requestId !== undefined
            ? `${words.states.request} ${read.error.requestId}`
            : undefined}
        </Notice>
      ) : null}
      {children(read.data)}
    </>
  );
}

/** The place of lines of text. */
export function SkeletonLines({ lines }: { readonly lines: number }) {
  return (
    <div className="skeleton-lines" aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => line).map(line => (
        <span key={line} className="skeleton" />
      ))}
    </div>
  );
}
