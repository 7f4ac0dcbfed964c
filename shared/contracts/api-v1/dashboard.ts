import { z } from 'zod';
import { contract, timestamp } from '../contract.ts';
import { json } from '../responses.ts';
import { machineWord, oneLine } from '../text.ts';

const option = z.union([oneLine(200), z.int(), z.boolean(), z.null()], {
  error: 'must be a line of text, a whole number, true, false or null',
});

/** A part of the start page. What its kind and options mean is the portal's. */
export const dashboardCard = z.object({
  kind: machineWord(50).meta({ description: 'What it shows', example: 'takings' }),
  size: z.enum(['small', 'medium', 'large']).meta({ description: 'How wide it is' }),
  options: z
    .record(machineWord(50), option, { error: 'must be an object of options' })
    .refine(options => Object.keys(options).length <= 20, { error: 'must have at most 20 options' })
    .default({})
    .meta({ description: 'How it shows it', example: { days: 14 } }),
});

const cards = z
  .array(dashboardCard, { error: 'must be a list of cards' })
  .max(50, { error: 'must have at most 50 cards' })
  .meta({
    description: 'In the order in which they are shown',
    example: [{ kind: 'takings', size: 'large', options: { days: 14 } }],
  });

export const dashboardRecord = z
  .object({
    cards,
    changedAt: timestamp.nullable().meta({ description: 'Null: nobody has arranged it yet' }),
  })
  .meta({ id: 'Dashboard' });
export type DashboardRecord = z.infer<typeof dashboardRecord>;

const tag = 'Dashboard';

export const getDashboard = contract({
  name: 'getDashboard',
  method: 'GET',
  path: '/api/v1/dashboard',
  authentication: ['apiKey'],
  permissions: ['sales:read'],
  summary: 'Read the layout of the dashboard',
  description:
    'Each user of the portal has a layout, at first that of the business, which is also the one that API keys read and write.',
  tag,
  responses: { 200: json(dashboardRecord) },
  origin: 'project',
});

export const putDashboard = contract({
  name: 'putDashboard',
  method: 'PUT',
  path: '/api/v1/dashboard',
  authentication: ['apiKey'],
  permissions: ['dashboard:write'],
  summary: 'Replace the layout of the dashboard',
  tag,
  body: z.object({ cards }),
  responses: { 200: json(dashboardRecord) },
  origin: 'project',
});
