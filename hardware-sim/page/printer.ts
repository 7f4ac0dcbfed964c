import type { PrinterAction } from '../printer/actions.ts';
import type { Printed, Span } from '../printer/paper.ts';
import type { PrinterState } from '../printer/simulated-printer.ts';
import { element, make } from './dom.ts';

/** The tester's page of the receipt printer: its paper, and what may go wrong. It has no state of its own. */
let shown = '';
let latest: PrinterState | undefined;

async function act(action: PrinterAction): Promise<void> {
  await fetch('/api/printer/actions', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(action),
  });
}

function conditionOf({ isOn, isCoverOpen, isPaperEnd }: PrinterState): string {
  if (!isOn) return 'Switched off';
  if (isCoverOpen) return 'Cover open';
  return isPaperEnd ? 'Out of paper' : 'Ready';
}

function show(state: PrinterState & { readonly path: string }): void {
  latest = state;
  const condition = conditionOf(state);
  const chip = element('condition', HTMLElement);
  if (chip.textContent !== condition) chip.textContent = condition;
  chip.dataset.good = String(condition === 'Ready');
  element('path', HTMLElement).textContent = `${state.path}, ${state.language}`;
  element('power', HTMLElement).setAttribute('aria-checked', String(state.isOn));
  element('cover', HTMLElement).setAttribute('aria-checked', String(state.isCoverOpen));
  lamp('power', state.isOn);
  lamp('paper', state.isOn && state.isPaperEnd);
  lamp('error', state.isOn && (state.isCoverOpen || state.isPaperEnd));
  element('waiting', HTMLElement).textContent =
    state.waitingBytes === 0 ? '' : `${state.waitingBytes} bytes wait until it can print.`;
  element('unknown', HTMLElement).textContent =
    state.unknown.length === 0 ? '' : `Commands that it does not know: ${state.unknown.join(', ')}`;
  showPaper(state.paper);
}

function lamp(name: string, isOn: boolean): void {
  element(`lamp-${name}`, HTMLElement).dataset.on = String(isOn);
}

/** Redrawn only on change, so that text stays selected. */
function showPaper(paper: readonly Printed[]): void {
  const text = JSON.stringify(paper);
  if (text === shown) return;
  shown = text;
  element('roll', HTMLElement).replaceChildren(...paper.map(drawn));
}

function drawn(printed: Printed): HTMLElement {
  switch (printed.kind) {
    case 'cut':
      return make('hr', {});
    case 'code': {
      const place = make('p', {});
      place.dataset.align = printed.align;
      const image = document.createElement('img');
      image.src = `/api/printer/code.svg?${new URLSearchParams({ text: printed.text }).toString()}`;
      image.alt = `QR code: ${printed.text}`;
      place.append(image);
      return place;
    }
    case 'row': {
      const row = make('p', {});
      row.dataset.align = printed.align;
      row.append(...printed.spans.map(drawnSpan));
      return row;
    }
  }
}

function drawnSpan({ text, bold, underlined, inverted, width, height }: Span): HTMLElement {
  const looks = { bold, underlined, inverted, large: width > 1 && height > 1 };
  const className = Object.entries(looks).flatMap(([name, isOn]) => (isOn ? [name] : []));
  return make('span', { text, className: className.join(' ') });
}

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-do]'))
  button.addEventListener('click', () => void act(JSON.parse(button.dataset.do ?? '{}')));
element('power', HTMLElement).addEventListener('click', () => void act({ do: 'power', on: latest?.isOn !== true }));
element('cover', HTMLElement).addEventListener(
  'click',
  () => void act({ do: 'cover', open: latest?.isCoverOpen !== true }),
);
const source = new EventSource('/api/printer/events');
source.addEventListener('message', event => show(JSON.parse(event.data)));
source.addEventListener('error', () => {
  element('condition', HTMLElement).textContent = 'Simulator stopped';
});
