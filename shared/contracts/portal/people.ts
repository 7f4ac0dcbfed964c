import { z } from 'zod';
import { languages } from '../../languages.ts';
import { permissionCode } from '../../permissions.ts';
import { id, timestamp } from '../contract.ts';
import { oneLine } from '../text.ts';

/** What a user of the portal is called and reached by. Two addresses that differ only in case are the same. */
export const emailAddress = z
  .email({ error: 'must be an e-mail address' })
  .max(254, { error: 'must have at most 254 characters' })
  .meta({ example: 'owner@shop.example' });

export const personName = oneLine(100).meta({ example: 'Ada Byron' });

/** Long enough to be derived, short enough not to be a burden; whether it can be guessed is judged by the service. */
export const newPassword = password(12);

export const givenPassword = password(1);

function password(minLength: number) {
  return z
    .string()
    .min(minLength, { error: `must have at least ${minLength} characters` })
    .max(128, { error: 'must have at most 128 characters' })
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, { error: 'must not have control characters' });
}

export const roleId = z
  .string()
  .regex(/^(owner|admin|manager|cashier|developer|role_[0-9A-Za-z]{6,64})$/, { error: 'must be the id of a role' })
  .meta({ description: 'A built-in role, or one of the business', example: 'manager' });

export const roleReference = z.object({ id: roleId, name: z.string() }).meta({ id: 'RoleReference' });

/** A signed-in user with what they may do in each of their businesses. */
export const me = z
  .object({
    id: id('usr'),
    email: z.string(),
    name: z.string(),
    theme: z.enum(['system', 'light', 'dark']),
    language: z.enum(languages).nullable(),
    businesses: z.array(
      z.object({
        id: id('biz'),
        name: z.string(),
        addressLines: z.array(z.string()).meta({ description: 'As written on a letter, without name and country' }),
        currency: z.string(),
        locale: z.string(),
        timeZone: z.string(),
        role: roleReference,
        permissions: z.array(permissionCode),
      }),
    ),
    factors: z.object({
      totp: z.boolean(),
      passkeys: z.array(
        z.object({ id: z.string(), name: z.string(), createdAt: timestamp, lastUsedAt: timestamp.nullable() }),
      ),
      recoveryCodesLeft: z.int(),
    }),
    steppedUpUntil: timestamp.nullable().meta({ description: 'Until when security settings may be changed' }),
    session: z.object({ id: id('ses'), isShared: z.boolean() }),
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof me>;
