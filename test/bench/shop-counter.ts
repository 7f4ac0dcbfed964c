import { ReaderSimulator } from '@florin/hardware-sim/simulator.ts';
import { ScriptedService } from '../support/terminal/scripted-service.ts';

/**
 * The surroundings of a terminal, in a separate process: a reader, and a service whose bank approves at once. Each
 * message from the bench is one tap; with `paced` as its argument the reader's line is as slow as a real one.
 */
const simulator = await ReaderSimulator.start(process.argv[2] === 'paced' ? {} : { pace: 'unpaced' });
const service = new ScriptedService({ now: () => Date.now() });
await service.start();
process.on('message', () => void simulator.act({ do: 'tap', card: 'visa' }));
process.on('disconnect', () => {
  simulator.close();
  process.exit();
});
process.send?.({ readerPath: simulator.path, serviceUrl: service.url, enrolmentCode: service.enrolmentCode });
