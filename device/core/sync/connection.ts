import { pingTerminal } from '@florin/shared/contracts/device-v1/sync.ts';
import type { Clock, Instant, Log, Random } from '@florin/shared/ports.ts';
import type { Publish } from '../facts.ts';
import type {
  DeviceContract,
  Service,
  ServiceRequest,
  ServiceResponse,
  StreamContract,
  StreamEnd,
  StreamRequest,
} from '../service/client.ts';
import { settlingTime } from './spread.ts';

export type ConnectionState = 'online' | 'offline' | 'connecting';

/** The service client with this terminal's token; tracks from its outcomes whether the service is reachable. */
export interface Connection {
  call<C extends DeviceContract>(contract: C, request: ServiceRequest<C>): Promise<ServiceResponse<C>>;
  /** Receives the events of a stream until it ends. */
  follow<C extends StreamContract>(contract: C, request: Omit<StreamRequest<C>, 'token'>): Promise<StreamEnd>;
  state(): ConnectionState;
  /** Whether the service responds now; the connection state is updated. */
  check(timeoutMs?: number): Promise<boolean>;
  /** An expected heartbeat response is overdue. */
  missed(): void;
  /** When the service was last reached, by the monotonic clock. */
  lastResponseAt(): Instant;
  /** Since when its state is what it is, by the same clock. */
  changedAt(): Instant;
}

export const checkTimeoutMs = 2_500;

/**
 * The service counts as online after any response to a call, refusals included. A 401 to the token is published as
 * `revoked`, unless the terminal has another token by then: it was enrolled anew while the call was in progress.
 */
export function createConnection(options: {
  service: Service;
  token: () => string | undefined;
  uptime: Clock;
  random: Random;
  log: Log;
  publish: Publish;
}): Connection {
  let state: ConnectionState = 'connecting';
  let lastResponseAt = Number.NEGATIVE_INFINITY;
  let changedAt = options.uptime.now();
  function become(next: ConnectionState): void {
    if (next === state) return;
    const awayMs = state === 'offline' ? options.uptime.now() - changedAt : 0;
    state = next;
    changedAt = options.uptime.now();
    options.log.info({ state }, 'service connection');
    const settleMs = settlingTime(options.random, awayMs);
    options.publish({ kind: 'connection_changed', isOnline: state === 'online', settleMs });
  }
  function checkToken(sent: string | undefined, response: { readonly kind: string; readonly status?: number }): void {
    const isRefused = response.kind === 'refused' && response.status === 401;
    if (isRefused && sent === options.token()) options.publish({ kind: 'revoked' });
  }
  async function call<C extends DeviceContract>(contract: C, request: ServiceRequest<C>): Promise<ServiceResponse<C>> {
    const isDevice = needsToken(contract);
    const token = isDevice ? options.token() : undefined;
    const response = await options.service.call(contract, { ...request, token });
    if (response.kind === 'answered' || response.kind === 'refused') {
      lastResponseAt = options.uptime.now();
      become('online');
    }
    // One call without a response does not prove that the service is unreachable, unless it was never reached.
    else if (response.kind === 'not_reached' || state === 'connecting') become('offline');
    if (isDevice) checkToken(token, response);
    return response;
  }

  return {
    state: () => state,
    call,
    async follow(contract, request) {
      const token = options.token();
      const end = await options.service.follow(contract, { ...request, token });
      checkToken(token, end);
      return end;
    },
    async check(timeoutMs = checkTimeoutMs) {
      const { kind } = await call(pingTerminal, { timeoutMs });
      const isReached = kind === 'answered' || kind === 'refused';
      // A missing heartbeat response does count as unreachable.
      if (!isReached) become('offline');
      return isReached;
    },
    missed: () => become('offline'),
    lastResponseAt: () => lastResponseAt,
    changedAt: () => changedAt,
  };
}

function needsToken({ authentication }: DeviceContract): boolean {
  return authentication.includes('deviceToken');
}
