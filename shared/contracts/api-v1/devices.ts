import { z } from 'zod';
import { changesOf, contract, id, timestamp } from '../contract.ts';
import { terminalHealth } from '../device-v1/commands.ts';
import { terminalDiagnostics } from '../device-v1/diagnostics.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';
import { modeOfTerminal } from '../terminal-mode.ts';
import { readiness } from '../terminal-sales.ts';
import { oneLine } from '../text.ts';

export const deviceRecord = z
  .object({
    id: id('dev'),
    name: z.string(),
    mode: modeOfTerminal,
    serial: z.string().nullable(),
    enrolledAt: timestamp.nullable(),
    lastSeenAt: timestamp.nullable().meta({ description: 'To the minute' }),
    createdAt: timestamp,
  })
  .meta({ id: 'Device' });

export const deviceName = oneLine(100);

/** A report about a terminal that needs manual review. */
export const deviceAlert = z
  .object({
    id: z.string(),
    kind: z.enum(['entry_refused', 'entries_missing', 'tamper_report']).meta({
      description:
        '`entry_refused`: an offline record breaks the rules of a staff check; `entries_missing`: records were removed from the terminal; `tamper_report`: it detected a change of its memory or clock',
    }),
    reason: z.string(),
    message: z.string(),
    entry: z.unknown().meta({ description: 'The terminal’s report, unchanged' }),
    createdAt: timestamp,
  })
  .meta({ id: 'DeviceAlert' });

const deviceHealth = terminalHealth
  .omit({ configurationVersion: true })
  .extend({
    configuration: z.enum(['current', 'outdated']).meta({
      description:
        'Whether the terminal uses the latest settings, staff and name. A connected terminal follows within half a minute',
    }),
    printer: terminalHealth.shape.printer.meta({ description: '`none`: no printer is set up' }),
    waitingReports: terminalHealth.shape.waitingReports.meta({
      description: 'Reports about sales and staff checks that the terminal has not delivered yet',
    }),
    clockAheadMs: terminalHealth.shape.clockAheadMs.meta({
      description: 'How far its clock is ahead of the service’s; null until it has compared them',
    }),
    problems: terminalHealth.shape.problems.meta({
      description:
        '`disk_full`: it takes no new sales; `storage_rebuilt`: its storage was damaged and repaired; `entries_refused`, `reports_refused`: the service refuses what it reports; `entries_damaged`: records of it cannot be read; `reports_of_another_business`: reports wait until it is enrolled there again',
    }),
  })
  .meta({ id: 'DeviceHealth' });

const deviceWithReadiness = deviceRecord
  .extend(readiness.shape)
  .extend({
    health: deviceHealth.nullable().meta({ description: 'As the terminal last reported; null if it has not yet' }),
  })
  .meta({ id: 'DeviceWithReadiness' });

const enrolmentCode = z
  .object({ code: z.string(), expiresAt: timestamp })
  .meta({ id: 'EnrolmentCode', description: 'Single use, entered at the terminal before it expires' });

export const listDevices = contract({
  name: 'listDevices',
  method: 'GET',
  path: '/api/v1/devices',
  authentication: ['apiKey'],
  permissions: ['devices:read'],
  summary: 'List terminals, newest first, and whether each is ready for a sale',
  tag: 'Devices',
  query: pageQuery('devices').extend({
    mode: modeOfTerminal.optional(),
    serial: oneLine(64).optional(),
    enrolled: z.enum(['true', 'false']).optional().meta({ description: 'Whether it is enrolled' }),
  }),
  responses: { 200: json(listOf(deviceWithReadiness)) },
  origin: 'project',
});

export const getDevice = contract({
  name: 'getDevice',
  method: 'GET',
  path: '/api/v1/devices/{id}',
  authentication: ['apiKey'],
  permissions: ['devices:read'],
  summary: 'Read a terminal, and whether it is ready for a sale',
  tag: 'Devices',
  params: z.object({ id: id('dev') }),
  responses: { 200: json(deviceWithReadiness) },
  errors: { 404: ['device_not_found'] },
  origin: 'project',
});

