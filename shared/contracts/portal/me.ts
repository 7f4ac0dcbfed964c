import { z } from 'zod';
import { contract, id, timestamp } from '../contract.ts';
import { json } from '../responses.ts';
import { oneLine } from '../text.ts';
import { givenPassword, me, newPassword, personName } from './people.ts';
import { passkeyAnswer, passkeyId } from './sign-in.ts';

const mine = { authentication: ['portalUser'], tag: 'Portal', origin: 'project' } as const;
const done = json(z.object({}));
const throttled = { 429: ['too_many_attempts'] } as const;
const options = json(z.record(z.string(), z.unknown()));

export const getMe = contract({
  ...mine,
  name: 'getMe',
  method: 'GET',
  path: '/portal/api/me',
  summary: 'Read who is signed in, and what they may do where',
  responses: { 200: json(me) },
});

export const changeMe = contract({
  ...mine,
  name: 'changeMe',
  method: 'PATCH',
  path: '/portal/api/me',
  summary: 'Change your name, theme or language',
  body: z.object({
    name: personName.optional(),
    theme: me.shape.theme.optional(),
    language: me.shape.language.optional(),
  }),
  responses: { 200: json(me) },
});

export const signOut = contract({
  ...mine,
  name: 'signOut',
  method: 'POST',
  path: '/portal/api/me/sign-out',
  summary: 'Sign out',
  responses: { 200: done },
});

export const stepUp = contract({
  ...mine,
  name: 'stepUp',
  method: 'POST',
  path: '/portal/api/me/step-up',
  summary: 'Confirm who you are before changing something sensitive',
  description: 'With the password, or with a passkey whose options `passkey-options` gives. Holds for five minutes.',
  body: z.object({ password: givenPassword.optional(), passkey: passkeyAnswer.optional() }),
  responses: { 200: json(z.object({ steppedUpUntil: timestamp })) },
  errors: { 401: ['credentials_wrong'], ...throttled },
});

export const passkeyOptions = contract({
  ...mine,
  name: 'passkeyOptions',
  method: 'POST',
  path: '/portal/api/me/passkey-options',
  summary: 'Get the options for confirming with a passkey',
  responses: { 200: options },
});

export const changePassword = contract({
  ...mine,
  name: 'changePassword',
  method: 'POST',
  path: '/portal/api/me/password',
  summary: 'Change your password',
  description: 'Ends your other sessions.',
  stepUp: true,
  body: z.object({ password: newPassword }),
  responses: { 200: done },
  errors: { 400: ['password_guessable'] },
});

export const listSessions = contract({
  ...mine,
  name: 'listSessions',
  method: 'GET',
  path: '/portal/api/me/sessions',
  summary: 'List where you are signed in',
  responses: {
    200: json(
      z.object({
        items: z.array(
          z.object({
            id: id('ses'),
            isCurrent: z.boolean(),
            isShared: z.boolean(),
            browser: z.string().meta({ example: 'Firefox on Linux' }),
            address: z.string(),
            createdAt: timestamp,
            lastSeenAt: timestamp,
          }),
        ),
      }),
    ),
  },
});

export const endSession = contract({
  ...mine,
  name: 'endSession',
  method: 'DELETE',
  path: '/portal/api/me/sessions/{id}',
  summary: 'Sign out elsewhere',
  params: z.object({ id: id('ses') }),
  responses: { 200: done },
  errors: { 404: ['session_not_found'] },
});

export const beginTotp = contract({
  ...mine,
  name: 'beginTotp',
  method: 'POST',
  path: '/portal/api/me/totp',
  summary: 'Get a secret for an authenticator app',
  description: 'It takes effect once a code of the app was given to `confirm`.',
  stepUp: true,
  responses: { 200: json(z.object({ secret: z.string(), uri: z.string() })) },
  errors: { 409: ['totp_exists'] },
});

export const confirmTotp = contract({
  ...mine,
  name: 'confirmTotp',
  method: 'POST',
  path: '/portal/api/me/totp/confirm',
  summary: 'Confirm the authenticator app with its code',
  description: 'The recovery codes are in the first response only, and only if there were none.',
  stepUp: true,
  body: z.object({ code: z.string().regex(/^[0-9 ]{6,10}$/, { error: 'must be the code that the app shows' }) }),
  responses: { 200: json(z.object({ recoveryCodes: z.array(z.string()).nullable() })) },
  errors: { 400: ['code_wrong'], 409: ['totp_exists', 'totp_not_begun'], ...throttled },
});

export const removeTotp = contract({
  ...mine,
  name: 'removeTotp',
  method: 'DELETE',
  path: '/portal/api/me/totp',
  summary: 'Remove the authenticator app',
  stepUp: true,
  responses: { 200: done },
});

export const beginPasskey = contract({
  ...mine,
  name: 'beginPasskey',
  method: 'POST',
  path: '/portal/api/me/passkeys/options',
  summary: 'Get the options for a new passkey',
  stepUp: true,
  responses: { 200: options },
});

export const addPasskey = contract({
  ...mine,
  name: 'addPasskey',
  method: 'POST',
  path: '/portal/api/me/passkeys',
  summary: 'Add a passkey',
  description: 'The recovery codes are in the first response only, and only if there were none.',
  stepUp: true,
  body: z.object({ name: oneLine(60), passkey: passkeyAnswer }),
  responses: { 201: json(z.object({ id: z.string(), recoveryCodes: z.array(z.string()).nullable() })) },
  errors: { 400: ['passkey_not_valid'], 409: ['passkey_exists'] },
});

export const removePasskey = contract({
  ...mine,
  name: 'removePasskey',
  method: 'DELETE',
  path: '/portal/api/me/passkeys/{passkeyId}',
  summary: 'Remove a passkey',
  stepUp: true,
  params: z.object({ passkeyId }),
  responses: { 200: done },
  errors: { 404: ['passkey_not_found'] },
});

export const renewRecoveryCodes = contract({
  ...mine,
  name: 'renewRecoveryCodes',
  method: 'POST',
  path: '/portal/api/me/recovery-codes',
  summary: 'Replace the recovery codes',
  stepUp: true,
  responses: { 200: json(z.object({ recoveryCodes: z.array(z.string()) })) },
});
