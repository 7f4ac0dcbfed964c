import type { Log } from '../ports.ts';
import type { DeviceContract, Service, ServiceAnswer, ServiceRequest } from '../service/client.ts';

export type ConnectionState = 'online' | 'offline' | 'connecting';

/** The service with this terminal's token, and what its answers tell about the way to it. */
export interface Connection {
  call<C extends DeviceContract>(contract: C, request: ServiceRequest<C>): Promise<ServiceAnswer<C>>;
  state(): ConnectionState;
}

export function createConnection(options: {
  service: Service;
  token: () => string | undefined;
  log: Log;
  /** Called when the state changed. */
  changed: (state: ConnectionState) => void;
  /** The service no longer knows this terminal's token. */
  revoked: () => void;
}): Connection {
  let state: ConnectionState = 'connecting';
  function become(next: ConnectionState): void {
    if (next === state) return;
    state = next;
    options.log.info('service_connection', { state });
    options.changed(state);
  }
  return {
    state: () => state,
    async call(contract, request) {
      const token = needsToken(contract) ? options.token() : undefined;
      const answer = await options.service.call(contract, { ...request, token });
      if (answer.kind === 'answered' || answer.kind === 'refused') become('online');
      // A call that went silent says nothing yet about the next one, unless nothing was ever heard.
      else if (answer.kind === 'not_reached' || state === 'connecting') become('offline');
      if (answer.kind === 'refused' && answer.status === 401 && needsToken(contract)) options.revoked();
      return answer;
    },
  };
}

function needsToken({ authentication }: DeviceContract): boolean {
  return authentication.includes('deviceToken');
}
