/**
 * The actor of an operation, in every record that names one: refunds, the audit chain, the timeline, events and log
 * lines.
 */
export type Actor =
  /** A staff member, authorised by password, and the terminal used. */
  | { readonly kind: 'staff'; readonly staffId: string; readonly terminalId: string }
  | { readonly kind: 'portal_user'; readonly portalUserId: string }
  | { readonly kind: 'api_key'; readonly apiKeyId: string }
  | { readonly kind: 'kiosk_key'; readonly kioskKeyId: string }
  /** A terminal without a staff member. */
  | { readonly kind: 'terminal'; readonly terminalId: string }
  /** An operator at the command line of the service's machine. */
  | { readonly kind: 'operator' }
  /** The service itself: background work and effects of the gateway's replies. */
  | { readonly kind: 'system' };

export type ActorKind = Actor['kind'];

/** The actor of a business's own software or people. */
export type MerchantActor = Extract<Actor, { kind: 'api_key' | 'portal_user' }>;

export const operator: Actor = { kind: 'operator' };
export const system: Actor = { kind: 'system' };

/** An actor as the API and log lines show it: an id only. */
export function actorReference(actor: Actor): { readonly kind: ActorKind; readonly id: string | null } {
  return { kind: actor.kind, id: identityOf(actor).actorId };
}

/** An actor as three columns of a table. */
export type ActorColumns<Kind extends ActorKind = ActorKind> = {
  actorKind: Kind;
  /** The id of the staff member, user, key or terminal. */
  actorId: string | null;
  terminalId: string | null;
};

/** The inverse of `actorOfColumns`, for every table that has an actor. */
export function actorColumns<Kind extends ActorKind>(actor: Extract<Actor, { kind: Kind }>): ActorColumns<Kind> {
  return { actorKind: actor.kind as Kind, ...identityOf(actor) };
}

function identityOf(actor: Actor): Pick<ActorColumns, 'actorId' | 'terminalId'> {
  switch (actor.kind) {
    case 'staff':
      return { actorId: actor.staffId, terminalId: actor.terminalId };
    case 'portal_user':
      return { actorId: actor.portalUserId, terminalId: null };
    case 'api_key':
      return { actorId: actor.apiKeyId, terminalId: null };
    case 'kiosk_key':
      return { actorId: actor.kioskKeyId, terminalId: null };
    case 'terminal':
      return { actorId: actor.terminalId, terminalId: actor.terminalId };
    case 'operator':
    case 'system':
      return { actorId: null, terminalId: null };
  }
}

/** The actor of columns that `actorColumns` created. */
export function actorOfColumns({ actorKind, actorId, terminalId }: ActorColumns): Actor {
  const id = actorId ?? '';
  switch (actorKind) {
    case 'staff':
      return { kind: 'staff', staffId: id, terminalId: terminalId ?? '' };
    case 'portal_user':
      return { kind: 'portal_user', portalUserId: id };
    case 'api_key':
      return { kind: 'api_key', apiKeyId: id };
    case 'kiosk_key':
      return { kind: 'kiosk_key', kioskKeyId: id };
    case 'terminal':
      return { kind: 'terminal', terminalId: id };
    case 'operator':
    case 'system':
      return { kind: actorKind };
  }
}
