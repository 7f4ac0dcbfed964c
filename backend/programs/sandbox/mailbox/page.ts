import { readFileSync } from 'node:fs';
import { withoutTypes } from '../control-page.ts';
import type { ReceivedMail } from './mail.ts';

/** The mailbox page. */
export function mailboxPage(mails: readonly ReceivedMail[]): string {
  const content =
    mails.length === 0
      ? '<p class="empty">Nothing has arrived yet.</p>'
      : `<ol>${mails.map(mail => itemOf(mail)).join('')}</ol>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sandbox mailbox</title>
<link rel="stylesheet" href="/design.css">
<link rel="stylesheet" href="/style.css">
<script type="module" src="/app.js"></script>
</head>
<body data-newest="${mails[0]?.id ?? ''}">
<header class="top">
<h1>Mailbox <span>sandbox</span></h1>
<p>Every e-mail that Florin sends, newest first. Programs read <a href="/messages">/messages</a>.</p>
</header>
<main>
${content}
</main>
</body>
</html>
`;
}

function itemOf({ subject, to, from, receivedAt, text }: ReceivedMail): string {
  return `<li><article class="panel"><h2>${escaped(subject)}</h2><p class="hint">To ${escaped(to.join(', '))}, from ${escaped(from)}, ${escaped(receivedAt.slice(0, 19).replace('T', ' '))} UTC</p><pre>${withLinks(text)}</pre></article></li>`;
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

/** What it has beyond the style of all pages for testers. */
export const style = `
main { max-width: 56rem; margin: 0 auto; padding: var(--space-5) var(--space-4); }
ol { display: grid; gap: var(--space-4); }
pre { margin-top: var(--space-3); font: var(--text-body) var(--font); white-space: pre-wrap; overflow-wrap: anywhere; }
.panel > h2 { margin-bottom: var(--space-1); }
`;

/** The page's script, without its types. */
export const script = () => withoutTypes(readFileSync(new URL('page/app.ts', import.meta.url), 'utf8'));
