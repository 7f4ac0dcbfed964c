import { z } from 'zod';
import { contract, timeGiven, timestamp } from '../contract.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';
import { actorRecord } from './actors.ts';

/** The kinds of entry of the audit log. */
export const auditKinds = [
  'refund_check',
  'void_check',
  'staff_changed',
  'api_key_changed',
  'kiosk_key_changed',
  'terminal_changed',
  'setting_changed',
  'gateway_account_changed',
  'webhook_changed',
  'export_requested',
  'refund_requested',
  'refund_resolved',
  'payment_resolved',
  'payment_recorded',
  'discrepancy_resolved',
  'bitcoin_claim_returned',
  'withdrawal_requested',
  'withdrawal_resolved',
  'team_changed',
  'portal_user_changed',
  'sign_in_refused',
  'permission_refused',
] as const;
const auditKind = z.enum(auditKinds).meta({ description: 'What kind of act it was' });

const hash = (what: string) => z.string().meta({ description: what, example: 'a'.repeat(64) });
const recordId = (example: string) =>
  z
    .string()
    .regex(/^[a-z]+_[0-9A-Za-z]{6,64}$/, { error: 'must be the id of a record' })
    .optional()
    .meta({ example: `${example}_019a8f3e6b7c7d2e8a1b2c3d4e5f6071` });

export const auditEntryRecord = z
  .object({
    id: z.string().meta({ example: 'aud_019a8f3e6b7c7d2e8a1b2c3d4e5f6071' }),
    sequence: z.int().meta({ description: 'Its place in the log of the business, from 1, without gaps', example: 42 }),
    kind: auditKind,
    actor: actorRecord,
    sentence: z.string().meta({ description: 'What happened', example: 'Ada revoked the API key “Till software”.' }),
    status: z.string().nullable().meta({ description: 'The outcome of a check or decision', example: null }),
    reason: z.string().nullable().meta({ description: 'Why a check was refused', example: null }),
    details: z.record(z.string(), z.unknown()).meta({
      description: 'The facts as they were at that time',
      example: { change: 'revoked', name: 'Till software' },
    }),
    attemptedAt: timestamp.meta({ description: 'When it happened: earlier than recorded, if a terminal was offline' }),
    recordedAt: timestamp,
    previousHash: hash('Of the entry before it'),
    hash: hash('Of this entry: SHA-256 of all that it says and of the previous hash'),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntryRecord = z.infer<typeof auditEntryRecord>;

export const auditVerificationRecord = z
  .object({
    result: z.enum(['intact', 'broken', 'checking']).meta({
      description:
        '`intact`: every entry follows from the one before it, the last one is sealed, and refunds by staff and the entries that authorise them match one to one; `broken`: the log was changed outside the service; `checking`: a long log is still being read, ask again',
    }),
    length: z.int().nullable().meta({ description: 'The number of entries checked; null while checking', example: 42 }),
    head: z
      .string()
      .nullable()
      .meta({ description: 'The hash of the last of them: note it elsewhere', example: 'a'.repeat(64) }),
    problem: z
      .object({
        sequence: z.int().nullable().meta({ description: 'The entry that is wrong, if it is one', example: 17 }),
        message: z.string().meta({ description: 'What is wrong', example: 'its contents were changed' }),
      })
      .nullable()
      .meta({ description: 'Of a broken log, the first one found' }),
    checkedAt: timestamp.nullable().meta({ description: 'When it was read; null while checking' }),
  })
  .meta({ id: 'AuditVerification' });
export type AuditVerificationRecord = z.infer<typeof auditVerificationRecord>;

const tag = 'Audit log';

export const listAuditEntries = contract({
  name: 'listAuditEntries',
  method: 'GET',
  path: '/api/v1/audit',
  authentication: ['apiKey'],
  permissions: ['team:read'],
  summary: 'List what people, keys and terminals did, newest first',
  description:
    'Checks of staff passwords, changes of staff, keys, terminals and settings, decisions about money, and refused sign-ins and calls. Entries are never changed or deleted; they form a hash chain for each business.',
  tag,
  mayBeStale: true,
  query: pageQuery('audit').extend({
    actorId: recordId('key').describe('Done by this staff member, user, key or terminal'),
    subjectId: recordId('staff').describe('About this record: a staff member, terminal, payment, refund, key …'),
    kind: auditKind.optional(),
    from: timeGiven.optional().meta({ description: 'Recorded at or after this time' }),
    to: timeGiven.optional().meta({ description: 'Recorded before this time' }),
  }),
  responses: { 200: json(listOf(auditEntryRecord)) },
  origin: 'project',
});

export const verifyAudit = contract({
  name: 'verifyAudit',
  method: 'GET',
  path: '/api/v1/audit/verification',
  authentication: ['apiKey'],
  permissions: ['team:read'],
  summary: 'Check that the audit log was not changed',
  description:
    'The whole log is read at most once a minute; until then the last result is given, with its time. A long log is read in the background.',
  tag,
  responses: { 200: json(auditVerificationRecord) },
  origin: 'project',
});
