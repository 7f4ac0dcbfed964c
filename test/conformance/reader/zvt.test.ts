import { readerSuite } from './suite.ts';
import { aZvtWorld } from './zvt-world.ts';

/** The driver of ZVT, over a pseudo-terminal and over TCP, against the simulated reader. */
for (const medium of ['serial', 'tcp'] as const)
  readerSuite({
    name: `zvt over ${medium}`,
    linesOfASale: medium === 'serial' ? 18 : 9,
    requestsOfASale: medium === 'serial' ? 12 : 8,
    async open({ seed = 1 } = {}) {
      const world = await aZvtWorld({ seed, ...(medium === 'tcp' ? { tcpPort: 0 } : {}) });
      const { act, simulator, zvt, ledger } = world;
      return {
        ...world,
        get path() {
          return simulator.path;
        },
        // A reader that is found again may be further than the till knows.
        async customer(does) {
          if (does === 'cancel') await simulator.act({ do: 'key', key: 'cancel' });
          else if (does === 'remove') await simulator.act({ do: 'remove' });
          else await simulator.act({ do: does, card: 'visa' });
        },
        bank: {
          answersNext: answer => zvt.processor.answersNext(answer),
          authorise: () => Promise.reject(new Error('this reader authorises with its own processor')),
          chargesOf: id => ledger.chargesOf(id),
          settle: () => zvt.endOfDay(),
        },
        line: {
          unplug: () => act({ do: 'unplug' }),
          replug: path => act({ do: 'replug', path: path ?? 'same' }),
          unplugAt: (point, number) => act({ do: 'unplug', mode: point, afterLines: number }),
          corrupt: (fault, lines) => act({ do: fault, lines }),
          lose: number => world.lose(number),
          garbage: (bytes, lineFeeds) => act({ do: 'garbage', bytes, lineFeeds }),
          delay: (ms, jitterMs) => act({ do: 'latency', ms, jitterMs }),
          stall: on => act({ do: 'stall', on }),
        },
        restart: () => act({ do: 'reboot' }),
        forget: () => act({ do: 'wipe' }),
      };
    },
  });
