/** A visible character, or the name of an invisible one. */
export interface VisiblePiece {
  readonly text: string;
  /** The text names an invisible character. */
  readonly unseen: boolean;
}

const NAMES: Readonly<Record<string, string>> = { '\n': 'LF', '\r': 'CR', '\t': 'TAB', '\ufeff': 'BOM' };
const ESCAPE = /\\(?:x([0-9a-f]{2})|(.))|[^\\]/gs;
const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, '\\': 92 };

/** Decodes an excerpt of the settings API, such as `\xc3\xab\n`, into characters. */
export function visiblePieces(printed: string): VisiblePiece[] {
  return charactersOf(bytesOf(printed)).map(pieceOf);
}

export function bytesOf(printed: string): Uint8Array {
  return Uint8Array.from(printed.matchAll(ESCAPE), ([whole, hex, name]) => {
    if (hex !== undefined) return Number.parseInt(hex, 16);
    return (name === undefined ? undefined : CONTROLS[name]) ?? whole.charCodeAt(0);
  });
}

/** A byte that is part of no character is returned as a number. */
function charactersOf(bytes: Uint8Array): (string | number)[] {
  const characters: (string | number)[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] as number;
    const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    const character = decode(bytes.subarray(at, at + length));
    characters.push(character ?? first);
    at += character === undefined ? 1 : length;
  }
  return characters;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function pieceOf(character: string | number): VisiblePiece {
  if (typeof character === 'number') return { text: hexOf(character, 2), unseen: true };
  const name = NAMES[character];
  if (name !== undefined) return { text: name, unseen: true };
  if (character === ' ' || !/^[\p{C}\p{Z}\p{M}]$/u.test(character)) return { text: character, unseen: false };
  return { text: `U+${hexOf(character.codePointAt(0) ?? 0, 4)}`, unseen: true };
}

const hexOf = (value: number, digits: number) => value.toString(16).toUpperCase().padStart(digits, '0');

export function formatBytes(bytes: number): string {
  return `${bytes.toLocaleString('en')} ${bytes === 1 ? 'byte' : 'bytes'}`;
}
