import type { Message } from '../recipients/letters.ts';
import { escapeHtml, QUIET } from '../recipients/mail-page.ts';
import type { ReadableField, ReadableMessage } from './readable-message.ts';

const FROM_VISITOR = 'Sent by the visitor';

/** A message as mail: the same as plain text and as HTML. */
export function mailMessage(message: ReadableMessage): Message {
  const { subject, replyTo } = message;
  return { subject, text: plainText(message), html: html(message), replyTo };
}

/** What the visitor sent comes last, and each of its lines has a quote mark: none can look like a line of ours. */
function plainText({ event, title, notes, button, fields }: ReadableMessage): string {
  const quoted = fields.flatMap(({ label, lines: [first = '', ...more] }) => [
    `> ${label}${/[?!:]$/.test(label) ? '' : ':'} ${first}`,
    ...more.map((line) => `>   ${line}`.trimEnd()),
  ]);
  const lines = [
    fields.length > 0 ? event : title,
    '',
    ...notes,
    ...(button ? ['', `${button.text}:`, button.url] : []),
    ...(quoted.length > 0 ? ['', `${FROM_VISITOR}:`, ...quoted] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function html({ event, title, notes, button, fields, preview }: ReadableMessage): string {
  const parts = [
    preview === undefined
      ? ''
      : `<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>`,
    title === event
      ? ''
      : `<div class="quiet" style="font-size:14px;line-height:20px;${QUIET}">${escapeHtml(event)}</div>`,
    `<h1 class="text" dir="auto" style="margin:4px 0 8px;font-size:22px;line-height:28px;color:#0f141a;overflow-wrap:anywhere">${escapeHtml(title)}</h1>`,
    ...notes.map(
      (note) =>
        `<div class="text" style="margin:0 0 4px;font-size:15px;line-height:22px;color:#0f141a;overflow-wrap:anywhere">${escapeHtml(note)}</div>`,
    ),
    fields.length === 0 ? '' : fieldTable(fields),
    button === undefined
      ? ''
      : `<div style="margin:24px 0 0"><a class="button" href="${escapeHtml(button.url)}" style="display:inline-block;background:#0972d3;color:#ffffff;font-size:15px;line-height:20px;font-weight:700;text-decoration:none;padding:12px 24px;border-radius:8px">${escapeHtml(button.text)}</a></div>`,
  ];
  return parts.filter(Boolean).join('\n');
}

const CELL = 'padding:10px 0;border-top:1px solid #e4e8ed;font-size:15px;line-height:22px;vertical-align:top';

function fieldTable(fields: readonly ReadableField[]): string {
  const rows = fields.map(
    ({ label, lines }) =>
      `<tr><td class="label quiet line" dir="auto" style="${CELL};width:30%;padding-right:16px;${QUIET};overflow-wrap:anywhere">${escapeHtml(label)}</td>` +
      `<td class="value text line" dir="auto" style="${CELL};color:#0f141a;overflow-wrap:anywhere">${lines.map(escapeHtml).join('<br>')}</td></tr>`,
  );
  return [
    `<div class="quiet" style="margin:20px 0 8px;font-size:13px;line-height:18px;${QUIET}">${FROM_VISITOR}</div>`,
    `<table width="100%" cellpadding="0" cellspacing="0" style="table-layout:fixed;border-collapse:collapse">${rows.join('\n')}</table>`,
  ].join('\n');
}