export const createDevice = contract({
  name: 'createDevice',
  method: 'POST',
  path: '/api/v1/devices',
  authentication: ['apiKey'],
  permissions: ['devices:write'],
  stepUp: true,
  summary: 'Create a terminal and the code to enrol it by',
  description: 'A repetition with the same Idempotency-Key returns the terminal with `enrolment` null.',
  tag: 'Devices',
  body: z.object({ name: deviceName, mode: modeOfTerminal.default('staff') }),
  responses: { 201: json(deviceRecord.extend({ enrolment: enrolmentCode.nullable() }).meta({ id: 'NewDevice' })) },
  idempotent: true,
  origin: 'project',
});

export const updateDevice = contract({
  name: 'updateDevice',
  method: 'PATCH',
  path: '/api/v1/devices/{id}',
  authentication: ['apiKey'],
  permissions: ['devices:write'],
  summary: 'Change the name or the mode of a terminal',
  description:
    'The terminal follows with its next sync, within half a minute. At the terminal a manager changes the mode with their staff ID and password.',
  tag: 'Devices',
  params: z.object({ id: id('dev') }),
  body: changesOf({ name: deviceName, mode: modeOfTerminal }),
  responses: { 200: json(deviceRecord) },
  errors: { 404: ['device_not_found'] },
  origin: 'project',
});

export const renewEnrolmentCode = contract({
  name: 'renewEnrolmentCode',
  method: 'POST',
  path: '/api/v1/devices/{id}/enrolment-code',
  authentication: ['apiKey'],
  permissions: ['devices:write'],
  stepUp: true,
  summary: 'Create a new enrolment code for a terminal',
  description:
    'The previous code becomes invalid. Enrolling again replaces the terminal’s token. A repetition with the same Idempotency-Key returns `code` null.',
  tag: 'Devices',
  params: z.object({ id: id('dev') }),
  responses: { 201: json(enrolmentCode.extend({ code: z.string().nullable() }).meta({ id: 'RenewedEnrolmentCode' })) },
  errors: { 404: ['device_not_found'] },
  idempotent: true,
  origin: 'project',
});

export const listDeviceAlerts = contract({
  name: 'listDeviceAlerts',
  method: 'GET',
  path: '/api/v1/devices/{id}/alerts',
  authentication: ['apiKey'],
  permissions: ['devices:read'],
  summary: 'List alerts about a terminal’s reports, newest first',
  description: 'Also for a removed terminal.',
  tag: 'Devices',
  params: z.object({ id: id('dev') }),
  query: pageQuery('device-alerts'),
  responses: { 200: json(listOf(deviceAlert)) },
  errors: { 404: ['device_not_found'] },
  origin: 'project',
});

export const getDeviceDiagnostics = contract({
  name: 'getDeviceDiagnostics',
  method: 'GET',
  path: '/api/v1/devices/{id}/diagnostics',
  authentication: ['apiKey'],
  permissions: ['devices:read'],
  summary: 'Read the end of a terminal’s log',
  description:
    'As the terminal sent it when somebody last opened its status page, which also shows `launchCode`. The log holds no secrets and no card data.',
  tag: 'Devices',
  params: z.object({ id: id('dev') }),
  responses: { 200: json(terminalDiagnostics.extend({ receivedAt: timestamp }).meta({ id: 'DeviceDiagnostics' })) },
  errors: { 404: ['device_not_found', 'diagnostics_not_received'] },
  origin: 'project',
});

export const unlockDevice = contract({
  name: 'unlockDevice',
  method: 'POST',
  path: '/api/v1/devices/{id}/unlock',
  authentication: ['apiKey'],
  permissions: ['devices:write'],
  summary: 'Unlock a terminal',
  description:
    'A terminal that caused three staff lockouts within an hour checks no password until the hour is over: 429 `too_many_attempts` with `lockedOut` `terminal`. This ends that at once. The staff members it locked out stay locked out; see POST /api/v1/staff/{id}/unlock.',
  tag: 'Devices',
  params: z.object({ id: id('dev') }),
  responses: { 200: json(z.object({ unlocked: z.literal(true) })) },
  errors: { 404: ['device_not_found'] },
  idempotent: true,
  origin: 'project',
});

export const removeDevice = contract({
  name: 'removeDevice',
  method: 'DELETE',
  path: '/api/v1/devices/{id}',
  authentication: ['apiKey'],
  permissions: ['devices:write'],
  summary: 'Remove a terminal',
  description: 'Its token is revoked from the next request on. Repeating the call is safe.',
  tag: 'Devices',
  params: z.object({ id: id('dev') }),
  responses: { 200: json(z.object({ removed: z.literal(true) })) },
  errors: { 404: ['device_not_found'] },
  origin: 'project',
});
