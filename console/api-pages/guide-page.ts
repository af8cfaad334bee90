import { readFileSync } from 'node:fs';
import { html, inline, Markup, pageHead } from './html.ts';

const GUIDE = new URL('../../docs/console-guide.md', import.meta.url);

/** The console guide as one page without scripts, so that the console can link to its headings. */
export function guidePage(): string {
  return renderGuide(readFileSync(GUIDE, 'utf8'));
}

/** The Markdown subset of the guide. Pictures are left out: they would be megabytes. */
export function renderGuide(markdown: string): string {
  const blocks = markdown.trim().split(/\n{2,}/);
  const title = blocks[0]?.replace(/^# /, '') ?? '';
  const chapters = blocks.filter((block) => block.startsWith('## ')).map((block) => block.slice(3));
  return html`${pageHead(title, '/api-reference/api.css')}
<body>
<header>
<p class="trail"><a href="/">Console</a></p>
<h1>${title}</h1>
</header>
<nav aria-label="Chapters">
<ul class="chapters">
${chapters.map((chapter) => html`<li><a href="#${anchorOf(chapter)}">${chapter}</a></li>\n`)}</ul>
</nav>
<main>
${blocks.slice(1).map((block) => html`${renderBlock(block)}\n`)}</main>
</body>
</html>
`.text;
}

function renderBlock(block: string): Markup | undefined {
  const lines = block.split('\n');
  const heading = /^(#{2,3}) (.*)$/.exec(block);
  if (heading) {
    const [, marks = '', text = ''] = heading;
    const level = String(marks.length);
    return new Markup(`<h${level} id="${anchorOf(text)}">${rich(text).text}</h${level}>`);
  }
  if (block.startsWith('![')) return undefined;
  if (block.startsWith('|')) return table(lines);
  if (/^\d+\. /.test(block)) return html`<ol>${lines.map(item)}</ol>`;
  if (block.startsWith('- ')) return html`<ul>${lines.map(item)}</ul>`;
  return html`<p>${rich(block)}</p>`;
}

const item = (line: string) => html`<li>${rich(line.replace(/^(?:\d+\.|-) /, ''))}</li>`;

function table(lines: readonly string[]): Markup {
  const [head = [], ...rows] = lines
    .filter((line) => !/^\|[\s|:-]+\|$/.test(line))
    .map((line) => line.slice(1, -1).split('|').map(rich));
  return html`<table>
<thead><tr>${head.map((cell) => html`<th>${cell}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table>`;
}

/** Other documents are not published, so links to them are plain text. */
function rich(text: string): Markup {
  const linked = inline(text)
    .text.replace(/\[([^\]]+)\]\((#[\w-]+|https:[^)]+)\)/g, '<a href="$2">$1</a>')
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/\*([^*]+)\*/g, '<em>$1</em>');
  return new Markup(linked);
}

/** As on GitHub. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(' ', '-');
}
