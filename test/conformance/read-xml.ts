export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
}

const DECLARATION = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/;
const TAG = /<(\/?)([a-z]+)((?: [a-z]+="[^"<>]*")*)(\/?)>/y;
/** What XML 1.0 has no way to hold, and ampersands that begin no entity. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]|&(?!(?:amp|lt|gt|quot);)/u;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** Reads XML of elements and attributes alone, and throws on everything that is not well-formed. */
export function readXml(xml: string): XmlElement {
  if (!DECLARATION.test(xml)) throw new Error('no XML declaration');
  if (FORBIDDEN.test(xml)) throw new Error('a character or an ampersand that XML forbids');
  const document: XmlElement = { name: '', attributes: {}, children: [] };
  const open = [document];
  let at = DECLARATION.exec(xml)?.[0].length ?? 0;
  while (at < xml.length) {
    const blank = /\s*/y;
    blank.lastIndex = at;
    at += blank.exec(xml)?.[0].length ?? 0;
    if (at === xml.length) break;
    TAG.lastIndex = at;
    const [text, closing, name = '', attributes = '', empty] = TAG.exec(xml) ?? [];
    if (text === undefined) throw new Error(`not well-formed at ${xml.slice(at, at + 60)}`);
    at += text.length;
    if (closing) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes another element`);
      continue;
    }
    const element = { name, attributes: readAttributes(attributes), children: [] };
    open.at(-1)?.children.push(element);
    if (!empty) open.push(element);
  }
  const [root, ...more] = document.children;
  if (open.length !== 1 || !root || more.length > 0) throw new Error('not one element that is closed');
  return root;
}

function readAttributes(text: string): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(/ ([a-z]+)="([^"]*)"/g)) {
    if (name in read) throw new Error(`${name} is there twice`);
    read[name] = value.replace(/&(\w+);/g, (_, entity: string) => ENTITIES[entity] as string);
  }
  return read;
}
