import type { ActorColumns } from '@florin/shared/actor.ts';
import type { Instant } from '@florin/shared/ports.ts';

/** That a user of the portal belongs to a business, and what they may do there. */
export type MembershipRow = { businessId: string; portalUserId: string; roleId: string; createdAt: Instant };

/** A role that a business defined, besides the built-in ones. */
export type RoleRow = { id: string; businessId: string; name: string; permissionsJson: string; createdAt: Instant };

/** An open invitation; deleted when it is accepted or withdrawn. */
export type InvitationRow = Omit<ActorColumns, 'terminalId'> & {
  id: string;
  businessId: string;
  email: string;
  emailKey: string;
  roleId: string;
  tokenHash: string;
  expiresAt: Instant;
  createdAt: Instant;
};
