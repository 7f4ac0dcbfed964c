import { nodeSuite } from './suite.ts';
import { aPhoenixdWorld } from './world.ts';

nodeSuite('phoenixd', aPhoenixdWorld);
