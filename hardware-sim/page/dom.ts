/** Finds and creates elements of the page. */
export function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${id}`);
  return found;
}

/** An element outside the document; the text is never parsed as HTML. */
export function make(tag: string, facts: { className?: string; text?: string }): HTMLElement {
  const made = document.createElement(tag);
  if (facts.className !== undefined) made.className = facts.className;
  if (facts.text !== undefined) made.textContent = facts.text;
  return made;
}

/** `label` is the accessible name: several buttons show the same text. */
export function makeButton(facts: { text: string; label: string; onClick: () => void }): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = facts.text;
  button.setAttribute('aria-label', facts.label);
  button.addEventListener('click', facts.onClick);
  return button;
}
