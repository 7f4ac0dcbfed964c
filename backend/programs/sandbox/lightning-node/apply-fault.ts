import type { ServerResponse } from 'node:http';
import type { Timers } from '@florin/shared/ports.ts';
import type { Fault } from './faults.ts';
import { type Reply, sendReply } from './reply.ts';
import { codes, failure } from './wire.ts';

type Exchange = { readonly carryOut: () => Reply; readonly response: ServerResponse; readonly timers: Timers };

/** Applies a fault to a request and replies accordingly, or not at all. */
export function applyFault(fault: Fault, { carryOut, response, timers }: Exchange): void {
  switch (fault.kind) {
    case 'loseReply':
      carryOut();
      response.destroy();
      break;
    case 'dropRequest':
      response.destroy();
      break;
    case 'applyLate':
      timers.after(fault.delayMs, () => void carryOut());
      response.destroy();
      break;
    case 'delay': {
      const reply = carryOut();
      timers.after(fault.delayMs, () => sendReply(response, reply));
      break;
    }
    case 'holdUp':
      timers.after(fault.delayMs, () => sendReply(response, carryOut()));
      break;
    case 'hang':
      if (fault.applied) carryOut();
      break;
    case 'serverError':
      if (fault.applied) carryOut();
      response.writeHead(fault.status, { 'content-type': 'text/plain' }).end('upstream connect error');
      break;
    case 'garbage':
      carryOut();
      response.writeHead(200, { 'content-type': 'application/json' }).end(fault.body);
      break;
    case 'wrongFields':
      sendReply(response, withFields(carryOut(), fault.fields));
      break;
    case 'walletLocked':
      sendReply(response, failure(codes.unknown, 'wallet locked, unlock it to enable full RPC access'));
      break;
    case 'loseEvent':
    case 'repeatEvent':
      // Faults of events apply to the stream.
      sendReply(response, carryOut());
  }
}

function withFields(reply: Reply, fields: Readonly<Record<string, unknown>>): Reply {
  if (typeof reply !== 'function') return { ...reply, content: { ...(reply.content as object), ...fields } };
  return (write, end) => reply(content => write({ ...(content as object), ...fields }), end);
}
