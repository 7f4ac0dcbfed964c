import type { Lane, TimelineEvent } from '../timeline/timeline.ts';
import { element, make } from './dom.ts';
import { eventLine, eventText, timeOf } from './event-text.ts';

/** The timeline: terminal, line, reader and bank side by side, filtered, and paused while it is read. */
const keptEvents = 10_000;
/** How many rows the newest are, and how many more each press of the button shows. */
const rowsAtOnce = 200;
const laneNames: Readonly<Record<Lane, string>> = {
  terminal: 'Terminal',
  line: 'Line',
  reader: 'Reader',
  bank: 'Bank',
};

let kept: TimelineEvent[] = [];
/** While paused: the events that are shown, and the number of the last one there was. */
let paused: { readonly events: readonly TimelineEvent[]; readonly last: number } | undefined;
let shownCount = rowsAtOnce;
/** Whether the end is in view, and stays there when more happens. */
let isAtEnd = true;
/** The events whose bytes are shown, by number. */
const opened = new Set<number>();

/** Everything that is known comes again after a new connection. */
export function forgetEvents(): void {
  kept = [];
}

/** Shows new events, or counts them while paused. */
export function addEvents(events: readonly TimelineEvent[]): void {
  if (events.length === 0) return;
  const isInOrder = !events.some((event, index) => event.at < (events[index - 1] ?? kept.at(-1) ?? event).at);
  kept.push(...events);
  // What the bank did is learnt of a little later.
  if (!isInOrder) kept.sort((one, other) => one.at - other.at || one.number - other.number);
  kept = kept.slice(-keptEvents);
  if (paused !== undefined) {
    showPause();
  } else if (isInOrder) append(events);
  else showAll();
}

/** Connects the controls: filters, pause, copy and clear. Called once. */
export function wireTimeline(notice: (text: string) => void): void {
  element('pause', HTMLButtonElement).addEventListener('click', () => {
    paused = paused === undefined ? { events: [...kept], last: lastNumber() } : undefined;
    showPause();
    showAll();
  });
  element('clear', HTMLButtonElement).addEventListener('click', () => {
    if (paused !== undefined) paused = { events: [], last: lastNumber() };
    kept = [];
    opened.clear();
    showPause();
    showAll();
  });
  element('copy', HTMLButtonElement).addEventListener('click', () => {
    const matching = matchingEvents();
    const text = matching.map(event => (opened.has(event.number) ? eventText(event) : eventLine(event))).join('\n');
    navigator.clipboard.writeText(text).then(
      () => notice(matching.length === 1 ? '1 event copied' : `${matching.length} events copied`),
      () => notice('This browser does not let the timeline be copied'),
    );
  });
  const log = element('timeline', HTMLElement);
  log.addEventListener('scroll', () => {
    isAtEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 8;
  });
  // Rows are taller in a narrower window.
  new ResizeObserver(() => following(() => undefined)).observe(element('rows', HTMLElement));
  element('earlier', HTMLButtonElement).addEventListener('click', () => {
    shownCount += rowsAtOnce;
    showAll();
  });
  for (const box of laneBoxes()) box.addEventListener('change', refilter);
  element('routine', HTMLInputElement).addEventListener('change', refilter);
  element('filter', HTMLInputElement).addEventListener('input', refilter);
}

function lastNumber(): number {
  return Math.max(0, ...kept.slice(-1_000).map(({ number }) => number));
}

function refilter(): void {
  shownCount = rowsAtOnce;
  showAll();
  showPause();
}

function laneBoxes(): HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>('input[data-lane]')];
}

/** Whether an event passes the filters, as they are now. */
function matcher(): (event: TimelineEvent) => boolean {
  const lanes = new Set(laneBoxes().flatMap(box => (box.checked ? [box.dataset.lane] : [])));
  const withRoutine = element('routine', HTMLInputElement).checked;
  const wanted = element('filter', HTMLInputElement).value.trim().toLowerCase();
  return event =>
    lanes.has(event.lane) &&
    (withRoutine || !event.isRoutine) &&
    (wanted === '' || eventText(event).toLowerCase().includes(wanted));
}

function matchingEvents(): TimelineEvent[] {
  return (paused?.events ?? kept).filter(matcher());
}

function append(events: readonly TimelineEvent[]): void {
  const matching = events.filter(matcher());
  if (matching.length === 0) return;
  // A burst, or the first rows of all.
  const rows = element('rows', HTMLElement);
  if (matching.length >= rowsAtOnce || rows.childElementCount === 0) {
    showAll();
    return;
  }
  following(() => {
    rows.append(...matching.map(rowOf));
    while (rows.childElementCount > shownCount) {
      rows.firstElementChild?.remove();
      element('earlier', HTMLElement).hidden = false;
    }
  });
}

function showAll(): void {
  const matching = matchingEvents();
  const shown = matching.slice(-shownCount);
  following(() => {
    element('rows', HTMLElement).replaceChildren(...shown.map(rowOf));
    const earlier = element('earlier', HTMLButtonElement);
    earlier.hidden = shown.length === matching.length;
    const nothing = element('nothing', HTMLElement);
    nothing.hidden = shown.length > 0;
    nothing.textContent = (paused?.events ?? kept).length === 0 ? 'Nothing has happened yet.' : 'No event matches.';
  });
}

/** Keeps the end in view if it was; otherwise what is read stays where it is. */
function following(change: () => void): void {
  const log = element('timeline', HTMLElement);
  const fromEnd = log.scrollHeight - log.scrollTop;
  const { scrollTop } = log;
  const rowsBefore = element('rows', HTMLElement).firstElementChild;
  change();
  if (isAtEnd) log.scrollTop = log.scrollHeight;
  else
    log.scrollTop =
      element('rows', HTMLElement).firstElementChild === rowsBefore ? scrollTop : log.scrollHeight - fromEnd;
}

function showPause(): void {
  const button = element('pause', HTMLButtonElement);
  button.setAttribute('aria-pressed', String(paused !== undefined));
  const last = paused?.last ?? 0;
  const withRoutine = element('routine', HTMLInputElement).checked;
  const newCount = kept.filter(({ number, isRoutine }) => number > last && (withRoutine || !isRoutine)).length;
  element('paused', HTMLElement).textContent = paused === undefined ? '' : `Paused, ${newCount} new`;
}

function rowOf(event: TimelineEvent): HTMLElement {
  const { lane, text, frame, number } = event;
  const row = make('div', { className: 'row' });
  row.dataset.lane = lane;
  row.append(make('time', { text: timeOf(event.at) }));
  row.append(make('span', { className: 'lane', text: laneNames[lane] }));
  row.append(make('span', { className: 'words', text }));
  if (frame === undefined) return row;
  const wire = make('button', { className: 'wire' }) as HTMLButtonElement;
  wire.type = 'button';
  wire.append(make('span', { text: frame.name }));
  wire.setAttribute('aria-label', `${frame.name}, bytes`);
  const raw = make('code', { className: 'raw', text: frame.raw });
  const show = () => {
    raw.hidden = !opened.has(number);
    wire.setAttribute('aria-expanded', String(!raw.hidden));
  };
  wire.addEventListener('click', () => {
    if (!opened.delete(number)) opened.add(number);
    show();
  });
  show();
  row.append(wire, raw);
  return row;
}
