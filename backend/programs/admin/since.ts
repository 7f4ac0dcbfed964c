import { z } from 'zod';
import { systemClock } from '../../foundation/platform/system.ts';

export const sinceFlag = { about: 'From when on, ISO 8601 in UTC: the time of the backup' } as const;

/** The start of a comparison. From a time to come on there would be nothing to find, which looks like an all-clear. */
export const since = z.iso
  .datetime({ error: 'must be a time in UTC such as 2026-11-21T09:30:00.000Z' })
  .transform(text => Date.parse(text))
  .refine(time => time <= systemClock.now(), { error: 'must not be in the future' });
