/** Shared browser code of the sandboxes' control pages. */

const refreshEveryMs = 1000;

/** An element that index.html contains. @throws if it does not, which is a bug of the page. */
export function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no ${id}`);
  return found;
}

/** An element outside the document; the text is never parsed as HTML. */
export function make(tag: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

/** A request to the control interface. */
export async function ask(path: string, method: string, body?: object): Promise<unknown> {
  const response = await fetch(`/control/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const content: unknown = await response.json();
  if (!response.ok) throw new Error((content as { error: string }).error.replaceAll('_', ' '));
  return content;
}

/** A page that refreshes its lists every second; `resultOf` describes a request's result. */
export function controlPage(
  refresh: () => Promise<void>,
  resultOf: (path: string, content: unknown) => string = () => 'done',
) {
  async function act(label: string, path: string, body: object): Promise<void> {
    const notice = element('notice');
    try {
      notice.textContent = `${label}: ${resultOf(path, await ask(path, 'POST', body))}`;
    } catch (error) {
      notice.textContent = `${label}: ${error instanceof Error ? error.message : String(error)}`;
    }
    await refresh();
  }

  return {
    act,
    /** A button for one row of a list; `name` identifies it for a screen reader. */
    button(text: string, name: string, path: string, body: object): HTMLElement {
      const made = document.createElement('button');
      made.type = 'button';
      made.textContent = text;
      made.setAttribute('aria-label', `${text} ${name}`);
      made.addEventListener('click', () => void act(text, path, body));
      return made;
    },
    /** Activates the document's buttons and keeps the lists up to date. */
    start(): void {
      for (const one of document.querySelectorAll<HTMLButtonElement>('[data-path]'))
        one.addEventListener('click', () => {
          void act(one.textContent ?? '', one.dataset.path ?? '', JSON.parse(one.dataset.body ?? '{}') as object);
        });
      element('clear').addEventListener('click', () => void ask('faults', 'DELETE').then(refresh));
      for (const one of document.querySelectorAll<HTMLElement>('.scroll')) one.tabIndex = 0;
      const refreshOrShowError = () =>
        refresh().catch(() => {
          element('notice').textContent = 'The sandbox does not respond';
        });
      void refreshOrShowError();
      setInterval(() => void refreshOrShowError(), refreshEveryMs);
    },
  };
}

/** Shows the armed faults; `about` is the kind of request that triggers one. */
export function showFaults(faults: readonly { kind: string; about: string | undefined; times: number }[]): void {
  const items = faults.map(({ kind, about, times }) =>
    make('li', `${kind}${about === undefined ? '' : ` of ${about}`}${times === 1 ? '' : `, ${times} times`}`),
  );
  replaceIfNew('armed', items.length > 0 ? items : [none('li', 'None')]);
}

/** Shows the rows of a table, or that it has none. */
export function showRows(id: string, rows: readonly HTMLElement[]): void {
  const empty = make('tr', '');
  empty.append(none('td', 'None yet'));
  replaceIfNew(id, rows.length > 0 ? rows : [empty]);
}

function none(tag: string, text: string): HTMLElement {
  const made = make(tag, text);
  made.className = 'empty';
  return made;
}

/** Replaces children only if they changed: a button replaced under the pointer cannot be pressed. */
function replaceIfNew(id: string, children: readonly HTMLElement[]): void {
  const place = element(id);
  const next = children.map(child => child.outerHTML).join('');
  if (place.dataset.shown === next) return;
  place.dataset.shown = next;
  place.replaceChildren(...children);
}
