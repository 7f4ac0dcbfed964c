import type { AnyContract } from '@florin/shared/contracts/contract.ts';
import { ucpInvoicePath } from '@florin/shared/contracts/ucp.ts';
import { tooManyOpenStreams } from '../stream-limits.ts';

/**
 * What the reference shows as the message of each declared error: by its reason, or by operation and reason where operations
 * say it differently. In tests every response is held against it (serve.ts).
 */
const errorMessages: Readonly<Record<string, string>> = {
  already_in_team: 'This person belongs to the team already: change their role instead',
  'createUcpInvoice.amount_mismatch': 'This checkout_id has an invoice with another currency or amount',
  'createUcpInvoice.amount_out_of_range': 'amount: exceeds what can be paid over Lightning',
  address_invalid: 'address: must be a bitcoin address',
  amount_exceeds_balance: 'The amount exceeds the balance',
  'verifyUcpPayment.amount_mismatch': 'The invoice was paid with another amount than requested',
  amount_out_of_range: 'This amount is too large or too small to be paid in bitcoin here',
  api_key_not_found: 'There is no such API key',
  backup_not_supported: 'This node has no channel backup: its seed is all it needs',
  'revokeApiKey.beyond_own_permissions':
    'This key may do more than you: only somebody who holds all its permissions can revoke it',
  beyond_own_permissions: 'Nobody can give or take away permissions that they do not hold themselves',
  binding_mismatch: 'This preimage does not prove a payment of this checkout_id',
  bitcoin_backend_not_set: 'The business has no bitcoin backend',
  bitcoin_not_available: 'This terminal does not take bitcoin',
  'createCheckout.bitcoin_not_available': 'This business does not take bitcoin',
  'createTipLink.bitcoin_not_available': 'The business cannot be paid over Lightning: set its bitcoin backend first',
  business_not_found: 'There is no such business',
  checkout_not_found: 'There is no such checkout',
  claim_already_returned: 'This claim is already returned in full',
  claim_not_found: 'There is no such claim',
  'giveSecondFactor.code_wrong': 'This code is wrong or was used before',
  'confirmTotp.code_wrong': 'This code is wrong: type the one that the app shows now',
  credentials_wrong: 'The e-mail address or the password is wrong',
  currency_fixed: 'The currency cannot change after the first payment',
  currency_differs: 'currency: must be the currency of this terminal',
  delivery_not_found: 'There is no such delivery at this endpoint',
  destination_invalid: 'destination: must be a bitcoin address, a Lightning address or a Lightning invoice',
  destination_not_given: 'This destination was not given for this claim',
  destination_of_merchant:
    'destination: is where payments to the merchant arrive: give an address or an invoice of your own wallet',
  destination_required: 'Different destinations were given for this claim: name the one that was paid',
  device_not_found: 'There is no such terminal',
  diagnostics_not_received: 'Open the status page of the terminal to have it sent',
  discrepancy_already_resolved: 'This discrepancy is already resolved',
  discrepancy_not_found: 'There is no such discrepancy',
  evidence_required: 'evidence: must say what was seen and where, in at least 10 characters',
  export_failed: 'The file could not be written: export again',
  export_not_finished: 'The file is not complete yet',
  export_not_found: 'There is no such export',
  insufficient_balance: 'The balance less reserved amounts is not sufficient',
  invitation_not_found: 'There is no such invitation',
  invoice_already_used: 'This invoice was already used for a withdrawal: request a new one',
  invoice_amount_differs:
    'destination: is for a different amount than the claim: give a Lightning invoice for that amount, or without an amount',
  'claimCheckout.invoice_expired': 'destination: has expired: give a newer Lightning invoice',
  'createWithdrawal.invoice_expired': 'The invoice has expired',
  'verifyUcpPayment.invoice_expired': 'The invoice has expired unpaid: request a new one',
  invoice_invalid: 'invoice: must be a BOLT11 invoice with a valid signature',
  invoice_not_found: 'There is no invoice with the payment hash of this preimage',
  invoice_not_settled: 'This invoice is not paid yet: try again in a moment',
  invoice_without_amount: 'invoice: must have an amount in whole satoshis',
  kiosk_key_not_found: 'There is no such kiosk key',
  last_owner: 'This is the last owner: make somebody else an owner first',
  lightning_not_enabled: 'This merchant is not paid over Lightning',
  link_not_valid: 'This link is not valid any more: it works once, and for a limited time',
  merchant_not_found: 'There is no such merchant',
  name_taken: 'This lightningName is or was taken: choose another one',
  no_gateway_account: 'This business has no account at a card gateway',
  no_payment_method: 'Set up a card gateway or a bitcoin node first: customers could not pay',
  'createWithdrawal.node_unavailable': 'The node is unavailable; nothing was sent',
  'getBackup.node_unavailable': 'The node is unavailable',
  not_a_bitcoin_payment: 'Payment was made by card: refund it to the card instead',
  not_a_card_payment: 'Payment was made in bitcoin: record a bitcoin refund instead',
  nothing_to_claim: 'No claim here is waiting for a destination',
  original_sale_not_found: 'There is no such sale to refund',
  'claimCheckout.other_network': 'destination: is on another bitcoin network than the payment was',
  'createWithdrawal.other_network': 'The destination is on another network than the node',
  own_role: 'You have this role yourself: ask an owner, or a member with another role, to change it',
  page_not_found: 'There is nothing at this address',
  part_payment_refused: 'The amount is below the minimum of this payment link',
  passkey_exists: 'This passkey was added before',
  passkey_not_found: 'There is no such passkey',
  passkey_not_valid: 'This passkey does not answer the request: try again',
  password_guessable: 'This password is too easy to guess: use several unrelated words, or a password manager',
  not_own_view: 'Somebody else shared this view: removing it needs dashboard:write',
  payment_already_cancelled: 'Payment has already been cancelled',
  payment_already_refunded: 'Payment has already been refunded',
  payment_already_settled: 'Payment has settled and can only be refunded',
  payment_at_reader:
    'The card reader of a terminal authorised this payment and returns its money: void or refund it at the terminal',
  payment_declined: 'Payment was declined and took no money, so there is nothing to refund',
  payment_link_deleted: 'This payment link is deleted',
  payment_link_expired: 'This payment link has expired',
  payment_link_not_found: 'There is no such payment link',
  payment_link_not_paid: 'This link has not been paid, so there is nothing to refund',
  'deletePaymentLink.payment_link_paid': 'A paid payment link cannot be deleted',
  payment_link_paid: 'This payment link is already paid',
  payment_links_disabled: 'Payment links are not enabled for this business',
  payment_not_at_gateway: 'Payment did not reach the gateway, so there is nothing to refund',
  payment_not_decided: 'Its payment is not decided yet: resolve the payment on evidence first',
  payment_not_found: 'There is no such payment',
  payment_not_identified: 'The link has several payments: name the one you mean in paymentId',
  payment_not_pending: 'This payment is final and does not change any more',
  payment_not_settled: 'Payment has not settled yet: until it has, it can only be cancelled',
  'createLinkPayment.payment_outcome_unknown':
    'Whether an earlier payment of this link took money is not known yet: the gateway is being polled. Read the link again in a few minutes, and take no other payment for it until then',
  'deletePaymentLink.payment_outcome_unknown':
    'Whether an earlier payment of this link took money is not known yet: the gateway is being polled. Read the link again in a few minutes, and take no other payment for it until then',
  payment_outcome_unknown:
    'Whether this payment took money is not known yet: the gateway is being polled. Try again in a few minutes',
  payment_settling: 'Payment has yet to settle: it can be neither cancelled nor refunded until it has',
  provider_unavailable: 'The invoice provider cannot answer right now: try again',
  'createCheckout.rate_unavailable': 'No exchange rate is available; nothing was created',
  rate_limited: 'Too many invoices of this merchant are unpaid: try again later',
  rate_unavailable: 'The price of bitcoin is not known just now',
  recipient_exists: 'This address is already a recipient',
  recipient_not_found: 'There is no such recipient',
  refund_exceeds_payment: 'Refund exceeds original sale amount',
  refund_in_progress: 'Another refund of this payment is not decided yet',
  refund_not_decided: 'Its refund is not decided yet: resolve the refund on evidence first',
  refund_not_found: 'There is no such refund',
  refund_not_pending: 'This refund is final and does not change any more',
  remaining_changed:
    'Another amount is left of this payment than when this refund was decided on. Nothing was returned',
  return_differs: 'This transaction is already recorded with another amount or destination',
  return_exceeds_claim: 'Amount exceeds what is left to return',
  role_in_use: 'Members have this role: give them another one first',
  role_name_taken: 'There is a role with this name',
  role_not_found: 'There is no such role',
  sale_not_found: 'There is no such sale',
  sale_not_refundable: 'This sale cannot be refunded: the service is returning its money',
  sale_took_no_money: 'This sale took no money, so there is nothing to refund',
  session_not_found: 'There is no such session, or it has ended',
  saved_view_exists: 'You have a view of this list with this name already',
  saved_view_not_found: 'There is no such view',
  settlement_not_found: 'There is no such settlement',
  settlement_rejected:
    'The bank rejected the settlement of this payment: it took no money, so there is nothing to refund',
  sign_in_expired: 'This sign-in took too long: start again',
  staff_not_found: 'There is no such staff member',
  staff_number_taken: 'This staff number is taken',
  'resolvePayment.still_asking':
    'The service is still asking the gateway about this payment: evidence is accepted only after the last attempt',
  'resolveRefund.still_asking':
    'The service is still asking the gateway about this refund: evidence is accepted only after the last attempt',
  'resolveWithdrawal.still_asking':
    'The node lists its transaction or did minutes ago: it is polled before a manual decision is possible',
  team_member_not_found: 'There is no such member of the team',
  terminal_busy: 'The terminal is in use',
  terminal_not_found: 'There is no enrolled terminal with this serial',
  tip_link_not_found: 'There is no such tip link',
  too_many_attempts: 'Too many attempts: try again later',
  too_many_destinations:
    'Too many different destinations were given for this; the customer has to contact the merchant',
  [tooManyOpenStreams.metadata.reason]: tooManyOpenStreams.message,
  too_many_open_checkouts: 'Too many checkouts of this business are unpaid; use an API key or try again later',
  too_many_exports: 'Several exports of this business are running: wait for one of them',
  too_many_recipients: 'The business has reached the limit of recipients',
  too_many_saved_views: 'You have reached the limit of saved views',
  too_many_roles: 'A business can define at most 50 roles',
  too_many_webhooks: 'The business has as many endpoints as it may have: remove one first',
  totp_exists: 'There is an authenticator app already: remove it first',
  totp_not_begun: 'Ask for a secret first',
  unsupported_currency: 'currency: is not one of this merchant’s supported_currencies',
  webhook_disabled: 'This endpoint is disabled: enable it first',
  webhook_event_changed: 'This endpoint has changed to another event: change it back first',
  webhook_not_found: 'There is no such webhook endpoint',
  withdrawal_final: 'This withdrawal already has a final outcome',
  withdrawal_not_found: 'There is no such withdrawal',
  withdrawal_not_supported: 'This node does not support this kind of withdrawal',
  wrong_cancel_token: 'The cancelToken of this checkout is missing or wrong',
};

