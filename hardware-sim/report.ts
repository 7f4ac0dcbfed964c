import { arch, platform, release } from 'node:os';
import manifest from './package.json' with { type: 'json' };
import { eventText } from './page/event-text.ts';
import type { TesterSession } from './scenarios/session.ts';
import type { ReaderSimulator } from './simulator.ts';

/** A bug report as text: versions, a scenario that repeats what was done, the reader's state and its timeline. No card data. */
export function bugReport({ simulator, session }: { simulator: ReaderSimulator; session: TesterSession }): string {
  const { wallet: _, ...state } = simulator.state();
  return [
    '# Report of a simulated card reader',
    '',
    `- Simulator ${manifest.version}, protocol ${simulator.protocol}, seed ${simulator.seed}, pseudo-terminal by ${simulator.backend}`,
    `- Node ${process.version}, ${platform()} ${release()} ${arch()}`,
    '',
    '## What was done, as a scenario',
    '',
    'Save it as a file and play it with `npm run hardware-sim -- --script FILE`, or paste it on the page.',
    '',
    '```yaml',
    session.recording().trimEnd(),
    '```',
    '',
    '## State',
    '',
    '```json',
    JSON.stringify(state, null, 2),
    '```',
    '',
    '## Timeline (UTC)',
    '',
    '```',
    ...simulator.timeline.events.map(eventText),
    '```',
    '',
  ].join('\n');
}
