import type { ReadableField, ReadableMessage } from './readable-message.ts';

/** Slack's limits: https://api.slack.com/reference/block-kit/blocks */
const MAX_HEADER_LENGTH = 150;
const MAX_FIELDS_PER_SECTION = 10;
/** A field is half as wide as a message. */
const MAX_FIELD_LENGTH = 80;
/** Slack takes 3,000 characters, and an escaped one is up to five. */
const MAX_SECTION_LENGTH = 500;
const MAX_NOTES_LENGTH = 2_900;

/** A message in Slack: a header, what happened, the fields, and a button. */
export function slackBody({ subject, event, title, notes, button, fields }: ReadableMessage): string {
  const blocks = [
    { type: 'header', text: plain(cut(title, MAX_HEADER_LENGTH)) },
    ...(notes.length > 0 ? [{ type: 'section', text: plain(cut(notes.join('\n'), MAX_NOTES_LENGTH)) }] : []),
    ...(fields.length > 0 ? fieldBlocks(fields) : []),
    ...(title === event ? [] : [{ type: 'context', elements: [plain(event)] }]),
    ...(button
      ? [
          {
            type: 'actions',
            elements: [{ type: 'button', text: plain(button.text), url: button.url, style: 'primary' }],
          },
        ]
      : []),
  ];
  // The text is for notifications. Without previews: Slack's servers would open what a link points to.
  return JSON.stringify({ text: escaped(subject), blocks, unfurl_links: false, unfurl_media: false });
}

/** Short values in two columns, long ones below each other, in their order. */
function fieldBlocks(fields: readonly ReadableField[]): object[] {
  const blocks: ({ type: 'section'; fields: object[] } | { type: 'section'; text: object })[] = [];
  for (const field of fields) {
    const isLong = field.lines.length > 1 || field.lines.join('').length > MAX_FIELD_LENGTH;
    if (isLong) {
      blocks.push({ type: 'section', text: fieldText(field) });
      continue;
    }
    const last = blocks.at(-1);
    if (last && 'fields' in last && last.fields.length < MAX_FIELDS_PER_SECTION)
      last.fields.push(fieldText(field));
    else blocks.push({ type: 'section', fields: [fieldText(field)] });
  }
  return [{ type: 'divider' }, ...blocks];
}

/** What Slack would read as bold, italic, struck out, code, an emoji, or at the start of a line as a quote or list. */
const FORMATTING = /[*_~`]|:[\w+'-]+:|^\s*(?:>|•|\d+\.|-)/m;

/**
 * The label in bold, unless the visitor's text has characters that Slack would format: then all of it is plain text, which
 * Slack shows as it is.
 */
function fieldText({ label, lines }: ReadableField): object {
  const value = cut(lines.join('\n'), MAX_SECTION_LENGTH);
  if (FORMATTING.test(`${label}\n${value}`)) return plain(`${label}\n${value}`);
  // Verbatim: Slack makes no links of names and addresses.
  return { type: 'mrkdwn', text: `*${escaped(label)}*\n${escaped(value)}`, verbatim: true };
}

const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });

function cut(text: string, longest: number): string {
  const characters = [...text];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : text;
}

/** Slack gives these three characters a meaning: https://api.slack.com/reference/surfaces/formatting#escaping */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