/** These messages contain facts of the request or a time, so the reference shows an example of each. */
const varyingMessages: Readonly<Record<string, string>> = {
  payment_in_progress:
    'Another payment of this link is in progress: read the link for its outcome before you take a payment or delete it',
  bitcoin_backend_test_failed: 'The node did not answer',
  settings_invalid: 'settings: are not those of this node',
};

/** The message of an error that an operation declares, as the reference shows it. */
export function documentedMessage({ name }: Pick<AnyContract, 'name'>, reason: string): string | undefined {
  return errorMessages[`${name}.${reason}`] ?? errorMessages[reason] ?? varyingMessages[reason];
}

/** How a response differs from the message in the reference; undefined if it does not. */
export function messageDifference(
  { name, path }: Pick<AnyContract, 'name' | 'path'>,
  { message, reason }: { readonly message: string; readonly reason: string },
): string | undefined {
  const isDocumented = path.startsWith('/api/v1/') || path.startsWith('/kiosk/v1/') || path === ucpInvoicePath;
  if (!isDocumented || varyingMessages[reason] !== undefined) return undefined;
  const documented = documentedMessage({ name }, reason);
  // The reference cannot be generated without it.
  return documented === undefined || documented === message
    ? undefined
    : `the reference shows "${documented}" for ${reason}, and "${message}" was returned`;
}
