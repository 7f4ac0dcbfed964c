import type { EventConsumer } from './events/dispatcher.ts';
import type { Authenticators } from './http/authenticate.ts';
import type { Route } from './http/route.ts';
import type { Job } from './jobs/runner.ts';

/**
 * The result of a domain folder's `module.ts`: the service for other modules and programs, its HTTP routes, background
 * jobs and event consumers. compose.ts lists the modules and is the only place that connects them.
 */
export type Module<Service> = {
  readonly service: Service;
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  /** Consumers that receive every event, in any process and however late. */
  readonly consumers?: readonly EventConsumer[];
  /** For the schemes whose credentials this module issues. */
  readonly authenticators?: Authenticators;
  /** How these credentials begin, so that an address that contains one is refused. */
  readonly credentialPrefix?: string;
  /** Ends its background work that is not a job. */
  readonly stop?: () => Promise<void>;
};

/** Those of all modules; each scheme is one module's. */
export function authenticatorsOf(modules: readonly Module<unknown>[]): Authenticators {
  return Object.assign({}, ...modules.map(({ authenticators }) => authenticators)) as Authenticators;
}
