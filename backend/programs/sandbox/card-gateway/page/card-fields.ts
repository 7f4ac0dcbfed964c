import { cardWords, languageOf } from './card-words.ts';

/**
 * The gateway's card fields, shown in a frame of a payment page. What is typed goes to the gateway alone; the page that shows
 * them gets a token. `backend/web/pay/browser/card-fields.ts` has the messages.
 */
const asked = new URLSearchParams(location.search);
/** The only origin that receives messages. */
const shop = new URL(asked.get('origin') ?? location.origin).origin;
const words = cardWords[languageOf(asked.get('language'))];
const walletNames: Readonly<Record<string, string>> = { apple_pay: 'Apple Pay', google_pay: 'Google Pay' };

function inputOf(id: string): HTMLInputElement {
  return document.getElementById(id) as HTMLInputElement;
}

const number = inputOf('number');
const expiry = inputOf('expiry');
const code = inputOf('code');

function textOf(id: string, text: string): void {
  const place = document.getElementById(id);
  if (place) place.textContent = text;
}

function postToParent(message: Readonly<Record<string, unknown>>): void {
  parent.postMessage(message, shop);
}

function postHeight(): void {
  postToParent({ type: 'resized', height: document.documentElement.offsetHeight });
}

const digitsOf = (text: string) => text.replace(/\D/g, '');

number.addEventListener('input', () => {
  const digits = digitsOf(number.value).slice(0, 19);
  number.value = digits.replace(/(\d{4})(?=\d)/g, '$1 ');
});
expiry.addEventListener('input', event => {
  const digits = digitsOf(expiry.value).slice(0, 4);
  const isDeleting = (event as InputEvent).inputType?.startsWith('delete');
  expiry.value =
    digits.length > 2 || (digits.length === 2 && !isDeleting) ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits;
});
code.addEventListener('input', () => {
  code.value = digitsOf(code.value);
});

function passesLuhn(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, place) => {
      const doubled = Number(digit) * (place % 2 === 1 ? 2 : 1);
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
  return sum % 10 === 0;
}

function problemOfExpiry(digits: string): string {
  const month = Number(digits.slice(0, 2));
  if (digits.length !== 4 || month < 1 || month > 12) return words.enterExpiry;
  const ends = new Date(2000 + Number(digits.slice(2)), month, 1);
  return ends > new Date() ? '' : words.expired;
}

function problemOfNumber(digits: string): string {
  if (digits === '') return words.enterNumber;
  return digits.length >= 13 && passesLuhn(digits) ? '' : words.checkNumber;
}

const problems: readonly (readonly [HTMLInputElement, () => string])[] = [
  [number, () => problemOfNumber(digitsOf(number.value))],
  [expiry, () => problemOfExpiry(digitsOf(expiry.value))],
  [code, () => (/^\d{3,4}$/.test(code.value) ? '' : words.enterCode)],
];

function showProblem(input: HTMLInputElement, problem: string): void {
  input.setAttribute('aria-invalid', String(problem !== ''));
  textOf(`${input.id}-problem`, problem);
}

for (const [input, problemOf] of problems)
  input.addEventListener('input', () => {
    if (input.getAttribute('aria-invalid') === 'true' && problemOf() === '') showProblem(input, '');
  });

/** Shows what is wrong with each field; whether nothing is. */
function check(): boolean {
  for (const [input, problemOf] of problems) showProblem(input, problemOf());
  const wrong = problems.find(([, problemOf]) => problemOf() !== '');
  wrong?.[0].focus();
  postHeight();
  return wrong === undefined;
}

async function makeToken(method: string, card: Readonly<Record<string, string>>): Promise<void> {
  const body = JSON.stringify(card);
  const headers = { 'content-type': 'application/json' };
  const made = await fetch('/tokens', { method: 'POST', headers, body }).catch(() => undefined);
  const answer = made?.ok ? ((await made.json()) as { paymentToken: string }) : undefined;
  if (answer) postToParent({ type: 'token', method, paymentToken: answer.paymentToken });
  else postToParent({ type: 'failed' });
}

function tokenise(): void {
  if (!check()) {
    postToParent({ type: 'invalid' });
    return;
  }
  const digits = digitsOf(expiry.value);
  const card = {
    cardNumber: digitsOf(number.value),
    cardExpiryMonth: digits.slice(0, 2),
    cardExpiryYear: digits.slice(2),
  };
  void makeToken('card', { ...card, cardCVV: code.value });
}

addEventListener('message', event => {
  if (event.source !== parent || event.origin !== shop) return;
  if ((event.data as { type?: string } | null)?.type === 'tokenise') tokenise();
});
document.getElementById('card')?.addEventListener('submit', event => {
  event.preventDefault();
  postToParent({ type: 'submitted' });
});

const sheet = document.getElementById('sheet') as HTMLDialogElement;

/** The name of a wallet beside a mark that is nobody's. */
function labelOf(wallet: string): readonly (Node | string)[] {
  const mark = document.getElementById(`mark-${wallet}`) as HTMLTemplateElement;
  return [mark.content.cloneNode(true), walletNames[wallet] ?? wallet];
}

/** Asks as the sheet of a wallet does. What it supplies is a test card that the bank approves without a check. */
function openSheet(wallet: string): void {
  postToParent({ type: 'started' });
  const title = document.getElementById('sheet-title');
  title?.replaceChildren(...labelOf(wallet));
  // The Escape key gives no value.
  sheet.returnValue = '';
  sheet.onclose = () => {
    if (sheet.returnValue !== 'pay') return postToParent({ type: 'cancelled' });
    const card = { cardNumber: '4929421234600821', cardExpiryMonth: '01', cardExpiryYear: '30', cardCVV: '356' };
    void makeToken(wallet, card);
  };
  sheet.showModal();
  // Not a button: a key that is held down would press it, too.
  title?.focus();
}

function showWallets(names: readonly string[]): void {
  const place = document.getElementById('wallets');
  for (const name of names) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'wallet';
    button.append(...labelOf(name));
    button.addEventListener('click', () => openSheet(name));
    place?.append(button);
  }
  for (const id of ['wallets', 'or']) document.getElementById(id)?.toggleAttribute('hidden', names.length === 0);
}

document.documentElement.lang = languageOf(asked.get('language'));
document.title = words.title;
for (const each of document.querySelectorAll<HTMLElement>('[data-word]'))
  each.textContent = words[each.dataset.word as keyof typeof words];
expiry.placeholder = words.expiryFormat;
code.placeholder = words.codeFormat;
textOf('sheet-shop', asked.get('shop') ?? '');
textOf('sheet-total', asked.get('total') ?? '');
showWallets((asked.get('wallets') ?? '').split(',').filter(name => name in walletNames));
new ResizeObserver(postHeight).observe(document.body);
postToParent({ type: 'ready', height: document.documentElement.offsetHeight });
