import { type Permission, permissions } from '@florin/shared/permissions.ts';
import type { AuditWords, CheckRefusal, RecordChange, Told } from './audit-words.ts';

const quoted = (text: string) => (text === '' ? '' : ` “${text}”`);
const listed = (items: readonly string[]) => (items.length === 0 ? '' : `: ${items.join(', ')}`);
const satoshis = ({ sats }: Told) => (sats === '' ? 'bitcoin' : sats);
const amountOf = ({ amount }: Told) => (amount === '' ? '' : ` of ${amount}`);
const member = ({ staff }: Told) => staff || 'a staff member';

const refusals: Readonly<Record<CheckRefusal, string>> = {
  invalid_signature: 'the password was wrong',
  permission_denied: 'the permission to refund and void is missing',
  limit_exceeded: 'it is over the limit for one refund',
  daily_limit_exceeded: 'it is over the daily limit',
  password_change_required: 'a temporary password has to be changed first',
  staff_disabled: 'the staff member is disabled',
  locked_out: 'the staff member is locked out',
  terminal_locked_out: 'the terminal is locked out',
  service_unreachable: 'the terminal could not reach the service',
};

const requested = ({ requestedBy }: Told) => (requestedBy === '' ? '' : `, which ${requestedBy} requested`);

function checked(told: Told, unrequested: string): string {
  const what = `${unrequested}${requested(told)}`;
  if (told.status === 'authorized')
    return `${told.staff || told.who} ${told.requestedBy === '' ? 'authorised' : 'approved'} ${what}`;
  const why = [told.text('detail'), told.reason ?? ''].find(reason => Object.hasOwn(refusals, reason));
  const [first = '', ...rest] = what;
  const reason = why === undefined ? 'the check failed' : refusals[why as CheckRefusal];
  return `${first.toUpperCase()}${rest.join('')} was refused to ${member(told)}: ${reason}`;
}

const sale = ({ invoiceNumber }: Told) => ` of ${invoiceNumber || 'a sale'}`;
const decided = (told: Told, what: string) =>
  `${told.who} decided on evidence that a ${what} whose outcome the gateway did not report ${told.text('outcome') === 'approved' ? 'was approved' : 'failed'}`;

/** What was done to a record of this kind. */
function recordChanges(kind: string, nameOf: (told: Told) => string): Record<RecordChange, (told: Told) => string> {
  const did = (verb: string) => (told: Told) => `${told.who} ${verb} the ${kind}${quoted(nameOf(told))}`;
  return {
    created: did('created'),
    changed: did('changed'),
    revoked: did('revoked'),
    deleted: did('deleted'),
    enabled: did('enabled'),
    disabled: did('disabled'),
    secret_rotated: did('rotated the secret of'),
    made_default: did('chose as the default'),
  };
}
const byName = ({ name }: Told) => name;
const terminal = ({ name }: Told) => `the terminal${quoted(name)}`;

