import type { LogEntry } from '../simulator.ts';
import { element, make } from './dom.ts';

/** The line log: filtered by direction and text, paused while it is read. */
const keptLines = 300;
let waiting: LogEntry[] = [];

/** Shows new entries, or keeps them while paused. */
export function addLines(entries: readonly LogEntry[]): void {
  waiting = [...waiting, ...entries].slice(-keptLines);
  if (!isPaused()) showWaiting();
}

/** Connects the controls of the log: pause, clear, copy of the visible lines, and filters. Called once. */
export function wireLog(notice: (text: string) => void): void {
  const pause = element('pause', HTMLButtonElement);
  pause.addEventListener('click', () => {
    pause.setAttribute('aria-pressed', String(!isPaused()));
    pause.textContent = isPaused() ? 'Paused' : 'Pause';
    if (!isPaused()) showWaiting();
  });
  element('clear', HTMLButtonElement).addEventListener('click', () => {
    waiting = [];
    element('log', HTMLElement).replaceChildren();
  });
  element('copy', HTMLButtonElement).addEventListener('click', () => {
    const shown = linesOf().filter(line => !line.hidden);
    const text = shown.map(line => line.textContent).join('\n');
    navigator.clipboard.writeText(text).then(
      () => notice(`${shown.length} lines copied`),
      () => notice('This browser does not let the log be copied'),
    );
  });
  for (const box of directionBoxes()) box.addEventListener('change', filterAll);
  element('filter', HTMLInputElement).addEventListener('input', filterAll);
}

function isPaused(): boolean {
  return element('pause', HTMLButtonElement).getAttribute('aria-pressed') === 'true';
}

function directionBoxes(): HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>('input[data-direction]')];
}

function linesOf(): HTMLElement[] {
  return [...element('log', HTMLElement).children].filter(child => child instanceof HTMLElement);
}

function filterAll(): void {
  for (const line of linesOf()) filter(line);
}

function filter(line: HTMLElement): void {
  const shown = directionBoxes().some(box => box.checked && box.dataset.direction === line.dataset.direction);
  const wanted = element('filter', HTMLInputElement).value.toLowerCase();
  line.hidden = !shown || !(line.textContent ?? '').toLowerCase().includes(wanted);
}

function showWaiting(): void {
  const log = element('log', HTMLElement);
  const atEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 8;
  for (const entry of waiting) {
    const line = make('p', {});
    line.dataset.direction = entry.direction;
    const time = make('time', { text: new Date(entry.at).toISOString().slice(14, 23) });
    const arrow = entry.direction === 'host' ? '→' : entry.direction === 'reader' ? '←' : '⚡';
    line.append(time, ' ', make('span', { className: entry.direction, text: `${arrow} ${entry.text}` }));
    filter(line);
    log.append(line);
  }
  waiting = [];
  while (log.childElementCount > keptLines) log.firstElementChild?.remove();
  if (atEnd) log.scrollTop = log.scrollHeight;
}
