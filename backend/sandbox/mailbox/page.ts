import type { ReceivedMail } from './mail.ts';

/** The mailbox for people: read anew every two seconds, without a script. */
export function mailboxPage(mails: readonly ReceivedMail[]): string {
  const content =
    mails.length === 0 ? '<p>Nothing has arrived yet.</p>' : `<ol>${mails.map(mail => itemOf(mail)).join('')}</ol>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="2">
<title>Sandbox mailbox</title>
<link rel="stylesheet" href="/style.css">
</head>
<body>
<h1>Sandbox mailbox</h1>
<p>Every e-mail that Florin sends, newest first. Programs read <a href="/messages">/messages</a>.</p>
${content}
</body>
</html>
`;
}

function itemOf({ subject, to, from, receivedAt, text }: ReceivedMail): string {
  return `<li><article><h2>${escaped(subject)}</h2><p>To ${escaped(to.join(', '))}, from ${escaped(from)}, ${escaped(receivedAt)}</p><pre>${escaped(text)}</pre></article></li>`;
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
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
`;
