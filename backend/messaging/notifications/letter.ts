import type { Letter, LetterTable } from '../../foundation/mail.ts';

/** A letter as plain text and as HTML, of the same words. */
export function letterForms(letter: Letter): { subject: string; text: string; html: string } {
  return { subject: letter.subject, text: textOf(letter), html: htmlOf(letter) };
}

const sender = 'Florin';

function textOf({ paragraphs, action, reason }: Letter): string {
  return [
    ...paragraphs.map(each => (typeof each === 'string' ? each : textTable(each))),
    ...(action ? [`${action.label}\n${action.url}`] : []),
    sender,
    ...(reason === undefined ? [] : [reason]),
  ].join('\n\n');
}

function textTable({ title, rows, isOfFigures = false }: LetterTable): string {
  const width = (column: 0 | 1) => Math.max(...rows.map(row => row[column].length));
  const lines = rows.map(([name, value]) => {
    const aligned = isOfFigures ? value.padStart(width(1)) : value;
    return `  ${name.padEnd(width(0))}  ${aligned}`;
  });
  return [...(title === undefined ? [] : [title]), ...lines].join('\n');
}

function htmlOf({ language, subject, paragraphs, action, reason }: Letter): string {
  const body = [
    ...paragraphs.map(each =>
      typeof each === 'string' ? `<p style="margin:0 0 16px">${escaped(each)}</p>` : htmlTable(each),
    ),
    ...(action
      ? [`<p style="margin:24px 0"><a href="${escaped(action.url)}" style="${button}">${escaped(action.label)}</a></p>`]
      : []),
    `<p style="margin:32px 0 0;${small}">${sender}</p>`,
    ...(reason === undefined ? [] : [`<p style="margin:4px 0 0;${small}">${escaped(reason)}</p>`]),
  ];
  return `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(subject)}</title><body style="${page}"><div style="${sheet}"><h1 style="margin:0 0 16px;font-size:20px;line-height:28px">${escaped(subject)}</h1>${body.join('')}</div></body></html>`;
}

function htmlTable({ title, rows, isOfFigures = false }: LetterTable): string {
  const caption = title === undefined ? '' : `<caption style="${heading}">${escaped(title)}</caption>`;
  const lines = rows.map(
    ([name, value]) =>
      `<tr><th scope="row" style="${label}">${escaped(name)}</th><td style="${isOfFigures ? figure : fact}">${escaped(value)}</td></tr>`,
  );
  return `<table style="${table}">${caption}${lines.join('')}</table>`;
}

const font = "font:16px/24px Inter,system-ui,-apple-system,'Segoe UI',Roboto,sans-serif";
const page = `margin:0;padding:24px 12px;background:#eef1f8;color:#0d1633;${font}`;
const sheet = 'max-width:520px;margin:0 auto;padding:32px 24px;background:#ffffff;border-radius:14px';
const button =
  'display:inline-block;padding:12px 20px;border-radius:10px;background:#1f4fe0;color:#ffffff;text-decoration:none;font-weight:600';
const small = 'color:#4a556f;font-size:12px;line-height:16px';
const table = 'width:100%;margin:0 0 16px;border-collapse:collapse;font-size:14px;line-height:20px';
const heading = 'padding:8px 0 4px;text-align:left;font-size:16px;font-weight:600';
const cell = 'padding:6px 0;border-top:1px solid #d3dae8;vertical-align:top';
const label = `${cell};padding-right:16px;text-align:left;font-weight:400;color:#4a556f;white-space:nowrap`;
const fact = `${cell};width:100%;overflow-wrap:anywhere`;
const figure = `${cell};text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums`;

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, mark => `&#${mark.charCodeAt(0)};`);
}
