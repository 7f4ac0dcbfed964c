import { z } from 'zod';
import { command, done, failed } from './command.ts';

const words = { other_key: 'sealed under another key', altered: 'altered since it was sealed' } as const;
/** Named in the output; the rest is counted. */
const maxNamed = 100;

export const secretsRotate = command({
  summary: 'Seal every stored secret with SECRETS_KEY that SECRETS_KEY_ACCEPTED sealed, while the service runs',
  flags: {},
  input: z.object({}),
  async run(_, { services }) {
    const { resealed, left, unreadable } = await services.secrets.rotate();
    const named = unreadable.slice(0, maxNamed);
    const json = { resealed, left, unreadableCount: unreadable.length, unreadable: named };
    const counts = `${resealed} sealed with SECRETS_KEY, ${left} left`;
    if (unreadable.length === 0 && left === 0) return done(json, [counts]);
    const lines = named.map(({ table, column, id, problem }) => `${table}.${column} of ${id}: ${words[problem]}`);
    const message =
      unreadable.length === 0
        ? `${counts}: another process still writes with the other key. Give every process the same SECRETS_KEY, then repeat`
        : `${counts}, ${unreadable.length} cannot be opened`;
    return { ...failed(message, json), lines: [message, ...lines] };
  },
});
