import type { NodeReply } from '../connection.ts';
import type { NotSent, Unknown } from '../node.ts';

/** Requests to a phoenixd, with its password. Bodies are form-encoded. */
export type Phoenixd = {
  ask(
    method: 'GET' | 'POST',
    path: string,
    form?: Readonly<Record<string, string>>,
    maxMs?: number,
  ): Promise<NodeReply | Unknown | NotSent>;
  /** For money: sent once, on its own connection. */
  send(path: string, form: Readonly<Record<string, string>>, maxMs?: number): Promise<NodeReply | Unknown | NotSent>;
};
