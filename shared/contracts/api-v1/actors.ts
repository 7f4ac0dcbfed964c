import { z } from 'zod';
import type { ActorKind } from '../../actor.ts';

const actorKinds = [
  'staff',
  'portal_user',
  'api_key',
  'kiosk_key',
  'terminal',
  'operator',
  'system',
] as const satisfies readonly ActorKind[];

/** The actor of an operation, with current names. */
export const actorRecord = z
  .object({
    kind: z.enum(actorKinds).meta({
      description:
        'A staff member who authorised with their password, a user of the portal, an API key, a kiosk key, a terminal without a staff member, an operator of the service, or the service itself (`system`)',
    }),
    id: z.string().nullable().meta({
      description: 'The id of the staff member, user, key or terminal',
      example: 'staff_019a8f3e6b7c7d2e8a1b2c3d4e5f6071',
    }),
    name: z.string().nullable().meta({ description: 'The current name', example: 'Ada' }),
  })
  .meta({ id: 'Actor' });
export type ActorRecord = z.infer<typeof actorRecord>;

/** A terminal by its id and name. */
export const terminalReference = z
  .object({ id: z.string(), name: z.string() })
  .meta({ id: 'TerminalReference', example: { id: 'dev_019a8f3e6b7c7d2e8a1b2c3d4e5f6071', name: 'Till 1' } });
