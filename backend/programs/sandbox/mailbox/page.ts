import { readFileSync } from 'node:fs';
import { withoutTypes } from '../control-page.ts';
import type { ReceivedMail } from './mail.ts';

/** The mailbox page. */
export function mailboxPage(mails: readonly ReceivedMail[]): string {
  const content =
    mails.length === 0 ? '<p>Nothing has arrived yet.</p>' : `<ol>${mails.map(mail => itemOf(mail)).join('')}</ol>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sandbox mailbox</title>
<link rel="stylesheet" href="/style.css">
<script type="module" src="/app.js"></script>
</head>
<body data-newest="${mails[0]?.id ?? ''}">
<main>
<h1>Sandbox mailbox</h1>
<p>Every e-mail that Florin sends, newest first. Programs read <a href="/messages">/messages</a>.</p>
${content}
</main>
</body>
</html>
`;
}

function itemOf({ subject, to, from, receivedAt, text }: ReceivedMail): string {
  return `<li><article><h2>${escaped(subject)}</h2><p>To ${escaped(to.join(', '))}, from ${escaped(from)}, ${escaped(receivedAt)}</p><pre>${withLinks(text)}</pre></article></li>`;
}

/** The text of a mail with its addresses as links; nothing else of it becomes markup. */
function withLinks(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/)
    .map((part, index) =>
      index % 2 === 0 ? escaped(part) : `<a href="${escaped(part)}" rel="noreferrer">${escaped(part)}</a>`,
    )
    .join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character] ?? character);
}

export const style = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
ol { list-style: none; padding: 0; }
article { border: 1px solid currentColor; border-radius: 8px; padding: 0.5rem 1rem; margin: 1rem 0; }
h2 { font-size: 1.1rem; margin: 0.5rem 0; }
a { color: inherit; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
`;

/** The page's script, without its types. */
export const script = () => withoutTypes(readFileSync(new URL('page/app.ts', import.meta.url), 'utf8'));
