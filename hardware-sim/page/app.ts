import type { ActionInput } from '../actions.ts';
import type { ScenarioState } from '../scenarios/session.ts';
import type { SimulatorState } from '../simulator.ts';
import type { TimelineEvent } from '../timeline/timeline.ts';
import { chosenCard, showInserted, showWallet, wireDrops } from './cards.ts';
import { element, make, makeButton } from './dom.ts';
import { showScenario, wireScenarios } from './scenarios.ts';
import { addEvents, forgetEvents, wireTimeline } from './timeline.ts';

/**
 * The tester's page: shows the simulator's streamed state and sends the tester's actions. It has no state of its own.
 */
const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'clear', '0', 'enter', 'cancel'] as const;
const keyNames: Record<string, string> = { clear: 'Clear', enter: 'Enter', cancel: 'Cancel' };
const glyphs: Record<string, string> = {
  idle: '',
  present: '▭ ⟫',
  insert: '▭ ⤓',
  pin: '',
  tip: '',
  wait: '• • •',
  approved: '✓',
  declined: '✕',
  stopped: '—',
  remove: '▭ ⤒',
  tampered: '!',
};
const noticeMs = 4000;

let latest: SimulatorState | undefined;
let noticeTimer: ReturnType<typeof setTimeout> | undefined;

async function act(action: ActionInput): Promise<void> {
  try {
    const response = await fetch('/api/actions', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(action),
    });
    const body: { error?: { message?: string } } = await response.json();
    notice(response.ok ? '' : `Not now: ${body.error?.message ?? response.statusText}`);
  } catch {
    notice('The simulator does not answer');
  }
}

function notice(text: string): void {
  element('notice', HTMLElement).textContent = text;
  clearTimeout(noticeTimer);
  if (text !== '') noticeTimer = setTimeout(() => notice(''), noticeMs);
}

function buildPad(): void {
  const pad = element('pad', HTMLElement);
  for (const key of keys) {
    const name = keyNames[key] ?? key;
    const button = makeButton({ text: name, label: `Key ${name}`, onClick: () => void act({ do: 'key', key }) });
    button.dataset.key = key;
    pad.append(button);
  }
}

function show(state: SimulatorState): void {
  latest = state;
  showWallet(state);
  const device = element('device', HTMLElement);
  device.dataset.screen = state.screen.kind;
  device.dataset.plugged = String(state.plugged);
  device.dataset.power = state.plugged || state.restarting ? 'on' : 'off';
  showConnection(state.plugged, state.restarting ? 'Restarting' : state.plugged ? 'Plugged in' : 'Unplugged');
  setText('path', state.path);
  setText('title', state.restarting ? 'Starting' : state.screen.title);
  setText('detail', state.restarting ? '' : state.screen.detail);
  setText('glyph', state.restarting ? '• • •' : (glyphs[state.screen.kind] ?? ''));
  setText('dots', '●'.repeat(state.screen.digits));
  setText('amount', state.amount === null ? '' : amountText(state.amount));
  setText('battery-level', `${state.batteryPercent} %`);
  showInserted(state);
  element('unplug', HTMLButtonElement).disabled = !state.plugged;
  element('replug', HTMLButtonElement).disabled = state.plugged;
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-unplugged]'))
    button.disabled = state.plugged;
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-pin]')) button.disabled = !usesPad(state);
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-move="remove"]'))
    button.disabled = state.insertedCard === null;
  element('tamper', HTMLElement).setAttribute('aria-checked', String(state.tampered));
  element('stall', HTMLElement).setAttribute('aria-checked', String(state.stalled));
  element('decline', HTMLSelectElement).value = state.nextDecline ?? 'none';
  const battery = element('battery', HTMLInputElement);
  if (document.activeElement !== battery) battery.value = String(state.batteryPercent);
  setText('battery-value', `${state.batteryPercent} %`);
  const latency = element('latency', HTMLInputElement);
  if (document.activeElement !== latency) latency.value = String(state.latencyMs);
  setText('latency-value', `${state.latencyMs} ms`);
  showArmed(state.armed);
  showBank(state);
  element('printer-link', HTMLElement).hidden = !state.hasPrinter;
  showTransactions(state);
}

function showConnection(isGood: boolean, text: string): void {
  setText('cable', text);
  element('cable', HTMLElement).dataset.good = String(isGood);
}

/** Leaves unchanged text alone, so that a screen reader announces only changes. */
function setText(id: string, text: string): void {
  const target = element(id, HTMLElement);
  if (target.textContent !== text) target.textContent = text;
}

/** Updated only on change: a button replaced under the pointer cannot be pressed. */
function showArmed(armed: SimulatorState['armed']): void {
  const list = element('armed', HTMLElement);
  const shown = JSON.stringify(armed);
  if (list.dataset.shown === shown) return;
  list.dataset.shown = shown;
  const items = armed.map(({ fault, about }) => {
    const item = make('li', {});
    const clear = () => void act({ do: 'clear', fault });
    item.append(make('span', { text: about }), makeButton({ text: 'Clear', label: `Clear: ${about}`, onClick: clear }));
    return item;
  });
  list.replaceChildren(...(items.length > 0 ? items : [make('li', { className: 'empty', text: 'None' })]));
}

