import { hash } from 'node:crypto';
import type { Actor } from '@florin/shared/actor.ts';
import type { StaffMember, TerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import { argon2Parameters } from '@florin/shared/contracts/device-v1/enrolment.ts';
import type { TerminalMode } from '@florin/shared/contracts/terminal-mode.ts';
import type { Clock, Ids, Instant, Log, Random } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { canonicalEnrolment } from '@florin/shared/signing/canonical.ts';
import { verifyText } from '@florin/shared/signing/ed25519.ts';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import { type DurableWrite, unkeyedWrite } from '../../foundation/idempotency/call.ts';
import { type CredentialUse, isWellFormed, newSecret, secretHash } from '../../foundation/secret.ts';
import type { ChangeLog } from '../../people/businesses/change-log.ts';
import type { BusinessService } from '../../people/businesses/service.ts';
import { counterOf } from '../../people/businesses/settings.ts';
import type { CheckedModeChange, StaffChecks } from '../../people/staff/authorisation.ts';
import type { ModeChangeRefusal } from '../../people/staff/refusal.ts';
import type { StaffWithTotal } from '../../people/staff/store.ts';
import { newEnrolmentCode, normalisedCode } from './enrolment-code.ts';
import { insertEnrolment, machineWithKey } from './outbox-store.ts';
import type { TerminalRow } from './rows.ts';
import {
  enrolTerminal,
  insertTerminal,
  recordTerminalSeen,
  removeTerminal,
  setEnrolmentCode,
  setMachine,
  setMode,
  setProfile,
  type TerminalList,
  terminalByCodeHash,
  terminalById,
  terminalByTokenHash,
  terminalsOfBusiness,
} from './store.ts';

export type Terminal = Pick<TerminalRow, 'id' | 'name' | 'mode' | 'serial' | 'enrolledAt' | 'lastSeenAt' | 'createdAt'>;
type ConfiguredTerminal = Pick<TerminalRow, 'id' | 'name' | 'mode'>;
export type EnrolmentCode = { readonly code: string; readonly expiresAt: Instant };
export type EnrolmentRefusal = { readonly kind: 'enrolment_code_invalid' | 'enrolment_signature_invalid' };

export type TerminalOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly changes: ChangeLog;
  readonly log: Log;
  readonly businesses: BusinessService;
  /** All staff of a business, with their daily refund totals. */
  readonly staffOf: (businessId: string) => Promise<readonly StaffWithTotal[]>;
  readonly takesBitcoin: (businessId: string) => Promise<boolean>;
  /** Whether the service has a mail server. */
  readonly sendsEmails: boolean;
  readonly lockout: TerminalConfiguration['lockout'];
  readonly enrolmentCodeLifetimeMs: number;
  readonly checkModeChange: StaffChecks['checkModeChange'];
  readonly brand: string;
  readonly events: Events;
};

/** Precision of a terminal's last-seen time. */
const lastSeenResolutionMs = 60_000;

