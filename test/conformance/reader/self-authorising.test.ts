import type { ReaderAlarm } from '@florin/device/readers/reader.ts';
import { realRandom } from '@florin/hardware-sim/platform/real.ts';
import { logInto } from '../../support/log.ts';
import { aReaderStorage } from '../../support/reader-storage.ts';
import { aSelfAuthorisingReader } from '../../support/self-authorising-reader/reader.ts';
import { SteadyTime } from '../../support/steady-time.ts';
import { aSerialEcho } from './serial-echo.ts';
import { readerSuite } from './suite.ts';

/** The port's other kind of reader, which authorises and returns money with its own processor. */
readerSuite({
  name: 'self-authorising',
  linesOfASale: 4,
  requestsOfASale: 3,
  async open({ seed = 1 } = {}) {
    const echo = await aSerialEcho();
    const time = new SteadyTime({ faster: 20, startsAt: Date.UTC(2026, 10, 21, 9), turn: echo.exchange });
    const { clock, timers } = time;
    const simulated = await aSelfAuthorisingReader({ timers, seed });
    const { firmware, line } = simulated;
    const alarms: ReaderAlarm[] = [];
    const logged: string[] = [];
    const log = logInto(logged);
    const open = (paths: readonly string[]) =>
      simulated.driver.open({
        paths,
        hostName: 'till',
        storage: aReaderStorage(),
        clock,
        timers,
        random: realRandom,
        log,
        onAlarm: alarm => alarms.push(alarm),
      });
    const reader = open([line.path]);
    return {
      reader,
      get path() {
        return line.path;
      },
      timers,
      alarms,
      logged,
      open,
      async customer(does) {
        if (does === 'insert') firmware.present('chip');
        else if (does === 'tap') firmware.present('contactless');
        else if (does === 'remove') firmware.removeCard();
        else firmware.customerCancels();
      },
      bank: {
        answersNext: answer => firmware.answersNext(answer),
        authorise: () => Promise.reject(new Error('this reader authorises with its own processor')),
        chargesOf: id => firmware.movements.get(id) ?? 0,
        settle: () => {
          firmware.hasSettled = true;
        },
      },
      line: {
        unplug: async () => line.unplug(),
        replug: path => line.plug(path),
        unplugAt: async (point, lines) => line.faults.arm({ fault: 'unplug', point, lines }),
        waitingFaults: () => line.faults.list().length,
        corrupt: async (fault, lines) => line.faults.arm({ fault, lines }),
        lose: number => simulated.lose(number),
        garbage: async (bytes, lineFeeds) => line.garbage(bytes, lineFeeds),
        delay: async (ms, jitterMs) => line.setLatency(ms, jitterMs),
        stall: async on => line.stall(on),
      },
      restart: async () => firmware.restart(),
      forget: async () => firmware.forget(),
      async close() {
        await reader.close();
        simulated.close();
        time.stop();
        await echo.close();
      },
    };
  },
});
