import type { Fields } from '@florin/shared/reader-line/frame.ts';
import type { RefusalCode } from '@florin/shared/reader-line/messages.ts';

/** The answer to a request, and the action that follows. */
export type Reply = { readonly verb: string; readonly fields: Fields; readonly after?: () => void };

/** The answer that refuses a request. */
export function refuse(code: RefusalCode, fields: Fields = {}): Reply {
  return { verb: 'ERR', fields: { code, ...fields } };
}