/** Terminals: created with a single-use code, enrolled, configured, removed. decisions: Devices. */
export function terminalService(options: TerminalOptions) {
  const { database, clock, ids, random, changes, businesses, log, events } = options;
  const tokenPrefix = deviceTokenPrefix(options.brand);

  function recordSeen(row: TerminalRow, now: Instant): void {
    if (row.lastSeenAt !== null && now - row.lastSeenAt < lastSeenResolutionMs) return;
    // A failure to record the time does not refuse the request.
    database
      .write(tx => tx.run(recordTerminalSeen, { id: row.id, now }))
      .catch((error: unknown) =>
        log.warn({ terminalId: row.id, err: error }, 'could not save when a terminal was last seen'),
      );
  }

  function freshCode(): EnrolmentCode & { readonly hash: string } {
    const code = newEnrolmentCode(random);
    return { code, expiresAt: clock.now() + options.enrolmentCodeLifetimeMs, hash: secretHash(normalisedCode(code)) };
  }

  const change = (what: string, terminal: { id: string; name: string; businessId: string }, by: Actor) => ({
    businessId: terminal.businessId,
    kind: 'terminal_changed' as const,
    terminalId: terminal.id,
    by,
    detail: { change: what, name: terminal.name },
  });

  /** Notifies a connected terminal, or ends its stream: the token is checked before an event is sent. */
  function announceProfile(tx: Transaction, { id, businessId, name, mode }: TerminalRow, by: Actor): void {
    const payload = { name, mode };
    events.announce(tx, { type: 'terminal.profile_changed', businessId, subjectId: id, by, payload });
  }

  /** The configuration of any terminal of a business. */
  async function configurationsOf(
    businessId: string,
  ): Promise<(terminal: ConfiguredTerminal) => TerminalConfiguration> {
    const business = await businesses.find(businessId);
    if (!business) throw new Error(`there is no business ${businessId}`);
    const { id, name, countryCode, currency, locale, timeZone, passwordProtectRefundsAndVoids } = business;
    const staff = await options.staffOf(id);
    const shared = {
      business: {
        id,
        name,
        countryCode,
        currency,
        locale,
        timeZone,
        passwordProtectRefundsAndVoids,
        counter: counterOf(business),
        takesBitcoin: await options.takesBitcoin(id),
        emailsReceipts: options.sendsEmails,
      },
      terminal: undefined,
      lockout: { attemptsPerRound: options.lockout.attemptsPerRound, durationsMs: [...options.lockout.durationsMs] },
      staff: staff.map(staffMemberOf),
    };
    return ({ id: terminalId, name: terminalName, mode }) => {
      const content = { ...shared, terminal: { id: terminalId, name: terminalName, mode } };
      return { version: hash('sha256', JSON.stringify(content)).slice(0, 32), ...content };
    };
  }

  async function configurationOf(terminal: TerminalRow): Promise<TerminalConfiguration> {
    return (await configurationsOf(terminal.businessId))(terminal);
  }

  return {
    /** The terminal of a token; undefined once it was removed or enrolled again. */
    async authenticate(token: string, use: CredentialUse = 'request') {
      if (!isWellFormed(token, tokenPrefix)) return undefined;
      const row = await database.first(terminalByTokenHash, { tokenHash: secretHash(token) });
      if (!row || row.removedAt !== null) return undefined;
      if (use === 'request') recordSeen(row, clock.now());
      const { businessId, machineId, id: terminalId } = row;
      return { kind: 'deviceToken' as const, businessId, terminalId, machineId };
    },

    /** Creates a terminal with its enrolment code. */
    async create(
      input: {
        readonly businessId: string;
        readonly name: string;
        readonly mode: Terminal['mode'];
        readonly by: Actor;
      },
      write: DurableWrite<Terminal> = unkeyedWrite(database),
    ): Promise<{ terminal: Terminal; enrolment: EnrolmentCode }> {
      const { code, expiresAt, hash: enrolmentCodeHash } = freshCode();
      const id = ids.next('dev');
      const row: TerminalRow = {
        id,
        machineId: id,
        businessId: input.businessId,
        name: input.name,
        mode: input.mode,
        serial: null,
        publicKey: null,
        tokenHash: null,
        enrolmentCodeHash,
        enrolmentCodeExpiresAt: expiresAt,
        enrolledAt: null,
        removedAt: null,
        lastSeenAt: null,
        createdAt: clock.now(),
      };
      const terminal = await write.run(async tx => {
        await tx.run(insertTerminal, row);
        await changes.append(tx, change('created', row, input.by));
        return terminalOf(row);
      });
      return { terminal, enrolment: { code, expiresAt } };
    },

    /** A new enrolment code, also for an enrolled terminal; the previous code becomes invalid. */
    async renewCode(
      businessId: string,
      id: string,
      by: Actor,
      write: DurableWrite<EnrolmentCode> = unkeyedWrite(database),
    ): Promise<EnrolmentCode | undefined> {
      const { code, expiresAt, hash: enrolmentCodeHash } = freshCode();
      const terminal = await database.first(terminalById, { businessId, id });
      if (!terminal) return undefined;
      return write.run(async tx => {
        const renewal = { businessId, id, enrolmentCodeHash, enrolmentCodeExpiresAt: expiresAt };
        if ((await tx.run(setEnrolmentCode, renewal)) === 0) return undefined;
        await changes.append(tx, change('enrolment_code_made', terminal, by));
        return { code, expiresAt };
      });
    },

    /** Consumes the code and returns the terminal's token, shown once. */
    async enrol(request: {
      readonly code: string;
      readonly serial: string;
      readonly publicKey: string;
      readonly signature: string;
    }): Promise<Result<{ deviceToken: string; configuration: TerminalConfiguration }, EnrolmentRefusal>> {
      if (!verifyText(request.publicKey, canonicalEnrolment(request), request.signature)) {
        return err({ kind: 'enrolment_signature_invalid' });
      }
      const enrolmentCodeHash = secretHash(normalisedCode(request.code));
      const terminal = await database.first(terminalByCodeHash, { enrolmentCodeHash });
      if (!terminal) return err({ kind: 'enrolment_code_invalid' });
      const deviceToken = newSecret(tokenPrefix, random);
      const { serial, publicKey } = request;
      const enrolled = await database.write(async tx => {
        const tokenHash = secretHash(deviceToken);
        const enrolment = { enrolmentCodeHash, serial, publicKey, tokenHash, now: clock.now() };
        if ((await tx.run(enrolTerminal, enrolment)) === 0) return false;
        const { id: terminalId, businessId } = terminal;
        const known = await tx.first(machineWithKey, { businessId, publicKey });
        await tx.run(insertEnrolment, { terminalId, publicKey, businessId, enrolledAt: clock.now() });
        await tx.run(setMachine, { id: terminalId, machineId: known?.machineId ?? terminalId });
        const by = { kind: 'terminal', terminalId } as const;
        if (terminal.tokenHash !== null) announceProfile(tx, terminal, by);
        await changes.append(tx, change('enrolled', terminal, by));
        return true;
      });
      if (!enrolled) return err({ kind: 'enrolment_code_invalid' });
      return ok({ deviceToken, configuration: await configurationOf(terminal) });
    },

    async configuration(businessId: string, terminalId: string): Promise<TerminalConfiguration> {
      const terminal = await database.first(terminalById, { businessId, id: terminalId });
      if (!terminal) throw new Error(`there is no terminal ${terminalId}`);
      return configurationOf(terminal);
    },

    /** The version of the configuration that each of these terminals of a business should use, by id. */
    async configurationVersions(
      businessId: string,
      terminals: readonly ConfiguredTerminal[],
    ): Promise<ReadonlyMap<string, string>> {
      if (terminals.length === 0) return new Map();
      const configured = await configurationsOf(businessId);
      return new Map(terminals.map(terminal => [terminal.id, configured(terminal).version]));
    },

    /** Includes removed terminals. */
    find: (businessId: string, id: string) => database.first(terminalById, { businessId, id }),

    /** Changes its name or mode; a connected terminal is notified at once. */
    async change(
      businessId: string,
      id: string,
      { name, mode, by }: { readonly name?: string; readonly mode?: TerminalMode; readonly by: Actor },
    ): Promise<Terminal | undefined> {
      return database.write(async tx => {
        const terminal = await tx.first(terminalById, { businessId, id });
        if (!terminal || terminal.removedAt !== null) return undefined;
        const next = { id, name: name ?? terminal.name, mode: mode ?? terminal.mode };
        await tx.run(setProfile, next);
        announceProfile(tx, { ...terminal, ...next }, by);
        const entry = change('profile', { ...terminal, name: next.name }, by);
        await changes.append(tx, { ...entry, detail: { ...entry.detail, mode: next.mode } });
        return terminalOf({ ...terminal, ...next });
      });
    },

    /** Enters or leaves kiosk mode on a manager's authorisation at the terminal. */
    changeMode: (wanted: CheckedModeChange): Promise<Result<TerminalMode, ModeChangeRefusal>> =>
      database.write(async tx => {
        const checked = await options.checkModeChange(tx, wanted);
        if (!checked.ok) return checked;
        await tx.run(setMode, { id: wanted.terminalId, mode: wanted.mode });
        return ok(wanted.mode);
      }),

    /** Revokes the terminal's token from the next request on. False if the business has no such terminal. */
    async remove(businessId: string, id: string, by: Actor): Promise<boolean> {
      const terminal = await database.first(terminalById, { businessId, id });
      if (!terminal) return false;
      await database.write(async tx => {
        if ((await tx.run(removeTerminal, { businessId, id, now: clock.now() })) === 0) return;
        announceProfile(tx, terminal, by);
        await changes.append(tx, change('removed', terminal, by));
      });
      return true;
    },

    /** Newest first without removed ones, before the id `before`. */
    async list({ enrolled, ...page }: TerminalList & { readonly enrolled: boolean | null }): Promise<Terminal[]> {
      const which = enrolled === null ? 'all' : enrolled ? 'enrolled' : 'waiting';
      return (await database.all(terminalsOfBusiness[which], page)).map(terminalOf);
    },
  };
}
export type TerminalService = ReturnType<typeof terminalService>;

