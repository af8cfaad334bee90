/** Markup, as opposed to text that must be escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Markup | string | number | undefined | false | readonly Part[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function toText(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(toText).join('');
  return escapeText(String(part));
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] as string);
}

/** A template that escapes its values, except markup. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Markup {
  return new Markup(
    strings.map((piece, index) => piece + (index < values.length ? toText(values[index]) : '')).join(''),
  );
}

/** The beginning of every page, up to its body. */
export function pageHead(title: string, stylesheet: string): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="${stylesheet}">
</head>`;
}

/** The Markdown subset of our descriptions: paragraphs, `code` and **bold**. */
export function prose(description: string | undefined): Markup {
  const paragraphs = (description ?? '').trim().split(/\n\s*\n/);
  return new Markup(
    paragraphs
      .filter((paragraph) => paragraph !== '')
      .map((paragraph) => `<p>${inline(paragraph).text}</p>`)
      .join('\n'),
  );
}

export function inline(text: string | undefined): Markup {
  return new Markup(
    escapeText((text ?? '').trim())
      .replace(/`([^`]+)`/g, '<code>$1</code>')
      .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>'),
  );
}
