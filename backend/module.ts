import type { EventConsumer } from './events/dispatcher.ts';
import type { Route } from './http/route.ts';
import type { Job } from './jobs/runner.ts';

/**
 * What a domain folder's `module.ts` makes from its ports: the service that other modules and programs call, the operations
 * it answers over HTTP, its background work, and what it makes of events. compose.ts lists the modules and is the only place that joins them.
 */
export type Module<Service> = {
  readonly service: Service;
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  /** What of it receives every event, in whichever process and however late. */
  readonly consumers?: readonly EventConsumer[];
};