/** How every device token of the brand begins, so that another credential is refused without a query. */
export function deviceTokenPrefix(brand: string): string {
  return `${brand}_device_`;
}

function terminalOf(row: TerminalRow): Terminal {
  const { id, name, mode, serial, enrolledAt, lastSeenAt, createdAt } = row;
  return { id, name, mode, serial, enrolledAt, lastSeenAt, createdAt };
}

function staffMemberOf(row: StaffWithTotal): StaffMember {
  return {
    id: row.id,
    staffNumber: row.staffNumber,
    name: row.name,
    // A disabled member is listed without the permission, also for terminals that do not know `isDisabled`: only an
    // unknown number is incorrect.
    mayRefundAndVoid: row.mayRefundAndVoid === 1 && row.disabledAt === null,
    isDisabled: row.disabledAt !== null,
    perTransactionLimitMinor: row.perTransactionLimitMinor,
    dailyLimitMinor: row.dailyLimitMinor,
    refundedTodayMinor: row.refundedMinor,
    publicKey: row.publicKey,
    salt: row.salt,
    argon2: argon2Parameters.parse(JSON.parse(row.argon2Json)),
    passwordIsTemporary: row.passwordIsTemporary === 1,
    failedAttempts: row.failedAttempts,
    lockoutRound: row.lockoutRound,
    lockedUntil: row.lockedUntil === null ? null : new Date(row.lockedUntil).toISOString(),
  };
}
