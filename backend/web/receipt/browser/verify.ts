import { customerLanguages } from '@florin/shared/languages.ts';
import { checkReceipt, keysAddressOf } from '@florin/shared/receipts/verdict.ts';
import { sentencesOf } from '@florin/shared/receipts/words.ts';
import { verifierWords } from './verifier-words.ts';

/** Checks signed receipts in the browser, also from a saved copy of the page. */
const wanted = [new URLSearchParams(location.search).get('lang') ?? '', ...navigator.languages];
const language =
  wanted.flatMap(tag => customerLanguages.filter(each => tag.split('-')[0] === each)).find(() => true) ?? 'en';
const words = verifierWords[language];
const element = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind;
const receiptFile = element<HTMLInputElement>('receipt-file');
const receiptText = element<HTMLTextAreaElement>('receipt-text');
const keysText = element<HTMLTextAreaElement>('keys-text');
const fetchKeys = element<HTMLButtonElement>('keys-fetch');
const keysFrom = element('keys-from');
const verdict = element('verdict');
/** Of two checks that overlap, the later one is shown. */
let checks = 0;

document.documentElement.lang = language;
document.title = words.title;
for (const each of document.querySelectorAll<HTMLElement>('[data-word]'))
  each.textContent = words[each.dataset.word as 'title'];

const at = (time: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long' }).format(Date.parse(time));

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), character => character.charCodeAt(0));
}

async function verify(publicKey: string, text: string, signature: string): Promise<boolean> {
  const key = await crypto.subtle.importKey('spki', bytesOf(publicKey), 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', key, bytesOf(signature), new TextEncoder().encode(text));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function show(tone: 'success' | 'refused' | 'attention', sentences: readonly string[]): void {
  const [title = '', ...lines] = sentences;
  const notice = document.createElement('div');
  notice.className = `notice notice-${tone}`;
  const heading = document.createElement('h2');
  heading.textContent = title;
  const paragraphs = lines.map(line => Object.assign(document.createElement('p'), { textContent: line }));
  notice.append(heading, ...paragraphs);
  verdict.replaceChildren(notice);
}

async function check(): Promise<void> {
  checks += 1;
  const current = checks;
  const document = parsed(receiptText.value);
  fetchKeys.disabled = keysAddressOf(document) === undefined;
  const [receipt, keys] = [receiptText.value.trim(), keysText.value.trim()];
  verdict.replaceChildren();
  if (receipt === '' || (keys === '' && document !== undefined)) return;
  const published = parsed(keys);
  if (document === undefined || published === undefined) return show('refused', [words.notJson]);
  try {
    const found = await checkReceipt({ document, keys: published, now: Date.now(), verify });
    if (current !== checks) return;
    const tone = found.kind === 'valid' ? 'success' : found.kind === 'not_keys' ? 'attention' : 'refused';
    show(tone, sentencesOf(found, { language, at }));
  } catch (error) {
    // A key or signature that is not base64 is no signature.
    if (current !== checks) return;
    const isUnsupported = error instanceof DOMException && error.name === 'NotSupportedError';
    if (isUnsupported) show('attention', [words.unsupported]);
    else show('refused', sentencesOf({ kind: 'altered' }, { language, at }));
  }
}

async function take(file: File | undefined): Promise<void> {
  if (!file) return;
  receiptText.value = await file.text();
  await check();
}

async function loadKeys(): Promise<void> {
  const address = keysAddressOf(parsed(receiptText.value));
  if (address === undefined) return;
  try {
    const answer = await fetch(address, { credentials: 'omit' });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    keysText.value = await answer.text();
    keysFrom.textContent = words.from(address);
  } catch {
    keysFrom.textContent = words.notFetched(address);
    return;
  }
  await check();
}

receiptFile.addEventListener('change', () => void take(receiptFile.files?.[0]));
receiptText.addEventListener('input', () => void check());
keysText.addEventListener('input', () => {
  keysFrom.textContent = '';
  void check();
});
fetchKeys.addEventListener('click', () => void loadKeys());
document.addEventListener('dragover', event => event.preventDefault());
document.addEventListener('drop', event => {
  event.preventDefault();
  void take(event.dataTransfer?.files[0]);
});
