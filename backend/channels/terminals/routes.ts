import {
  createDevice,
  getDeviceDiagnostics,
  listDeviceAlerts,
  removeDevice,
  renewEnrolmentCode,
  updateDevice,
} from '@florin/shared/contracts/api-v1/devices.ts';
import { sendDiagnostics } from '@florin/shared/contracts/device-v1/diagnostics.ts';
import { enrolTerminal, getTerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import { changeTerminalMode, managerRequiredMessage } from '@florin/shared/contracts/device-v1/mode.ts';
import { pingTerminal, syncTerminal } from '@florin/shared/contracts/device-v1/sync.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { type Authenticators, bearerAuthenticator } from '../../foundation/http/authenticate.ts';
import { actorOf } from '../../foundation/http/callers.ts';
import { pageBefore, pageOf } from '../../foundation/http/pages.ts';
import { errorBy, type ProblemTable } from '../../foundation/http/problems.ts';
import { fail, type Route, respond, route } from '../../foundation/http/route.ts';
import { staffError } from '../../people/staff/problems.ts';
import type { TerminalAlerts } from './alerts.ts';
import type { DiagnosticsOfTerminals } from './diagnostics.ts';
import type { TerminalAlertRow } from './rows.ts';
import type { EnrolmentCode, EnrolmentRefusal, Terminal, TerminalService } from './service.ts';
import type { SyncService } from './sync.ts';

type Services = {
  readonly terminals: TerminalService;
  readonly sync: SyncService;
  readonly alerts: TerminalAlerts;
  readonly diagnostics: DiagnosticsOfTerminals;
};

/**
 * Accepts device tokens as bearer tokens; a token of a removed terminal, or from before its last enrolment, is a 401.
 */
export function terminalAuthenticators(terminals: TerminalService): Authenticators {
  return { deviceToken: bearerAuthenticator('device token', terminals.authenticate) };
}

/**
 * The HTTP operations of terminals themselves, and those that manage terminals. An enrolment code is in the first
 * response only.
 */
export function terminalRoutes(services: Services): Route[] {
  return [...deviceApiRoutes(services), ...managementRoutes(services)];
}

/** Operations called by terminals. */
function deviceApiRoutes({ terminals, sync, diagnostics }: Services): Route[] {
  return [
    route(enrolTerminal, async ({ body }) => {
      const enrolled = await terminals.enrol(body);
      if (enrolled.ok) return respond(201, enrolled.value);
      return errorBy(enrolmentProblems, enrolled.refusal);
    }),
    route(getTerminalConfiguration, async ({ caller }) =>
      respond(200, await terminals.configuration(caller.businessId, caller.terminalId)),
    ),
    route(changeTerminalMode, async ({ caller, body }) => {
      const { businessId, terminalId } = caller;
      const changed = await terminals.changeMode({ businessId, terminalId, ...body });
      if (changed.ok) return respond(200, { mode: changed.value });
      const { refusal } = changed;
      return refusal.kind === 'manager_required'
        ? fail(403, 'manager_required', managerRequiredMessage)
        : staffError(refusal, sync);
    }),
    route(sendDiagnostics, async ({ caller, body }) => {
      await diagnostics.receive(caller.terminalId, body);
      return respond(200, { received: true });
    }),
    route(pingTerminal, async () => respond(200, { serverTime: iso(sync.now()) })),
    route(syncTerminal, async ({ caller, body }) => {
      const { serverTime, ...rest } = await sync.sync(caller, body);
      return respond(200, { ...rest, serverTime: iso(serverTime) });
    }),
  ];
}

const enrolmentProblems = {
  enrolment_signature_invalid: {
    status: 400,
    path: 'signature',
    message: 'must be made with the key the terminal enrols with',
  },
  enrolment_code_invalid: {
    status: 409,
    message: 'This enrolment code is unknown, used or expired; ask for a new one',
  },
} as const satisfies ProblemTable<EnrolmentRefusal['kind']>;

/** Operations called by a merchant's own programs. */
function managementRoutes({ terminals, alerts, diagnostics }: Services): Route[] {
  const unknown = () => fail(404, 'device_not_found', 'There is no such terminal');
  return [
    route(createDevice, async ({ caller, body, call }) => {
      const input = { ...body, businessId: caller.businessId, by: actorOf(caller) };
      // The code is shown once: the stored idempotent response omits it.
      const withoutCode = (terminal: Terminal) => respond(201, { ...deviceRecord(terminal), enrolment: null });
      const made = await terminals.create(input, call.storing(withoutCode));
      return respond(201, { ...deviceRecord(made.terminal), enrolment: codeRecord(made.enrolment) });
    }),
    route(renewEnrolmentCode, async ({ caller, params, call }) => {
      const withoutCode = (code: EnrolmentCode) => respond(201, { ...codeRecord(code), code: null });
      const code = await terminals.renewCode(caller.businessId, params.id, actorOf(caller), call.storing(withoutCode));
      return code ? respond(201, codeRecord(code)) : unknown();
    }),
    route(listDeviceAlerts, async ({ caller, params, query }) => {
      const terminal = await terminals.find(caller.businessId, params.id);
      if (!terminal) return unknown();
      const rows = await alerts.list({ terminalId: terminal.id, ...pageBefore(query) });
      const { items, nextCursor } = pageOf(rows, query, ({ id }) => id);
      return respond(200, { items: items.map(alertRecord), nextCursor });
    }),
    route(getDeviceDiagnostics, async ({ caller, params }) => {
      const terminal = await terminals.find(caller.businessId, params.id);
      if (!terminal) return unknown();
      const sent = await diagnostics.of(terminal.id);
      if (!sent) return fail(404, 'diagnostics_not_received', 'Open the status page of the terminal to have it sent');
      const { launchCode, appVersion, platform, logJson, receivedAt } = sent;
      const log = JSON.parse(logJson) as string[];
      return respond(200, { launchCode, appVersion, platform, log, receivedAt: iso(receivedAt) });
    }),
    route(updateDevice, async ({ caller, params, body: { name, mode } }) => {
      const change = { ...(name === undefined ? {} : { name }), ...(mode === undefined ? {} : { mode }) };
      const changed = await terminals.change(caller.businessId, params.id, { ...change, by: actorOf(caller) });
      return changed ? respond(200, deviceRecord(changed)) : unknown();
    }),
    route(removeDevice, async ({ caller, params }) => {
      const found = await terminals.remove(caller.businessId, params.id, actorOf(caller));
      return found ? respond(200, { removed: true }) : unknown();
    }),
  ];
}

/** A terminal as the API shows it. */
export function deviceRecord(terminal: Terminal) {
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
