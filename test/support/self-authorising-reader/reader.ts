import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Line } from '@florin/hardware-sim/faults/line.ts';
import { seededRandom } from '@florin/hardware-sim/platform/real.ts';
import { serialSocket } from '@florin/hardware-sim/pty/socket.ts';
import type { Timers } from '@florin/shared/ports.ts';
import { selfAuthorisingDriver } from './driver.ts';
import { SelfAuthorisingFirmware } from './firmware.ts';

/** A reader that authorises with its own processor, on a pseudo-terminal whose cable can have every fault. */
export async function aSelfAuthorisingReader({ timers, seed = 1 }: { timers: Timers; seed?: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'florin-reader-'));
  let losesIn = 0;
  const line: Line = new Line({
    timers,
    random: seededRandom(seed),
    socket: serialSocket(join(folder, 'reader'), undefined),
    onLine: text => firmware.receive(text),
    onEvent: () => undefined,
    onChange: () => undefined,
  });
  const firmware = new SelfAuthorisingFirmware({
    timers,
    send(text) {
      losesIn -= 1;
      if (losesIn !== 0) line.send(text);
    },
  });
  await line.plug();
  return {
    driver: selfAuthorisingDriver,
    firmware,
    line,
    /** Loses the nth line that the reader sends from now on. */
    lose: (number: number) => {
      losesIn = number;
    },
    close() {
      line.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
