import type { Log } from '@florin/shared/ports.ts';
import type { Terminal } from '../../core/terminal.ts';
import { type ActionResult, action } from '../../ipc/user-action.ts';
import { mayUseChannel, type Sender } from './policy.ts';

const maxActionBytes = 16 * 1024;

/** The main process's side of the channels: checks the sender before it parses the message. */
export interface ChannelHandlers {
  /** Rejects any sender other than the terminal's page. */
  action(sender: Sender, given: unknown): Promise<ActionResult>;
  /** Whether Views may be sent to this sender. */
  mayWatch(sender: Sender): boolean;
}

/** Messages over 16 KiB or of another shape are answered `invalid` and do not reach the terminal. */
export function channelHandlers(options: { terminal: Terminal; log: Log }): ChannelHandlers {
  const { terminal, log } = options;
  function isRefused(sender: Sender, channel: 'action' | 'watch'): boolean {
    if (mayUseChannel(channel, sender)) return false;
    log.error(
      { channel, isMainFrame: sender.isMainFrame, window: sender.window },
      'a message from another window was refused',
    );
    return true;
  }
  return {
    mayWatch: sender => !isRefused(sender, 'watch'),
    async action(sender, given) {
      if (isRefused(sender, 'action')) throw new Error('refused');
      if (sizeOf(given) > maxActionBytes) return { kind: 'invalid', message: 'message: is too large' };
      const parsed = action.safeParse(given);
      if (parsed.success) return terminal.send(parsed.data);
      const [issue] = parsed.error.issues;
      return {
        kind: 'invalid',
        message: `${issue?.path.join('.') || 'message'}: ${issue?.message ?? 'not understood'}`,
      };
    },
  };
}

function sizeOf(given: unknown): number {
  try {
    return JSON.stringify(given)?.length ?? 0;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
