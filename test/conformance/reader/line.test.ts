import { bankUnderTest } from './bank.ts';
import { readerSuite } from './suite.ts';
import { aReaderWorld } from './world.ts';

readerSuite({
  name: 'line',
  linesOfASale: 7,
  requestsOfASale: 3,
  async open({ seed = 1 } = {}) {
    const world = await aReaderWorld({ simulator: { seed } });
    const { act, simulator, bank } = world;
    return {
      ...world,
      get path() {
        return simulator.path;
      },
      async customer(does) {
        if (does === 'cancel') await act({ do: 'key', key: 'cancel' });
        else if (does === 'remove') await act({ do: 'remove' });
        else await act({ do: does, card: 'visa' });
      },
      bank: bankUnderTest(bank),
      line: {
        unplug: () => act({ do: 'unplug' }),
        replug: path => act({ do: 'replug', path: path ?? 'same' }),
        unplugAt: (point, number) => act({ do: 'unplug', mode: point, afterLines: number }),
        waitingFaults: () => simulator.state().armed.length,
        corrupt: (fault, lines) => act({ do: fault, lines }),
        lose(number) {
          let passed = 0;
          simulator.onFrame(direction => {
            if (direction === 'reader') passed += 1;
            if (direction === 'reader' && passed === number) void simulator.act({ do: 'drop', lines: 1 });
          });
        },
        garbage: (bytes, lineFeeds) => act({ do: 'garbage', bytes, lineFeeds }),
        delay: (ms, jitterMs) => act({ do: 'latency', ms, jitterMs }),
        stall: on => act({ do: 'stall', on }),
      },
      restart: () => act({ do: 'reboot' }),
      forget: () => act({ do: 'wipe' }),
    };
  },
});
