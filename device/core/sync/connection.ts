import { pingTerminal } from '@florin/shared/contracts/device-v1/sync.ts';
import type { Log } from '../ports.ts';
import type { DeviceContract, Service, ServiceAnswer, ServiceRequest } from '../service/client.ts';

export type ConnectionState = 'online' | 'offline' | 'connecting';

/** The service with this terminal's token, and what its answers tell about the way to it. */
export interface Connection {
  call<C extends DeviceContract>(contract: C, request: ServiceRequest<C>): Promise<ServiceAnswer<C>>;
  state(): ConnectionState;
  /** Whether the service answers now; the state follows. */
  check(timeoutMs?: number): Promise<boolean>;
  /** Whether it was heard since this was last asked. */
  takeHeard(): boolean;
}

const checkTimeoutMs = 2_500;

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
  let wasHeard = false;
  function become(next: ConnectionState): void {
    if (next === state) return;
    state = next;
    options.log.info('service_connection', { state });
    options.changed(state);
  }
  async function call<C extends DeviceContract>(contract: C, request: ServiceRequest<C>): Promise<ServiceAnswer<C>> {
    const isDevice = needsToken(contract);
    const answer = await options.service.call(contract, { ...request, token: isDevice ? options.token() : undefined });
    if (answer.kind === 'answered' || answer.kind === 'refused') {
      wasHeard = true;
      become('online');
    }
    // A call that went silent says nothing yet about the next one, unless nothing was ever heard.
    else if (answer.kind === 'not_reached' || state === 'connecting') become('offline');
    if (answer.kind === 'refused' && answer.status === 401 && isDevice) options.revoked();
    return answer;
  }

  return {
    state: () => state,
    call,
    async check(timeoutMs = checkTimeoutMs) {
      const { kind } = await call(pingTerminal, { timeoutMs });
      const isReached = kind === 'answered' || kind === 'refused';
      // A sign of life that was asked for and did not come is one.
      if (!isReached) become('offline');
      return isReached;
    },
    takeHeard() {
      const was = wasHeard;
      wasHeard = false;
      return was;
    },
  };
}

function needsToken({ authentication }: DeviceContract): boolean {
  return authentication.includes('deviceToken');
}