function showBank({ bankUrl: url, hasOwnBank }: SimulatorState): void {
  element('bank-next', HTMLElement).hidden = url === null && !hasOwnBank;
  // A reader that authorises by itself undoes a payment whose reply it does not receive.
  element('lose-reply', HTMLElement).hidden = hasOwnBank;
  const place = element('bank-link', HTMLElement);
  if (url === null || place.childElementCount > 0) return;
  const link = document.createElement('a');
  link.href = url;
  link.textContent = 'Bank';
  place.append(link);
}

function showTransactions(state: SimulatorState): void {
  const rows = [...state.transactions].reverse().map(transaction => {
    const row = document.createElement('tr');
    const shown = transaction.outcome ?? transaction.state;
    row.append(
      make('td', { text: transaction.txn }),
      make('td', { text: amountText(transaction) }),
      make('td', { text: transaction.state === 'reversed' ? 'reversed' : shown }),
      make('td', { text: transaction.state === 'active' ? '' : transaction.confirmed ? 'yes' : 'not yet' }),
    );
    return row;
  });
  if (rows.length === 0) {
    const row = document.createElement('tr');
    const cell = make('td', { className: 'empty', text: 'None yet' }) as HTMLTableCellElement;
    cell.colSpan = 4;
    row.append(cell);
    rows.push(row);
  }
  element('transactions', HTMLElement).replaceChildren(...rows);
}

function amountText(amount: { amountMinor: number; currency: string; exponent: number }): string {
  const digits = String(amount.amountMinor).padStart(amount.exponent + 1, '0');
  const cut = digits.length - amount.exponent;
  const value = amount.exponent === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`;
  return `${amount.currency} ${value}`;
}

function listen(): void {
  const source = new EventSource('/api/events');
  source.addEventListener('message', event => {
    const update: { state: SimulatorState; events: TimelineEvent[]; scenario: ScenarioState } = JSON.parse(event.data);
    show(update.state);
    addEvents(update.events);
    showScenario(update.scenario);
  });
  // The browser connects again by itself.
  source.addEventListener('open', forgetEvents);
  source.addEventListener('error', () => {
    showConnection(false, 'Simulator stopped');
    element('device', HTMLElement).dataset.power = 'off';
    setText('path', 'This page connects again by itself');
  });
}

function wire(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-move]')) {
    button.addEventListener('click', () => {
      const move = button.dataset.move;
      if (move === 'remove') void act({ do: 'remove' });
      else if (move === 'insert' || move === 'tap' || move === 'swipe') void act({ do: move, card: chosenCard() });
    });
  }
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-do]'))
    button.addEventListener('click', () => void act(JSON.parse(button.dataset.do ?? '{}')));
  const onClick = (id: string, action: () => ActionInput) =>
    element(id, HTMLElement).addEventListener('click', () => void act(action()));
  onClick('unplug', () => ({ do: 'unplug' }));
  onClick('replug', () => ({ do: 'replug' }));
  onClick('tamper', () => ({ do: 'tamper', open: latest?.tampered !== true }));
  onClick('stall', () => ({ do: 'stall', on: latest?.stalled !== true }));
  const reason = element('bank-reason', HTMLSelectElement);
  onClick('bank-decline', () => ({ do: 'bank', fault: reason.value }) as ActionInput);
  const decline = element('decline', HTMLSelectElement);
  decline.addEventListener('change', () => void act({ do: 'decline', reason: decline.value } as ActionInput));
  const battery = element('battery', HTMLInputElement);
  battery.addEventListener('change', () => void act({ do: 'battery', percent: Number(battery.value) }));
  const latency = element('latency', HTMLInputElement);
  latency.addEventListener('change', () => void act({ do: 'latency', ms: Number(latency.value) }));
  element('say', HTMLFormElement).addEventListener('submit', event => {
    event.preventDefault();
    void act({ do: 'say', text: element('say-text', HTMLInputElement).value });
  });
  wireTimeline(notice);
  wireDrops(action => void act(action));
  void wireScenarios(notice);
  document.addEventListener('keydown', typeOnPad);
}

/** Whether the reader expects keys: a PIN, or the choice of a tip. */
function usesPad({ screen }: SimulatorState): boolean {
  return screen.kind === 'pin' || screen.kind === 'tip';
}

/** The keyboard types on the pad while the reader expects keys. */
function typeOnPad(event: KeyboardEvent): void {
  const target = event.target;
  if (!latest || !usesPad(latest) || target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return;
  const key = keys.find(name => name === event.key);
  if (key !== undefined) void act({ do: 'key', key });
  else if (event.key === 'Backspace') void act({ do: 'key', key: 'clear' });
  else if (event.key === 'Escape') void act({ do: 'key', key: 'cancel' });
  else if (event.key === 'Enter' && !(target instanceof HTMLButtonElement)) void act({ do: 'key', key: 'enter' });
}

function tick(): void {
  setText('clock', new Date().toTimeString().slice(0, 5));
}

// Scrollable elements are focusable, so that the keyboard can scroll them.
for (const id of ['timeline', 'scroll']) element(id, HTMLElement).tabIndex = 0;
buildPad();
wire();
listen();
tick();
setInterval(tick, 10_000);
