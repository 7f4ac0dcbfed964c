import type { ActionInput } from '../actions.ts';
import type { SimulatorState } from '../simulator.ts';
import { element, make } from './dom.ts';

/** The wallet: a card is chosen and then moved with the buttons, or dragged onto the reader. */
type Move = Extract<ActionInput, { card: string }>['do'];

/** The card that the buttons move. */
export function chosenCard(): string {
  return document.querySelector<HTMLInputElement>('input[name="card"]:checked')?.value ?? '';
}

/** Builds the wallet once; its cards do not change. */
export function showWallet({ wallet }: SimulatorState): void {
  const place = element('wallet', HTMLElement);
  if (place.childElementCount > 0) return;
  for (const [index, card] of wallet.entries()) {
    const label = make('label', {});
    label.draggable = true;
    label.addEventListener('dragstart', event => {
      event.dataTransfer?.setData('text/plain', card.id);
      radio.checked = true;
      element('device', HTMLElement).dataset.dragging = 'true';
    });
    label.addEventListener('dragend', endDrag);
    const radio = document.createElement('input');
    radio.type = 'radio';
    radio.name = 'card';
    radio.value = card.id;
    radio.checked = index === 0;
    radio.setAttribute('aria-label', `${card.name}, ending ${card.lastFour}`);
    const face = make('span', { className: `face ${card.id}` });
    const name = make('span', {});
    name.append(make('strong', { text: card.name }), make('span', { className: 'about', text: card.hint }));
    face.append(name, make('span', { className: 'digits', text: `•••• ${card.lastFour}` }));
    label.append(radio, face);
    place.append(label);
  }
}

/** Lets cards be dropped: on the screen to tap, on the slot to insert, on the side to swipe. Called once. */
export function wireDrops(move: (action: ActionInput) => void): void {
  for (const target of document.querySelectorAll<HTMLElement>('[data-drop]')) {
    target.addEventListener('dragover', event => {
      event.preventDefault();
      target.dataset.over = 'true';
    });
    target.addEventListener('dragleave', () => delete target.dataset.over);
    target.addEventListener('drop', event => {
      event.preventDefault();
      delete target.dataset.over;
      move({ do: target.dataset.drop as Move, card: event.dataTransfer?.getData('text/plain') ?? '' });
    });
  }
}

function endDrag(): void {
  delete element('device', HTMLElement).dataset.dragging;
}

/** Shows the card that is in the slot. */
export function showInserted(state: SimulatorState): void {
  const inserted = element('inserted', HTMLElement);
  if ((inserted.dataset.card ?? null) === state.insertedCard) return;
  if (state.insertedCard === null) {
    delete inserted.dataset.card;
    return;
  }
  const card = state.wallet.find(({ id }) => id === state.insertedCard);
  inserted.dataset.card = state.insertedCard;
  inserted.replaceChildren(make('div', { className: `face ${state.insertedCard}`, text: card?.name ?? '' }));
}
