import { once } from 'node:events';
import { connect } from 'node:net';
import { ReaderSimulator } from '@florin/hardware-sim/simulator.ts';
import { expect, onTestFinished, test } from 'vitest';

/** What tills of other makers send to the simulated reader, and our driver does not. */
test('a payment that names no currency is in that of the registration', async () => {
  const simulator = await ReaderSimulator.start({ protocol: 'zvt', pace: 'unpaced', tcpPort: 0 });
  onTestFinished(() => simulator.close());
  const till = connect(Number(new URL(simulator.path).port), '127.0.0.1');
  onTestFinished(() => void till.destroy());
  await once(till, 'connect');
  const frames = () => simulator.timeline.events.map(({ frame }) => frame?.name);
  till.write(Buffer.from('060006000000be0826', 'hex'));
  await expect.poll(frames).toContain('06 0F');
  till.write(Buffer.from('800000', 'hex'));
  till.write(Buffer.from('06010704000000001250', 'hex'));
  await expect.poll(() => simulator.state().amount).toMatchObject({ amountMinor: 1_250, currency: 'GBP' });
});
