import type { ActorKind } from '@florin/shared/actor.ts';
import type { ExportedList } from '@florin/shared/contracts/api-v1/exports.ts';
import type { StaffLogDetail } from '@florin/shared/contracts/api-v1/staff-logs.ts';
import type { AuditKind } from '../rows.ts';

/** What an entry tells, as its sentence needs it: amounts are formatted already, and what is not known is empty. */
export type Told = {
  /** Who did it, as the beginning of a sentence. */
  readonly who: string;
  /** Whether anything is known of who did it. */
  readonly isKnown: boolean;
  readonly status: string | null;
  readonly reason: string | null;
  /** The staff member whose password was checked, or whose record was changed. */
  readonly staff: string;
  /** The staff member whose request was to be approved; empty if it was their own. */
  readonly requestedBy: string;
  readonly amount: string;
  readonly sats: string;
  readonly invoiceNumber: string;
  /** The name of the record that was changed. */
  readonly name: string;
  /** The name of the role that somebody got. */
  readonly role: string;
  readonly exportedList: string;
  /** What the permissions are called that somebody lacked. */
  readonly missingPermissions: readonly string[];
  /** What was done to it: `created`, `revoked` … */
  readonly change: string;
  /** The other facts of the entry by their names. Text only. */
  readonly text: (fact: string) => string;
  readonly list: (fact: string) => readonly string[];
  readonly value: (fact: string) => unknown;
};

type Sentence = (told: Told) => string;
type Name = (name: string) => string;

/** Actors without a name of their own. */
export type NamelessActor = Extract<ActorKind, 'operator' | 'system'> | 'nobody';
export type CheckRefusal =
  | 'invalid_signature'
  | 'permission_denied'
  | 'limit_exceeded'
  | 'daily_limit_exceeded'
  | StaffLogDetail;
export type AccountChange =
  | 'password'
  | 'totp_added'
  | 'totp_removed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'recovery_codes';
export type StaffChange = 'created' | 'password' | 'password_reset' | 'unlocked' | 'profile';
export type TerminalChange =
  | 'created'
  | 'enrolment_code_made'
  | 'enrolled'
  | 'removed'
  | 'unlocked'
  | 'mode'
  | 'tamper_reported'
  | 'entries_missing'
  | 'profile';
export type TeamChange =
  | 'member_invited'
  | 'invitation_withdrawn'
  | 'invitation_accepted'
  | 'member_joined'
  | 'member_removed'
  | 'role_given'
  | 'role_deleted'
  | 'role_defined'
  | 'role_changed';
/** Of keys, gateway accounts and endpoints of webhooks. */
export type RecordChange =
  | 'created'
  | 'changed'
  | 'revoked'
  | 'deleted'
  | 'enabled'
  | 'disabled'
  | 'secret_rotated'
  | 'made_default';
export type SettingChange =
  | 'notification_recipient_added'
  | 'notification_recipient_changed'
  | 'notification_recipient_removed'
  | 'tip_link_created'
  | 'tip_link_deleted'
  | 'bitcoin_backend_set'
  | 'audit_log_resealed'
  | 'personal_data_erased';
export type SettingName =
  | 'name'
  | 'addressLines'
  | 'countryCode'
  | 'currency'
  | 'locale'
  | 'timeZone'
  | 'accentColour'
  | 'logo'
  | 'receiptFooter'
  | 'receiptKey'
  | 'passwordProtectRefundsAndVoids'
  | 'paymentLinksEnabled'
  | 'counter.quickAmountsInCents'
  | 'counter.confirmAboveInCents'
  | 'counter.playsSounds'
  | 'counter.saleReference'
  | 'counter.tipPercents'
  | 'paymentMethods.card'
  | 'paymentMethods.wallets'
  | 'paymentMethods.lightning'
  | 'paymentMethods.onchain'
  | 'checkouts';

/** What can be wrong with a log. */
export type FaultKind =
  | 'entry_missing'
  | 'entry_not_linked'
  | 'entry_changed'
  | 'head_missing'
  | 'head_changed'
  | 'head_not_reached'
  | 'noted_head_missing'
  | 'log_changed'
  | 'other_key'
  | 'refund_not_authorised'
  | 'refund_not_recorded';

/** What is said about the entries of the audit log, in one language. Sentences have no full stop. */
export type AuditWords = {
  /** The subject is the sequence of an entry, or the id of a refund. */
  readonly faults: Readonly<Record<FaultKind, (subject: string) => string>>;
  readonly actors: Readonly<Record<NamelessActor, string>>;
  readonly lists: Readonly<Record<ExportedList, string>>;
  /** What a permission is called; of an unknown one its code. */
  readonly permissionName: (code: string) => string;
  readonly sentences: Readonly<Record<Exclude<AuditKind, keyof ByChange | 'setting_changed'>, Sentence>>;
  readonly changes: ByChange;
  readonly settings: Readonly<Record<SettingChange, Sentence>>;
  readonly settingNames: Readonly<Record<SettingName, string>>;
  readonly setting: {
    readonly unknown: Name;
    readonly switched: (who: string, setting: string, isOn: boolean) => string;
    readonly removed: (who: string, setting: string) => string;
    readonly changed: (who: string, setting: string, value: string) => string;
  };
};

/** Kinds whose entries say what was changed. */
export type ByChange = {
  readonly staff_changed: Readonly<Record<StaffChange, Sentence>>;
  readonly terminal_changed: Readonly<Record<TerminalChange, Sentence>>;
  readonly team_changed: Readonly<Record<TeamChange, Sentence>>;
  readonly portal_user_changed: Readonly<Record<AccountChange | 'changed', Sentence>>;
  readonly api_key_changed: Readonly<Record<RecordChange, Sentence>>;
  readonly kiosk_key_changed: Readonly<Record<RecordChange, Sentence>>;
  readonly gateway_account_changed: Readonly<Record<RecordChange, Sentence>>;
  readonly webhook_changed: Readonly<Record<RecordChange, Sentence>>;
};
