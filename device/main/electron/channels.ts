import type { Log } from '../../core/ports.ts';
import type { Terminal } from '../../core/terminal.ts';
import { type IntentAnswer, intent } from '../../ipc/intent.ts';
import { mayUseChannels, type Sender } from './policy.ts';

const longestIntent = 16 * 1024;

/** The main process's side of the channels: who asks is checked first, what is asked second. */
export interface ChannelHandlers {
  /** Rejects for a foreign sender: a page that is not ours learns nothing. */
  intent(sender: Sender, given: unknown): Promise<IntentAnswer>;
  /** Whether this sender may be sent Views. */
  mayWatch(sender: Sender): boolean;
}

export function channelHandlers(options: { terminal: Terminal; log: Log }): ChannelHandlers {
  const { terminal, log } = options;
  function isRefused(sender: Sender, channel: string): boolean {
    if (mayUseChannels(sender)) return false;
    log.error('foreign_sender_refused', { channel, isMainFrame: sender.isMainFrame, isOwnWindow: sender.isOwnWindow });
    return true;
  }
  return {
    mayWatch: sender => !isRefused(sender, 'watch'),
    async intent(sender, given) {
      if (isRefused(sender, 'intent')) throw new Error('refused');
      if (sizeOf(given) > longestIntent) return { kind: 'invalid', message: 'message: is too large' };
      const parsed = intent.safeParse(given);
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
