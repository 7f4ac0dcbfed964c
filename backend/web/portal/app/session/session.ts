import type { Me } from '@florin/shared/contracts/portal/people.ts';
import type { Permission } from '@florin/shared/permissions.ts';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { callOwn } from '../api/call.ts';
import { bodyOf } from '../api/problem.ts';
import { ownKey } from '../api/use-own.ts';

/** A business of the signed-in user, and what they may do there. */
export type Membership = Me['businesses'][number];

export const MeContext = createContext<Me | undefined>(undefined);
export const BusinessContext = createContext<Membership | undefined>(undefined);

const meKey = [ownKey];

/** Reads who is signed in; refused if nobody is. */
export function useReadMe(): UseQueryResult<Me, Error> {
  return useQuery({
    queryKey: meKey,
    queryFn: async () => bodyOf(await callOwn('getMe', {}, { isQuiet: true })),
    staleTime: 60_000,
  });
}

/** Shows the user as an operation has just answered. */
export function useShowMe(): (me: Me) => void {
  const client = useQueryClient();
  return me => client.setQueryData(meKey, me);
}

/** The signed-in user. */
export function useMe(): Me {
  const me = use(MeContext);
  if (me === undefined) throw new Error('there is no user outside the signed-in pages');
  return me;
}

/** The business on screen, on pages of a business. */
export function useBusinessIfAny(): Membership | undefined {
  return use(BusinessContext);
}

/** The business on screen. */
export function useBusiness(): Membership {
  const business = use(BusinessContext);
  if (business === undefined) throw new Error('there is no business on this page');
  return business;
}

/** Whether a page of the business on screen may be seen, by its path; the frame knows the pages. */
export const MaySeeContext = createContext<(page: string) => boolean>(() => false);

/** Whether the user may see a page of the business on screen, such as `payments/pay_…`; links to others are not shown. */
export function useMaySee(): (page: string) => boolean {
  return use(MaySeeContext);
}

/** Whether the user holds a permission in the business on screen; what they may not do is not shown. */
export function useMay(): (permission: Permission) => boolean {
  const held = useBusinessIfAny()?.permissions ?? [];
  return permission => held.includes(permission);
}
