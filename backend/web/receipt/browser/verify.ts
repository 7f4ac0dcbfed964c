import { customerLanguages } from '@florin/shared/languages.ts';
import { documentIn } from '@florin/shared/receipts/document.ts';
import { addressesFor, checkReceipt } from '@florin/shared/receipts/verdict.ts';
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
const keysFrom = element('keys-from');
const verdict = element('verdict');
/** The service that the page is of, also once it is saved: no address in a document is ever asked. */
const issuer = element('verifier').dataset.issuer ?? '';
/** Of two checks that overlap, the later one is shown. */
let checks = 0;

document.documentElement.lang = language;
document.title = words.title;
for (const each of document.querySelectorAll<HTMLElement>('[data-word]'))
  each.textContent = words[each.dataset.word as 'title'];
element('about').textContent = words.about(issuer);
const keysAddress = `${issuer}/.well-known/florin-receipts/….json`;
keysFrom.textContent = words.keysFrom(keysAddress);

/** As it is written where the reader is: in Britain not as in America. */
const region = navigator.languages.find(tag => tag.split('-')[0] === language) ?? language;
const at = (time: string) =>
  new Intl.DateTimeFormat(region, { dateStyle: 'long', timeStyle: 'long' }).format(Date.parse(time));

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), character => character.charCodeAt(0));
}

async function verify(publicKey: string, text: string, signature: string): Promise<boolean> {
  const key = await crypto.subtle.importKey('spki', bytesOf(publicKey), 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', key, bytesOf(signature), new TextEncoder().encode(text));
}

/** Null where the text is JSON and no document; undefined if it is not JSON. */
function parsed(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text) ?? null;
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

const tones = { valid: 'success', valid_then: 'attention', superseded: 'refused', not_keys: 'attention' } as const;

async function check(): Promise<void> {
  checks += 1;
  const current = checks;
  const [receipt, keys] = [receiptText.value.trim(), keysText.value.trim()];
  // Not that of the text before.
  verdict.replaceChildren();
  const [document, saved] = [parsed(receipt, documentIn), parsed(keys, JSON.parse)];
  keysFrom.textContent = words.keysFrom(addressesFor(document, issuer)?.keys ?? keysAddress);
  if (receipt === '') return;
  if (document === undefined || (keys !== '' && saved === undefined)) return show('refused', [words.notJson]);
  show('attention', [words.checking]);
  const [tone, sentences] = await found(document, keys === '' ? undefined : saved);
  if (current === checks) show(tone, sentences);
}

/** With saved keys, nothing is sent. */
async function found(document: unknown, saved: unknown): Promise<Parameters<typeof show>> {
  const addresses = addressesFor(document, issuer);
  const isAsked = saved === undefined && addresses !== undefined;
  let keys = saved;
  try {
    if (isAsked) keys = await answerFrom(addresses.keys);
  } catch {
    return ['attention', words.notReached(issuer)];
  }
  try {
    const readCurrent = isAsked ? () => currentAt(addresses.current) : undefined;
    const judged = await checkReceipt({ document, keys, isIssuerKnown: true, readCurrent, now: Date.now(), verify });
    const tone = judged.kind in tones ? tones[judged.kind as keyof typeof tones] : 'refused';
    return [tone, sentencesOf(judged, { language, at })];
  } catch (error) {
    // A key or signature that is not base64 is no signature.
    const isUnsupported = error instanceof DOMException && error.name === 'NotSupportedError';
    if (isUnsupported) return ['attention', [words.unsupported]];
    return ['refused', sentencesOf({ kind: 'altered' }, { language, at })];
  }
}

/** Null if the service has nothing there. */
async function answerFrom(address: string): Promise<unknown> {
  const answer = await fetch(address, { credentials: 'omit', cache: 'no-store', redirect: 'error' });
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return (await answer.json()) as unknown;
}

/** Undefined, so that the verdict says as of when, if the service does not answer. */
async function currentAt(address: string): Promise<unknown> {
  try {
    return await answerFrom(address);
  } catch {
    return undefined;
  }
}

async function take(file: File | undefined): Promise<void> {
  if (!file) return;
  receiptText.value = await file.text();
  await check();
}

// Otherwise the same file, chosen again, is no change.
receiptFile.addEventListener('click', () => {
  receiptFile.value = '';
});
receiptFile.addEventListener('change', () => void take(receiptFile.files?.[0]));
receiptText.addEventListener('input', () => void check());
keysText.addEventListener('input', () => void check());
document.addEventListener('dragover', event => event.preventDefault());
document.addEventListener('drop', event => {
  event.preventDefault();
  void take(event.dataTransfer?.files[0]);
});
