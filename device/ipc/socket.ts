import { z } from 'zod';
import { action, actionResult } from './user-action.ts';

/** Where the browser host listens for the renderer, on the origin that served the page. */
export const terminalSocketPath = '/terminal';

/** Sent by the host if the token is not this terminal's: the page stops instead of reconnecting. */
export const wrongTokenCloseCode = 4401;

/** From the renderer. `hello` is the first message of every connection; the host rejects anything else before it. */
export const clientMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('hello'), token: z.string().min(1).max(256) }),
  z.strictObject({ type: z.literal('action'), id: z.int().min(1), action }),
]);
export type ClientMessage = z.infer<typeof clientMessage>;

/** From the host. The renderer parses `view` separately, so that a view it cannot read is shown as an error screen. */
export const serverMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('view'), view: z.unknown() }),
  z.object({ type: z.literal('answer'), id: z.int(), answer: actionResult }),
]);
export type ServerMessage = z.infer<typeof serverMessage>;
