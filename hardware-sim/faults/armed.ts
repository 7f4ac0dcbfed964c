import { unreachable } from '@florin/shared/result.ts';

/** Faults that are armed for later lines. */
export const faultNames = ['unplug', 'flip', 'drop', 'duplicate', 'lose_result', 'approve_then_unplug'] as const;
export type FaultName = (typeof faultNames)[number];

/** Where an armed unplug occurs: at a line of the reader, or at a request of the host. */
export type UnplugPoint = 'before_line' | 'mid_line' | 'after_line' | 'on_request';

/** For `unplug` the line at which it occurs, for others the number of remaining lines. */
export type ArmedFault = { readonly fault: FaultName; readonly lines: number; readonly point?: UnplugPoint };

export class ArmedFaults {
  readonly #armed = new Map<FaultName, ArmedFault>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  list(): readonly ArmedFault[] {
    return [...this.#armed.values()];
  }

  /** Arms a fault, replacing an earlier one of its kind. */
  arm(next: ArmedFault): void {
    this.#armed.set(next.fault, next);
    this.#onChange();
  }

  /** Whether the fault applies to the current line; counts down. */
  takes(fault: Exclude<FaultName, 'unplug'>): boolean {
    const armed = this.#armed.get(fault);
    if (armed === undefined) return false;
    this.#countDown(armed);
    return true;
  }

  /** The kind of disconnection at the current line, if any. */
  unplugsAt(passing: 'line' | 'request'): UnplugPoint | undefined {
    const armed = this.#armed.get('unplug');
    if (armed === undefined || (armed.point === 'on_request') !== (passing === 'request')) return undefined;
    this.#countDown(armed);
    return armed.lines === 1 ? armed.point : undefined;
  }

  clear(fault?: FaultName): void {
    if (fault === undefined) this.#armed.clear();
    else this.#armed.delete(fault);
    this.#onChange();
  }

  #countDown(armed: ArmedFault): void {
    if (armed.lines > 1) this.#armed.set(armed.fault, { ...armed, lines: armed.lines - 1 });
    else this.#armed.delete(armed.fault);
    this.#onChange();
  }
}

/** A one-line description of an armed fault. */
export function aboutFault({ fault, lines, point = 'before_line' }: ArmedFault): string {
  const next = lines === 1 ? 'next line' : `next ${lines} lines`;
  switch (fault) {
    case 'unplug':
      return aboutUnplug(point, lines === 1 ? 'next line' : `line number ${lines} from now`);
    case 'flip':
      return `Changes one bit in ${lines === 1 ? 'the' : 'each of the'} ${next} of the reader`;
    case 'drop':
      return `Loses the ${next} of the reader`;
    case 'duplicate':
      return `Sends the ${next} of the reader twice`;
    case 'lose_result':
      return 'Loses the next result on its way to the terminal';
    case 'approve_then_unplug':
      return 'Pulls the cable in place of the next approval';
    default:
      return unreachable(fault);
  }
}

function aboutUnplug(point: UnplugPoint, line: string): string {
  switch (point) {
    case 'before_line':
      return `Pulls the cable in place of the reader’s ${line}`;
    case 'mid_line':
      return `Sends half of the reader’s ${line}, then pulls the cable`;
    case 'after_line':
      return `Pulls the cable with the last byte of the reader’s ${line}`;
    case 'on_request':
      return `Pulls the cable at the terminal’s ${line}`;
    default:
      return unreachable(point);
  }
}
