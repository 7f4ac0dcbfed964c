import { readerSuite } from './suite.ts';
import { aZvtReaderUnderTest } from './zvt-world.ts';

/** The driver of ZVT over TCP. */
readerSuite({
  name: 'zvt over TCP',
  medium: 'network',
  linesOfASale: 9,
  requestsOfASale: 7,
  open: ({ seed = 1 } = {}) => aZvtReaderUnderTest({ seed, tcpPort: 0 }),
});
