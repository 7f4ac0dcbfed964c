import { modelUnderTest } from './model.ts';
import { gatewaySuite } from './suite.ts';

/** What holds for a real gateway must hold for the one that stands in for it. */
gatewaySuite({ name: 'model', open: modelUnderTest });
