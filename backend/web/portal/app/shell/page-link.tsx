import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useBusinessIfAny } from '../session/session.ts';

/** What an address says after its path: filters, and which form is open. */
export type Search = Readonly<Record<string, string>>;

type PageLinkProps = {
  /** A page of the business on screen, such as `payments/pay_…`; empty for its overview. */
  readonly to?: string;
  /** Any other address of the portal, from its top. */
  readonly path?: string;
  readonly search?: Search;
  readonly state?: object;
  readonly className?: string;
  readonly children: ReactNode;
  readonly onClick?: () => void;
  readonly isExact?: boolean;
  /** Marks it as the way to the page on screen, also where that has another address. */
  readonly isCurrent?: boolean | undefined;
};

/** A link within the portal; what it leads to is loaded when it is pointed at. */
export function PageLink({
  to = '',
  path,
  search = {},
  state = {},
  isExact = false,
  isCurrent,
  ...rest
}: PageLinkProps) {
  const business = useBusinessIfAny();
  const address = path ?? pathOf(business?.id, to);
  return (
    <Link
      {...rest}
      {...(isCurrent ? { 'aria-current': 'page' } : {})}
      to={address}
      search={search}
      state={state}
      preload="intent"
      activeOptions={{ exact: isExact, includeSearch: false }}
    />
  );
}

/** The path of a page of a business. */
function pathOf(businessId: string | undefined, page: string): string {
  return `/${[businessId ?? '', page].filter(part => part !== '').join('/')}`;
}

/** Opens a page of the business on screen. */
export function useOpenPage(): (page: string, search?: Search) => void {
  const business = useBusinessIfAny();
  const navigate = useNavigate();
  return (page, search = {}) => void navigate({ to: pathOf(business?.id, page), search });
}
