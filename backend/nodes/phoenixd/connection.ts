import type { NodeReply } from '../exchange.ts';
import type { NotSent, Unknown } from '../node.ts';

/** Requests to one phoenixd, with its password. Bodies are forms. */
export type Phoenixd = {
  ask(
    method: 'GET' | 'POST',
    path: string,
    form?: Readonly<Record<string, string>>,
    longestMs?: number,
  ): Promise<NodeReply | Unknown | NotSent>;
  /** For money: sent once, on a connection of its own. */
  send(
    path: string,
    form: Readonly<Record<string, string>>,
    longestMs?: number,
  ): Promise<NodeReply | Unknown | NotSent>;
};
