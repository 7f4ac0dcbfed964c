import { z } from 'zod';
import { contract } from '../contract.ts';
import { json } from '../responses.ts';
import { machineWord } from '../text.ts';
import { emailAddress, givenPassword, me, newPassword, personName, roleReference } from './people.ts';

const tag = 'Portal';
const throttled = { 429: ['too_many_attempts'] } as const;
/** A secret of a link in an e-mail, after the `#` of its address, which browsers do not send. */
const linkToken = machineWord(200).meta({ description: 'The token of the link in the e-mail' });

/** The id that an authenticator gave to a passkey. */
export const passkeyId = z.string().regex(/^[A-Za-z0-9_-]{1,1400}$/, { error: 'must be the id of a passkey' });

/** The browser's answer to a request for a passkey, verified by the service. */
export const passkeyAnswer = z.looseObject({ id: passkeyId, response: z.looseObject({}) });

const signedIn = z.object({ next: z.literal('done'), me });

export const signIn = contract({
  name: 'signIn',
  method: 'POST',
  path: '/portal/api/sign-in',
  authentication: ['none'],
  summary: 'Sign in with e-mail address and password',
  description: 'An unknown address and a wrong password are refused alike.',
  tag,
  body: z.object({
    email: emailAddress,
    password: givenPassword,
    isShared: z
      .boolean()
      .default(false)
      .meta({ description: 'A computer that others use: signed out after 30 minutes' }),
  }),
  responses: {
    200: json(
      z.union([
        signedIn,
        z.object({
          next: z.literal('second_factor'),
          token: z.string().meta({ description: 'To be sent with the second factor, within ten minutes' }),
          methods: z.array(z.enum(['totp', 'passkey', 'recovery_code'])),
          passkeyOptions: z.record(z.string(), z.unknown()).nullable(),
        }),
      ]),
    ),
  },
  errors: { 401: ['credentials_wrong'], ...throttled },
  origin: 'project',
});

export const giveSecondFactor = contract({
  name: 'giveSecondFactor',
  method: 'POST',
  path: '/portal/api/sign-in/second-factor',
  authentication: ['none'],
  summary: 'Complete a sign-in with a code or a passkey',
  tag,
  body: z.object({
    token: machineWord(200),
    code: z
      .string()
      .regex(/^[0-9A-Za-z -]{1,40}$/, { error: 'must be a code of the authenticator app or a recovery code' })
      .optional()
      .meta({ description: 'Of the authenticator app, or a recovery code' }),
    passkey: passkeyAnswer.optional(),
  }),
  responses: { 200: json(signedIn) },
  errors: { 401: ['sign_in_expired', 'code_wrong'], ...throttled },
  origin: 'project',
});

export const requestPasswordReset = contract({
  name: 'requestPasswordReset',
  method: 'POST',
  path: '/portal/api/password-reset',
  authentication: ['none'],
  summary: 'Send a link to choose a new password',
  description: 'The answer is the same whether or not the address is known. The link works once, for an hour.',
  tag,
  body: z.object({ email: emailAddress }),
  responses: { 200: json(z.object({ sent: z.literal(true) })) },
  errors: throttled,
  origin: 'project',
});

export const resetPassword = contract({
  name: 'resetPassword',
  method: 'POST',
  path: '/portal/api/password-reset/complete',
  authentication: ['none'],
  summary: 'Choose a new password with the link of the e-mail',
  description: 'Ends all sessions of the user. Second factors stay.',
  tag,
  body: z.object({ token: linkToken, password: newPassword }),
  responses: { 200: json(z.object({ email: z.string() })) },
  errors: { 400: ['password_guessable'], 404: ['link_not_valid'] },
  origin: 'project',
});

export const readInvitation = contract({
  name: 'readInvitation',
  method: 'POST',
  path: '/portal/api/invitation',
  authentication: ['none'],
  summary: 'Read the invitation of a link',
  tag,
  body: z.object({ token: linkToken }),
  responses: {
    200: json(
      z.object({
        email: z.string(),
        businessName: z.string(),
        role: roleReference,
        isKnown: z.boolean().meta({ description: 'Has a password here already: it is asked for instead of a new one' }),
      }),
    ),
  },
  errors: { 404: ['link_not_valid'] },
  origin: 'project',
});

export const acceptInvitation = contract({
  name: 'acceptInvitation',
  method: 'POST',
  path: '/portal/api/invitation/accept',
  authentication: ['none'],
  summary: 'Accept an invitation',
  description: 'A new user chooses a name and a password; one who is known gives theirs. Then they sign in.',
  tag,
  body: z.object({ token: linkToken, name: personName.optional(), password: givenPassword }),
  responses: { 200: json(z.object({ email: z.string() })) },
  errors: {
    400: ['password_guessable'],
    401: ['credentials_wrong'],
    404: ['link_not_valid'],
    ...throttled,
  },
  origin: 'project',
});
