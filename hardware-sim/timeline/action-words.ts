import type { Action } from '../actions.ts';
import { cardOf, lastFourOf } from '../cards/wallet.ts';
import { aboutFault } from '../faults/armed.ts';
import type { Happening } from './timeline.ts';

const keyNames: Readonly<Record<string, string>> = { enter: 'Enter', clear: 'Clear', cancel: 'Cancel' };
const moves = { insert: 'inserts', tap: 'taps', swipe: 'swipes' } as const;

/**
 * What a tester or customer does, in words; undefined for what shows otherwise: the cable says itself that it is pulled.
 */
export function aboutAction(action: Action): Happening | undefined {
  switch (action.do) {
    case 'insert':
    case 'tap':
    case 'swipe':
      return reader(`Customer ${moves[action.do]} ${cardName(action.card)}`);
    case 'remove':
      return reader('Customer removes the card');
    case 'key': {
      const name = keyNames[action.key];
      return name === undefined
        ? { ...reader('Customer presses a digit'), isRoutine: true }
        : reader(`Customer presses ${name}`);
    }
    case 'pin':
      return reader(`Customer types ${action.pin === 'ok' ? 'the' : 'a wrong'} PIN`);
    case 'decline':
      return reader(
        action.reason === 'none' ? 'No decline armed' : `Armed: the next decline, ${spaced(action.reason)}`,
      );
    case 'reboot':
      return reader('Restarts');
    case 'wipe':
      return reader('Memory wiped; restarts');
    case 'battery':
      return reader(`Battery at ${action.percent} %`);
    case 'tamper':
      return reader(action.open ? 'Tamper switch opened' : 'Tamper switch closed');
    case 'host_timeout':
      return reader(`Waits ${action.ms} ms for the terminal’s answer from now on`);
    case 'bank':
      return { lane: 'bank', text: `Armed for the next ${action.request} request: ${inWords(action.fault)}` };
    default:
      return aboutLine(action);
  }
}

function aboutLine(action: Action): Happening | undefined {
  switch (action.do) {
    case 'unplug':
      return action.mode === 'clean'
        ? undefined
        : armed(aboutFault({ fault: 'unplug', point: action.mode, lines: action.afterLines }));
    case 'flip':
    case 'drop':
    case 'duplicate':
      return armed(aboutFault({ fault: action.do, lines: action.lines }));
    case 'lose_result':
    case 'approve_then_unplug':
      return armed(aboutFault({ fault: action.do, lines: 1 }));
    case 'latency':
      return line(action.ms === 0 ? 'No latency' : `Latency of ${action.ms} ms`);
    case 'garbage':
      return line(`${action.bytes} bytes of noise from the reader`);
    case 'stall':
      return line(action.on ? 'The reader stops reading and answering' : 'The reader reads again');
    case 'clear':
      return line(action.fault === undefined ? 'Armed faults cleared' : `Armed fault cleared: ${spaced(action.fault)}`);
    default:
      return undefined;
  }
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
