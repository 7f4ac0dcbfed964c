import type { Fields } from '@florin/shared/reader-line/frame.ts';
import { unreachable } from '@florin/shared/result.ts';
import type { Dialogue } from './dialogue.ts';

/** What the reader's own screen shows. */
export type Screen = {
  readonly kind:
    | 'idle'
    | 'present'
    | 'insert'
    | 'pin'
    | 'tip'
    | 'wait'
    | 'approved'
    | 'declined'
    | 'stopped'
    | 'remove'
    | 'tampered';
  readonly title: string;
  readonly detail: string;
  /** Digits typed so far, shown as dots. */
  readonly digits: number;
};

/** In order of precedence: tampering, the dialogue, the question for a tip, the last result, a card left inside, the idle text. */
export function screenOf(reader: {
  tampered: boolean;
  dialogue: Dialogue | undefined;
  tip?: Screen | undefined;
  result: Fields | undefined;
  cardInside: boolean;
  idleText: string;
}): Screen {
  if (reader.tampered) return plain('tampered', 'Out of service', 'Tamper switch opened');
  if (reader.dialogue !== undefined) return dialogueScreen(reader.dialogue);
  if (reader.tip !== undefined) return reader.tip;
  if (reader.result !== undefined) return resultScreen(reader.result, reader.cardInside);
  if (reader.cardInside) return plain('remove', 'Remove card');
  return plain('idle', reader.idleText === '' ? 'Ready' : reader.idleText);
}

function dialogueScreen(dialogue: Dialogue): Screen {
  switch (dialogue.stage) {
    case 'present':
      return dialogue.insertInstead
        ? plain('insert', 'Insert card', 'Too much to tap')
        : plain('present', 'Present card', 'Tap, insert or swipe');
    case 'pin':
      return { kind: 'pin', title: 'Enter PIN', detail: 'Then press the green key', digits: dialogue.digits };
    case 'pin_retry': {
      const detail = dialogue.triesLeft === 1 ? 'Last try' : `${dialogue.triesLeft} tries left`;
      return { kind: 'pin', title: 'Wrong PIN', detail, digits: dialogue.digits };
    }
    case 'remove':
      return plain('remove', 'Remove card', 'Of the sale before');
    case 'online':
      return plain('wait', 'Please wait', 'Asking the bank');
    case 'tap':
    case 'inserted':
    case 'swiped':
    case 'app':
      return plain('wait', 'Please wait', 'Reading card');
    default:
      return unreachable(dialogue.stage);
  }
}

function resultScreen(result: Fields, cardInside: boolean): Screen {
  const detail = cardInside ? 'Remove card' : '';
  const outcome: string = result.outcome ?? '';
  switch (outcome) {
    case 'approved':
      return plain('approved', 'Approved', detail);
    case 'declined':
    case 'referral':
      return plain('declined', 'Declined', detail);
    case 'timeout':
      return plain('stopped', 'Timed out', detail);
    case 'cancelled':
      return plain('stopped', 'Cancelled', detail);
    default:
      return plain('stopped', 'Not completed', detail);
  }
}

function plain(kind: Screen['kind'], title: string, detail = ''): Screen {
  return { kind, title, detail, digits: 0 };
}
