import { nodeSuite, receivingSuite } from './suite.ts';
import { aWatchedWorld } from './world.ts';

nodeSuite('phoenixd with an extended public key', aWatchedWorld);
receivingSuite('phoenixd with an extended public key', aWatchedWorld);
