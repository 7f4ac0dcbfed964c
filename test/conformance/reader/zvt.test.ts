import { readerSuite } from './suite.ts';
import { aZvtReaderUnderTest } from './zvt-world.ts';

/** The driver of ZVT over a serial line. Each acknowledgement is a line of its own. */
readerSuite({
  name: 'zvt',
  linesOfASale: 18,
  requestsOfASale: 11,
  open: ({ seed = 1 } = {}) => aZvtReaderUnderTest({ seed }),
});
