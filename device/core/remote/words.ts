import type { BodyInputOf } from '@florin/shared/contracts/contract.ts';
import type {
  reportSaleProgress,
  saleEndReason,
  saleProgressStage,
} from '@florin/shared/contracts/device-v1/commands.ts';
import type { TerminalActivity } from '@florin/shared/contracts/terminal-sales.ts';
import { unreachable } from '@florin/shared/result.ts';
import type { z } from 'zod';
import type { Screen } from '../../ipc/view.ts';
import type { BitcoinOutcome } from '../bitcoin/machine.ts';
import type { SaleOutcome } from '../sales/context.ts';

/** The stage of a sale as reported to the software that started it; undefined if it did not change. */
export function stageOfScreen(screen: Screen): z.infer<typeof saleProgressStage> | undefined {
  if (screen.name !== 'sale') return undefined;
  const { stage } = screen;
  switch (stage) {
    case 'starting':
    case 'waiting_for_reader':
      return 'awaiting_reader';
    case 'remove_previous_card':
      return 'awaiting_card_removal';
    case 'present_card':
    case 'insert_card':
      return 'awaiting_card';
    case 'card_inserted':
    case 'card_tapped':
    case 'card_swiped':
    case 'choose_application':
    case 'enter_pin':
    case 'wrong_pin':
      return 'card_read';
    case 'checking':
      return 'unknown_outcome';
    case 'authorising':
    case 'finishing':
    case 'remove_card':
    case 'reversing':
      // The service made the request to the bank itself, so it needs no report of the response.
      return undefined;
    default:
      return unreachable(stage);
  }
}

/** The terminal's activity during the sale on its screen, for software that requests another sale. */
export function activityOfSale(screen: Screen): TerminalActivity {
  if (screen.name === 'bitcoin_sale') return 'awaiting_bitcoin';
  const isBankAsked = screen.name === 'sale' && (screen.stage === 'authorising' || screen.stage === 'checking');
  return isBankAsked ? 'awaiting_bank' : 'sale';
}

/** The reason a sale ended, as the service names it. `isCustomers`: the buttons of the screen are pressed by the customer. */
export function endReasonOf(
  { why }: SaleOutcome | BitcoinOutcome,
  { isCustomers }: { readonly isCustomers: boolean },
): z.infer<typeof saleEndReason> {
  switch (why) {
    case 'reader_confirmed':
    case 'reader_gone':
    case 'bitcoin_paid':
      return 'completed';
    case 'bank_declined':
      return 'declined';
    case 'card_refused':
      return 'card_refused';
    case 'customer':
      return 'customer_cancelled';
    case 'staff':
    case 'bitcoin_cancelled':
    case 'bitcoin_withdrawn':
      return isCustomers ? 'customer_cancelled' : 'staff_cancelled';
    case 'no_card':
      return 'no_card';
    case 'bitcoin_expired':
      return 'expired';
    case 'reader_not_found':
    case 'reader_not_available':
      return 'reader_not_available';
    case 'interrupted':
      return 'interrupted';
    case 'bank_failed':
    case 'bank_timeout':
    case 'service_not_reached':
    case 'service_refused':
    case 'voided':
    case 'disagree':
    case 'bitcoin_underpaid':
    case 'bitcoin_refused':
      return 'failed';
    case 'reader_forgot':
      return 'outcome_unknown';
    default:
      return unreachable(why);
  }
}

type Report = BodyInputOf<typeof reportSaleProgress>['report'];

/** The progress of a refund that software requested; undefined if the service already knows it. */
export function reportOfRefund(screen: Screen): Report | undefined {
  if (screen.name === 'return_progress') return undefined;
  if (screen.name !== 'return_result') return { kind: 'stage', stage: 'awaiting_staff' };
  switch (screen.outcome) {
    case 'approved':
      return { kind: 'ended', reason: 'completed' };
    case 'declined':
    case 'failed':
      return { kind: 'ended', reason: screen.outcome };
    case 'refused':
      return { kind: 'ended', reason: 'not_authorised' };
    case 'withdrawn':
      // Reported when it was withdrawn.
      return undefined;
    case 'pending':
      return { kind: 'stage', stage: 'unknown_outcome' };
  }
}