export const english: AuditWords = {
  faults: {
    entry_missing: sequence => `entry ${sequence} is missing`,
    entry_not_linked: () => 'it does not follow from the entry before it',
    entry_changed: () => 'its contents were changed',
    head_missing: () => 'the head of the log is missing',
    head_changed: () => 'the head of the log was changed outside the service',
    head_not_reached: () => 'the last entries are missing: the chain does not reach its head',
    noted_head_missing: () => 'the log does not contain the head noted earlier',
    log_changed: () => 'the log was changed outside the service before its last entries were written',
    other_key: () => 'the head of the log was sealed with another key: set SECRETS_KEY to the key of the service',
    refund_not_authorised: refundId => `refund ${refundId} by staff has no entry that authorises it as it is recorded`,
    refund_not_recorded: () => 'it authorises a refund that is not recorded so',
  },
  actors: { operator: 'An operator of the service', system: 'The service', nobody: 'Somebody' },
  lists: {
    payments: 'payments',
    refunds: 'refunds',
    transactions: 'transactions',
    settlements: 'settlements',
    'refund-log': 'refund log',
    'void-log': 'void log',
    audit: 'audit log',
  },
  permissionName: code => permissions[code as Permission]?.[0] ?? code,
  sentences: {
    refund_check: told => checked(told, `a refund${amountOf(told)}${sale(told)}`),
    void_check: told => checked(told, `the void${sale(told)}`),
    export_requested: ({ who, exportedList }) => `${who} exported the list${quoted(exportedList)}`,
    refund_requested: told => {
      if (told.text('kind') === 'CANCEL') return `${told.who} requested the void${sale(told)}`;
      return told.sats === ''
        ? `${told.who} requested a refund${amountOf(told)}${sale(told)}`
        : `${told.who} recorded a refund of ${told.sats}${sale(told)}`;
    },
    refund_resolved: told => decided(told, 'refund'),
    payment_resolved: told => decided(told, 'payment'),
    payment_recorded: told => `${told.who} recorded a sale${amountOf(told)} that its reader had taken by itself`,
    discrepancy_resolved: ({ who, status }) =>
      `${who} decided a disagreement with the gateway: ${status === 'gateway_right' ? 'the gateway is right' : 'our records are right'}`,
    bitcoin_claim_returned: told =>
      `${told.who} recorded that ${satoshis(told)} were returned to a customer in transaction${quoted(told.text('txId'))}`,
    withdrawal_requested: told =>
      `${told.who} asked to withdraw ${satoshis(told)} to${quoted(told.text('destination'))}`,
    withdrawal_resolved: ({ who, text }) =>
      `${who} decided that a withdrawal was ${text('outcome') === 'completed' ? 'sent' : 'not sent'}`,
    sign_in_refused: ({ who, isKnown, text }) =>
      `A sign-in${text('email') !== '' ? ` as ${text('email')}` : isKnown ? ` as ${who}` : ''} was refused`,
    permission_refused: ({ who, text, missingPermissions }) =>
      `${who} was refused${quoted(text('operation'))} for lack of permission${listed(missingPermissions)}`,
  },
  changes: {
    staff_changed: {
      created: told => `${told.who} added the staff member ${told.staff}`,
      password: told => `${told.who} changed the password of ${member(told)}`,
      password_reset: told => `${told.who} gave ${member(told)} a new temporary password`,
      unlocked: told => `${told.who} unlocked ${member(told)}`,
      profile: told => `${told.who} changed the permissions or limits of ${member(told)}`,
    },
    terminal_changed: {
      created: told => `${told.who} added ${terminal(told)}`,
      enrolment_code_made: told => `${told.who} made an enrolment code for ${terminal(told)}`,
      enrolled: told => `${told.who} enrolled as ${terminal(told)}`,
      removed: told => `${told.who} removed ${terminal(told)}`,
      unlocked: told => `${told.who} unlocked ${terminal(told)}`,
      mode: told => `${told.who} switched ${terminal(told)} to ${told.text('mode')} mode`,
      tamper_reported: ({ who }) => `${who} reported that its records were changed`,
      entries_missing: ({ who, value }) => `${who} lacks ${String(value('missing'))} of its records of password checks`,
      profile: told => `${told.who} changed the name or mode of ${terminal(told)}`,
    },
    team_changed: {
      member_invited: ({ who, text }) => `${who} invited${quoted(text('email'))} to the team`,
      invitation_withdrawn: ({ who, text }) => `${who} withdrew the invitation of${quoted(text('email'))}`,
      invitation_accepted: ({ who }) => `${who} accepted an invitation to the team`,
      member_joined: ({ who }) => `${who} added a user of the portal to the team`,
      member_removed: ({ who, name }) => `${who} removed${quoted(name)} from the team`,
      role_given: ({ who, name, role }) => `${who} gave${quoted(name)} the role${quoted(role)}`,
      role_deleted: ({ who, name }) => `${who} deleted the role${quoted(name)}`,
      role_defined: ({ who, name }) => `${who} defined the role${quoted(name)}`,
      role_changed: ({ who, name }) => `${who} changed the role${quoted(name)}`,
    },
    portal_user_changed: {
      password: ({ who }) => `${who} changed their password`,
      totp_added: ({ who }) => `${who} added an authenticator app`,
      totp_removed: ({ who }) => `${who} removed their authenticator app`,
      passkey_added: ({ who }) => `${who} added a passkey`,
      passkey_removed: ({ who }) => `${who} removed a passkey`,
      recovery_codes: ({ who }) => `${who} replaced their recovery codes`,
      changed: ({ who }) => `${who} changed their sign-in`,
    },
    api_key_changed: recordChanges('API key', byName),
    kiosk_key_changed: recordChanges('kiosk key', byName),
    gateway_account_changed: recordChanges('gateway account', byName),
    webhook_changed: recordChanges('webhook endpoint', ({ text }) => text('url')),
  },
  settings: {
    notification_recipient_added: ({ who, text }) => `${who} added the notification recipient${quoted(text('email'))}`,
    notification_recipient_changed: ({ who, text, list }) =>
      `${who} changed what is sent to${quoted(text('email'))}${listed(list('kinds'))}`,
    notification_recipient_removed: ({ who, text }) =>
      `${who} removed the notification recipient${quoted(text('email'))}`,
    tip_link_created: ({ who, name }) => `${who} made the tip link${quoted(name)}`,
    tip_link_deleted: ({ who, name }) => `${who} deleted the tip link${quoted(name)}`,
    bitcoin_backend_set: ({ who }) => `${who} set the bitcoin node`,
    audit_log_resealed: ({ who, text }) => `${who} sealed the audit log anew: ${text('reason')}`,
    personal_data_erased: ({ who, value }) =>
      `${who} erased personal data of customers from ${value('records') === 1 ? '1 record' : `${String(value('records'))} records`}`,
  },
  settingNames: {
    name: 'the name of the business',
    addressLines: 'the address',
    countryCode: 'the country',
    currency: 'the currency',
    locale: 'the language',
    timeZone: 'the time zone',
    accentColour: 'the accent colour',
    logo: 'the logo',
    receiptFooter: 'the text below receipts',
    receiptKey: 'the key that signs receipts',
    passwordProtectRefundsAndVoids: 'password protection of refunds and voids',
    paymentLinksEnabled: 'payment links',
    'counter.quickAmountsInCents': 'the quick amounts at terminals',
    'counter.confirmAboveInCents': 'the amount above which a sale is confirmed',
    'counter.playsSounds': 'sounds at terminals',
    'counter.tipPercents': 'tips that customers are offered on the reader',
    'counter.saleReference': 'what staff note of a sale',
    'paymentMethods.card': 'payment by card',
    'paymentMethods.wallets': 'payment by phone wallet',
    'paymentMethods.lightning': 'payment over Lightning',
    'paymentMethods.onchain': 'payment in on-chain bitcoin',
    checkouts: 'how checkouts are embedded and signed',
  },
  setting: {
    unknown: name => `the setting${quoted(name)}`,
    switched: (who, setting, isOn) => `${who} switched ${setting} ${isOn ? 'on' : 'off'}`,
    removed: (who, setting) => `${who} removed ${setting}`,
    changed: (who, setting, value) => `${who} changed ${setting}${value === '' ? '' : ` to${quoted(value)}`}`,
  },
};
