import {
  createDevice,
  listDeviceAlerts,
  listDevices,
  removeDevice,
  renewEnrolmentCode,
} from '@florin/shared/contracts/api-v1/devices.ts';
import { enrolTerminal, getTerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import { syncTerminal } from '@florin/shared/contracts/device-v1/sync.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { TerminalAlertRow } from '../database/schema.ts';
import { pageBefore, pageOf } from '../http/pages.ts';
import { actorOf, answer, type Route, refused, route } from '../http/route.ts';
import type { TerminalAlerts } from './alerts.ts';
import type { EnrolmentCode, Terminal, TerminalService } from './service.ts';
import type { SyncService } from './sync.ts';

type Services = {
  readonly terminals: TerminalService;
  readonly sync: SyncService;
  readonly alerts: TerminalAlerts;
};

export function terminalRoutes(services: Services): Route[] {
  return [...deviceApiRoutes(services), ...managementRoutes(services)];
}

/** What the terminals themselves call. */
function deviceApiRoutes({ terminals, sync }: Services): Route[] {
  return [
    route(enrolTerminal, async ({ body }) => {
      const enrolled = await terminals.enrol(body);
      if (enrolled.ok) return answer(201, enrolled.value);
      const { kind: reason } = enrolled.refusal;
      if (reason === 'enrolment_signature_invalid')
        return refused(400, 'signature: must be by the key the terminal enrols with', { reason });
      return refused(409, 'This enrolment code is unknown, used or expired; ask for a new one', { reason });
    }),
    route(getTerminalConfiguration, async ({ caller }) =>
      answer(200, await terminals.configuration(caller.businessId, caller.terminalId)),
    ),
    route(syncTerminal, async ({ caller, body }) => {
      const { serverTime, ...rest } = await sync.sync(caller, body);
      return answer(200, { ...rest, serverTime: iso(serverTime) });
    }),
  ];
}

/** What a merchant's own programs call. */
function managementRoutes({ terminals, alerts }: Services): Route[] {
  const unknown = () => refused(404, 'There is no such terminal');
  return [
    route(listDevices, async ({ caller, query }) => {
      const { items, nextCursor } = await terminals.list(caller.businessId, query);
      return answer(200, { items: items.map(deviceRecord), nextCursor });
    }),
    route(
      createDevice,
      async ({ caller, body, once }) => {
        const wanted = { ...body, businessId: caller.businessId, by: actorOf(caller) };
        // The code is shown once: what is stored for repetitions of the call leaves it out.
        const answerOf = (terminal: Terminal) => answer(201, { ...deviceRecord(terminal), enrolment: null });
        const made = await terminals.create(wanted, once && { call: once, answerOf });
        return answer(201, { ...deviceRecord(made.terminal), enrolment: codeRecord(made.enrolment) });
      },
      { flowKeepsOnce: true },
    ),
    route(
      renewEnrolmentCode,
      async ({ caller, params, once }) => {
        const answerOf = (code: EnrolmentCode) => answer(201, { ...codeRecord(code), code: null });
        const kept = once && { call: once, answerOf };
        const code = await terminals.renewCode(caller.businessId, params.id, actorOf(caller), kept);
        return code ? answer(201, codeRecord(code)) : unknown();
      },
      { flowKeepsOnce: true },
    ),
    route(listDeviceAlerts, async ({ caller, params, query }) => {
      const terminal = await terminals.find(caller.businessId, params.id);
      if (!terminal) return unknown();
      const rows = await alerts.list({ terminalId: terminal.id, ...pageBefore(query) });
      const { items, nextCursor } = pageOf(rows, query.limit, ({ id }) => id);
      return answer(200, { items: items.map(alertRecord), nextCursor });
    }),
    route(removeDevice, async ({ caller, params }) => {
      const found = await terminals.remove(caller.businessId, params.id, actorOf(caller));
      return found ? answer(200, { removed: true }) : unknown();
    }),
  ];
}

function deviceRecord(terminal: Terminal) {
  const { id, name, mode, serial, enrolledAt, lastSeenAt, createdAt } = terminal;
  const orNull = (instant: Instant | null) => (instant === null ? null : iso(instant));
  return {
    id,
    name,
    mode,
    serial,
    enrolledAt: orNull(enrolledAt),
    lastSeenAt: orNull(lastSeenAt),
    createdAt: iso(createdAt),
  };
}

function alertRecord({ id, kind, reason, message, entryJson, createdAt }: TerminalAlertRow) {
  return { id, kind, reason, message, entry: JSON.parse(entryJson) as unknown, createdAt: iso(createdAt) };
}

function codeRecord(code: EnrolmentCode) {
  return { code: code.code, expiresAt: iso(code.expiresAt) };
}

function iso(instant: Instant): string {
  return new Date(instant).toISOString();
}
