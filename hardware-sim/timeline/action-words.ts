import type { Action } from '../actions.ts';
import { cardOf, lastFourOf } from '../cards/wallet.ts';
import { aboutFault } from '../faults/armed.ts';
import type { Happening } from './timeline.ts';

const keyNames: Readonly<Record<string, string>> = { enter: 'Enter', clear: 'Clear', cancel: 'Cancel' };

type Words = { readonly [Do in Action['do']]: (action: Extract<Action, { do: Do }>) => Happening | undefined };

const words: Words = {
  insert: ({ card }) => reader(`Customer inserts ${cardName(card)}`),
  tap: ({ card }) => reader(`Customer taps ${cardName(card)}`),
  swipe: ({ card }) => reader(`Customer swipes ${cardName(card)}`),
  remove: () => reader('Customer removes the card'),
  key({ key }) {
    const name = keyNames[key];
    return name === undefined
      ? { ...reader('Customer presses a digit'), isRoutine: true }
      : reader(`Customer presses ${name}`);
  },
  pin: ({ pin }) => reader(`Customer types ${pin === 'ok' ? 'the' : 'a wrong'} PIN`),
  decline: ({ reason }) =>
    reader(reason === 'none' ? 'No decline armed' : `Armed: the next decline, ${spaced(reason)}`),
  reboot: () => reader('Restarts'),
  wipe: () => reader('Memory wiped; restarts'),
  battery: ({ percent }) => reader(`Battery at ${percent} %`),
  tamper: ({ open }) => reader(open ? 'Tamper switch opened' : 'Tamper switch closed'),
  host_timeout: ({ ms }) => reader(`Waits ${ms} ms for the terminal’s answer from now on`),
  bank: ({ request, fault }) => ({
    lane: 'bank',
    text: `Armed for the next ${request === 'any' ? '' : `${request} `}request: ${inWords(fault)}`,
  }),
  unplug: ({ mode, afterLines }) =>
    mode === 'clean' ? undefined : armed(aboutFault({ fault: 'unplug', point: mode, lines: afterLines })),
  flip: ({ lines }) => armed(aboutFault({ fault: 'flip', lines })),
  drop: ({ lines }) => armed(aboutFault({ fault: 'drop', lines })),
  duplicate: ({ lines }) => armed(aboutFault({ fault: 'duplicate', lines })),
  lose_result: () => armed(aboutFault({ fault: 'lose_result', lines: 1 })),
  approve_then_unplug: () => armed(aboutFault({ fault: 'approve_then_unplug', lines: 1 })),
  latency: ({ ms }) => line(ms === 0 ? 'No latency' : `Latency of ${ms} ms`),
  garbage: ({ bytes }) => line(`${bytes} bytes of noise from the reader`),
  stall: ({ on }) => line(on ? 'The reader stops reading and answering' : 'The reader reads again'),
  clear: ({ fault }) => line(fault === undefined ? 'Armed faults cleared' : `Armed fault cleared: ${spaced(fault)}`),
  // The cable tells of these, and the node is not in the timeline.
  replug: () => undefined,
  say: () => undefined,
  wait: () => undefined,
  node: () => undefined,
};

/** What a tester or customer does, in words; undefined for what shows otherwise or not at all. */
export function aboutAction<Do extends Action['do']>(action: Extract<Action, { do: Do }>): Happening | undefined {
  const about = words[action.do] as (action: Extract<Action, { do: Do }>) => Happening | undefined;
  return about(action);
}

function cardName(id: string): string {
  const card = cardOf(id);
  return card === undefined ? 'a card' : `${card.name}, ending ${lastFourOf(card)}`;
}

const reader = (text: string): Happening => ({ lane: 'reader', text });
const line = (text: string): Happening => ({ lane: 'line', text });
const armed = (text: string): Happening => line(`Armed: ${text.charAt(0).toLowerCase()}${text.slice(1)}`);

function spaced(name: string): string {
  return name.replaceAll('_', ' ');
}

/** `loseReply` is `lose reply`. */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
}
