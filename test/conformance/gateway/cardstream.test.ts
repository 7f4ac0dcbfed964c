import { cardstreamUnderTest } from './cardstream.ts';
import { gatewaySuite } from './suite.ts';

/** Cardstream's adapter over HTTP to the sandbox, with and without what an account may lack. */
gatewaySuite({ name: 'cardstream', open: () => cardstreamUnderTest() });
gatewaySuite({
  name: 'cardstream without reporting and card-present',
  open: () => cardstreamUnderTest({ reporting: false, cardPresent: false }),
});
