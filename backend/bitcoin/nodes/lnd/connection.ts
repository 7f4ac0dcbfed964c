import type { ConnectionPorts, NodeRequest } from '../connection.ts';
import {
  type NodeConnection,
  type NodeReply,
  nodeConnection,
  type StreamOptions,
  type StreamReply,
} from '../connection.ts';
import type { NotSent, Unknown } from '../node.ts';

export type LndConfig = {
  readonly url: string;
  readonly certificate?: string | undefined;
  /** Whether invoices include hints to private channels. */
  readonly privateHints: boolean;
};

type JsonRequest = Omit<NodeRequest, 'body' | 'headers'> & { readonly body?: object };

/** Requests to an LND node, with its macaroon. */
export type Lnd = {
  readonly privateHints: boolean;
  ask(request: JsonRequest, maxMs?: number): Promise<NodeReply | Unknown | NotSent>;
  send(request: JsonRequest, maxMs?: number): Promise<NodeReply | Unknown | NotSent>;
  stream(request: JsonRequest, options: StreamOptions): Promise<StreamReply>;
  close: NodeConnection['close'];
};

/** Adds the macaroon to every request. `send` is for money: it opens a connection of its own and is never retried. */
export function lndConnection(config: LndConfig, macaroonHex: string, ports: ConnectionPorts): Lnd {
  const connection = nodeConnection(config, ports);
  const request = ({ body, ...rest }: JsonRequest): NodeRequest => ({
    ...rest,
    headers: { 'grpc-metadata-macaroon': macaroonHex, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return {
    privateHints: config.privateHints,
    ask: (given, maxMs) => connection.ask(request(given), maxMs),
    send: (given, maxMs) => connection.send(request(given), maxMs),
    stream: (given, options) => connection.stream(request(given), options),
    close: () => connection.close(),
  };
}

/** For a query the reason for a missing response makes no difference. */
export function asUnknown(problem: Unknown | NotSent): Unknown {
  return { ...problem, kind: 'unknown' };
}
