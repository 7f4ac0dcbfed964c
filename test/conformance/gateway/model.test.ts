import { modelUnderTest } from './model.ts';
import { gatewaySuite } from './suite.ts';

/** The simulation's gateway model must pass the suite of real gateways. */
gatewaySuite({ name: 'model', open: modelUnderTest });
